import { Plus } from 'lucide-react';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation, useQuery } from 'urql';
import { failureText } from '@/api/errors';
import { graphql } from '@/api/generated';
import { Button, Checkbox, CopyBlock, Dialog, Notice, TextField } from '@/ui';
import { cellClass, Section, Table } from '@/ui/Page';

const UsersQuery = graphql(`
  query Users { users(first: 200) { nodes { id name displayName isGlobalAdmin disabledAt } } }
`);
const CreateUserMutation = graphql(`
  mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { signInUrl user { id name } } }
`);
const UpdateUserMutation = graphql(`
  mutation UpdateUser($input: UpdateUserInput!) { updateUser(input: $input) { user { id isGlobalAdmin disabledAt } } }
`);

/** For global administrators: everybody who may sign in. */
export function Users({ me }: { me: string }): ReactElement {
  const { t } = useTranslation();
  const [{ data }, again] = useQuery({ query: UsersQuery, requestPolicy: 'cache-and-network' });
  const refresh = () => again({ requestPolicy: 'network-only' });
  const [{ error }, update] = useMutation(UpdateUserMutation);
  const [creating, setCreating] = useState(false);
  const users = data?.users.nodes ?? [];
  return (
    <Section
      title={t('account.users')}
      action={
        <Button icon={<Plus />} onClick={() => setCreating(true)}>
          {t('account.newUser')}
        </Button>
      }
    >
      {error && (
        <Notice tone="danger" role="alert">
          {failureText(t, error)}
        </Notice>
      )}
      <div className="-mx-5">
        <Table
          label={t('account.users')}
          head={[t('account.userName'), t('account.displayName'), t('account.rights'), '']}
        >
          {users.map((user) => (
            <tr key={user.id} className="border-b border-line last:border-b-0">
              <td className={`${cellClass} font-medium`}>{user.name}</td>
              <td className={cellClass}>{user.displayName}</td>
              <td className={`${cellClass} text-fg-2`}>
                {[user.isGlobalAdmin && t('account.globalAdmin'), user.disabledAt && t('account.disabled')]
                  .filter(Boolean)
                  .join(' · ')}
              </td>
              <td className={`${cellClass} text-right`}>
                {user.id !== me && (
                  <Button
                    size="sm"
                    onClick={() =>
                      void update({ input: { userId: user.id, disabled: !user.disabledAt } }).then(refresh)
                    }
                  >
                    {user.disabledAt ? t('account.enable') : t('account.disable')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      </div>
      <NewUser open={creating} onClose={() => setCreating(false)} onCreated={refresh} />
    </Section>
  );
}

function NewUser({ open, onClose, onCreated }: { open: boolean; onClose: () => void; onCreated: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [admin, setAdmin] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [{ fetching, error }, create] = useMutation(CreateUserMutation);
  const close = () => {
    setLink(null);
    setName('');
    setAdmin(false);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: { name: name.trim(), isGlobalAdmin: admin } });
    if (!data) return;
    setLink(data.createUser.signInUrl);
    onCreated();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      question
      title={t('account.newUser')}
      description={link ? t('account.linkOnce') : undefined}
      footer={
        link ? (
          <Button variant="primary" onClick={close}>
            {t('account.done')}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{t('common.cancel')}</Button>
            <Button type="submit" form="new-user" variant="primary" busy={fetching} disabled={!name.trim()}>
              {t('account.create')}
            </Button>
          </>
        )
      }
    >
      {link ? (
        <CopyBlock text={link} label={t('account.copyLink')} />
      ) : (
        <form id="new-user" className="flex flex-col gap-4 pt-2" onSubmit={(event) => void submit(event)}>
          <TextField
            label={t('account.userName')}
            hint={t('account.userNameHint')}
            value={name}
            error={error && failureText(t, error)}
            onChange={(event) => setName(event.target.value)}
          />
          <Checkbox checked={admin} onChange={setAdmin} label={t('account.globalAdmin')} />
        </form>
      )}
    </Dialog>
  );
}
