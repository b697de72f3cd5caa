import { Plus } from 'lucide-react';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import { failureText } from '@/api/errors';
import { graphql } from '@/api/generated';
import type { Scope } from '@/api/generated/graphql';
import { formatDay } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { Button, Checkbox, ConfirmDialog, CopyBlock, Dialog, TextField, Time } from '@/ui';
import { cellClass, Section, Table } from '@/ui/Page';
import type { PartProps } from './AccountPage';

const CreateApiTokenMutation = graphql(`
  mutation CreateApiToken($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret token { id } } }
`);
const RevokeTokenMutation = graphql(`
  mutation RevokeToken($input: RevokeTokenInput!) { revokeToken(input: $input) { token { id } } }
`);

const SCOPES: readonly Scope[] = ['READ', 'RUNS_WRITE', 'JOBS_WRITE', 'ADMIN'];

export function Tokens({ viewer, refresh }: PartProps): ReactElement {
  const { t } = useTranslation();
  const lang = useLang();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<{ id: string; name: string } | null>(null);
  const [, revoke] = useMutation(RevokeTokenMutation);
  return (
    <Section
      title={t('account.tokens')}
      hint={t('account.tokensHint')}
      action={
        <Button icon={<Plus />} onClick={() => setCreating(true)}>
          {t('account.newToken')}
        </Button>
      }
    >
      {viewer.apiTokens.length === 0 ? (
        <p className="text-sm text-fg-2">{t('account.noTokens')}</p>
      ) : (
        <div className="-mx-5">
          <Table
            label={t('account.tokens')}
            head={[
              t('account.tokenName'),
              t('account.start'),
              t('account.scopes'),
              t('account.lastUsed'),
              t('account.expires'),
              '',
            ]}
          >
            {viewer.apiTokens.map((token) => (
              <tr key={token.id} className="border-b border-line last:border-b-0">
                <td className={`${cellClass} font-medium`}>{token.name}</td>
                <td className={`${cellClass} font-mono text-xs`}>{token.prefix}…</td>
                <td className={`${cellClass} text-xs text-fg-2`}>{token.scopes.join(', ')}</td>
                <td className={cellClass}>{token.lastUsedAt ? <Time at={token.lastUsedAt} /> : t('account.never')}</td>
                <td className={cellClass}>{token.expiresAt ? formatDay(token.expiresAt, lang) : t('account.never')}</td>
                <td className={`${cellClass} text-right`}>
                  <Button size="sm" variant="danger" onClick={() => setRevoking(token)}>
                    {t('account.revoke')}
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      <NewToken open={creating} onClose={() => setCreating(false)} onCreated={refresh} />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={t('account.revokeTitle', { name: revoking?.name ?? '' })}
        confirmLabel={t('account.revoke')}
        danger
        onConfirm={() => {
          const id = revoking?.id;
          setRevoking(null);
          if (id) void revoke({ input: { tokenId: id } }).then(refresh);
        }}
      >
        {t('account.revokeBody')}
      </ConfirmDialog>
    </Section>
  );
}

function NewToken({ open, onClose, onCreated }: { open: boolean; onClose: () => void; onCreated: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['READ', 'RUNS_WRITE', 'JOBS_WRITE']);
  const [days, setDays] = useState('90');
  const [secret, setSecret] = useState<string | null>(null);
  const [{ fetching, error }, create] = useMutation(CreateApiTokenMutation);
  const daysOk = /^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= 365;
  const close = () => {
    setSecret(null);
    setName('');
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: { name: name.trim(), scopes: [...scopes], expiresInDays: Number(days) } });
    if (!data) return;
    setSecret(data.createApiToken.secret);
    onCreated();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      question
      title={t('account.newToken')}
      description={secret ? t('account.secretOnce') : undefined}
      footer={
        secret ? (
          <Button variant="primary" onClick={close}>
            {t('account.done')}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{t('common.cancel')}</Button>
            <Button
              type="submit"
              form="new-token"
              variant="primary"
              busy={fetching}
              disabled={!name.trim() || scopes.length === 0 || !daysOk}
            >
              {t('account.create')}
            </Button>
          </>
        )
      }
    >
      {secret ? (
        <CopyBlock text={secret} label={t('account.copyToken')} />
      ) : (
        <form id="new-token" className="flex flex-col gap-4 pt-2" onSubmit={(event) => void submit(event)}>
          <TextField
            label={t('account.tokenName')}
            placeholder="laptop"
            value={name}
            error={error && failureText(t, error)}
            onChange={(event) => setName(event.target.value)}
          />
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 text-xs font-medium text-fg-2">{t('account.scopes')}</legend>
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                checked={scopes.includes(scope)}
                onChange={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((s) => s !== scope))}
                label={t(`account.scope.${scope as 'READ' | 'RUNS_WRITE' | 'JOBS_WRITE' | 'ADMIN'}`)}
              />
            ))}
          </fieldset>
          <TextField
            label={t('account.days')}
            hint={t('account.daysHint')}
            inputMode="numeric"
            value={days}
            error={!daysOk && t('account.daysHint')}
            fieldClassName="max-w-40"
            onChange={(event) => setDays(event.target.value)}
          />
        </form>
      )}
    </Dialog>
  );
}
