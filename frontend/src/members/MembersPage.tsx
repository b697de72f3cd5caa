import { useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation, useQuery } from 'urql';
import { failureText } from '@/api/errors';
import { graphql } from '@/api/generated';
import type { Role } from '@/api/generated/graphql';
import { isProjectAdmin, useProject } from '@/api/viewer';
import { Avatar, Button, ConfirmDialog, Field, IconButton, Notice, Select, Skeleton, TextField } from '@/ui';
import { cellClass, Page, Section, Table } from '@/ui/Page';

const MembersQuery = graphql(`
  query Members($project: String!) {
    project(key: $project) { id members { role user { id name displayName } } }
  }
`);
const SetMemberMutation = graphql(`
  mutation SetMember($input: SetMemberInput!) { setMember(input: $input) { member { role user { id name displayName } } } }
`);
const RemoveMemberMutation = graphql(`
  mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { ok } }
`);

const ROLES: readonly Role[] = ['VIEWER', 'EDITOR', 'ADMIN'];

export function MembersPage(): ReactElement {
  const { t } = useTranslation();
  const { project } = useParams({ strict: false }) as { project: string };
  const admin = isProjectAdmin(useProject(project));
  const [{ data, error }, refresh] = useQuery({
    query: MembersQuery,
    variables: { project },
    requestPolicy: 'cache-and-network',
  });
  const [change, setMember] = useMutation(SetMemberMutation);
  const [removal, removeMember] = useMutation(RemoveMemberMutation);
  const [leaving, setLeaving] = useState<string | null>(null);
  const members = data?.project?.members;
  const again = () => refresh({ requestPolicy: 'network-only' });
  const roles = ROLES.map((role) => ({ value: role, label: t(`common.role.${role}`) }));
  const failed = change.error ?? removal.error ?? (members ? undefined : error);
  return (
    <Page title={t('members.title')}>
      {failed && (
        <Notice tone="danger" role="alert" className="mx-5 mt-4">
          {failureText(t, failed)}
        </Notice>
      )}
      {!members ? (
        <div className="p-5">
          <Skeleton className="h-4 w-1/2" />
        </div>
      ) : (
        <Table label={t('members.title')} head={[t('members.person'), t('members.role'), '']}>
          {members.map((m) => (
            <tr key={m.user.id} className="border-b border-line">
              <td className={cellClass}>
                <span className="flex items-center gap-2.5">
                  <Avatar name={m.user.name} />
                  <span className="font-medium">{m.user.displayName}</span>
                  {m.user.displayName !== m.user.name && <span className="text-fg-3">{m.user.name}</span>}
                </span>
              </td>
              <td className={cellClass}>
                {admin ? (
                  <Select
                    size="sm"
                    label={t('members.roleOf', { name: m.user.name })}
                    value={m.role}
                    items={roles}
                    className="w-48"
                    onChange={(role) =>
                      void setMember({ input: { project, userName: m.user.name, role: role as Role } }).then(again)
                    }
                  />
                ) : (
                  t(`common.role.${m.role}`)
                )}
              </td>
              <td className={`${cellClass} text-right`}>
                {admin && (
                  <IconButton
                    label={t('members.remove', { name: m.user.name })}
                    onClick={() => setLeaving(m.user.name)}
                  >
                    <Trash2 />
                  </IconButton>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {admin && (
        <AddMember
          roles={roles}
          onAdd={async (userName, role) => {
            const result = await setMember({ input: { project, userName, role } });
            again();
            return !result.error;
          }}
        />
      )}
      <ConfirmDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title={t('members.remove', { name: leaving ?? '' })}
        confirmLabel={t('members.removeConfirm')}
        danger
        onConfirm={() => {
          const userName = leaving;
          setLeaving(null);
          if (userName) void removeMember({ input: { project, userName } }).then(again);
        }}
      >
        {t('members.removeBody')}
      </ConfirmDialog>
    </Page>
  );
}

function AddMember({
  roles,
  onAdd,
}: {
  roles: { value: string; label: string }[];
  onAdd: (name: string, role: Role) => Promise<boolean>;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('EDITOR');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await onAdd(name.trim(), role)) setName('');
  };
  return (
    <Section title={t('members.addTitle')} hint={t('members.addHint')}>
      <form className="flex max-w-xl flex-wrap items-end gap-3" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('members.userName')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          fieldClassName="flex-1 min-w-40"
        />
        <Field label={t('members.role')} className="w-48">
          {({ id }) => <Select id={id} value={role} items={roles} onChange={(value) => setRole(value as Role)} />}
        </Field>
        <Button type="submit" variant="primary" disabled={!name.trim()}>
          {t('members.add')}
        </Button>
      </form>
    </Section>
  );
}
