import { type FormEvent, type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import { failureText, toFailure } from '@/api/errors';
import { graphql } from '@/api/generated';
import { Button, TextField, toast } from '@/ui';
import { Section } from '@/ui/Page';
import type { PartProps } from './AccountPage';

const SetPasswordMutation = graphql(`
  mutation SetPassword($input: SetPasswordInput!) { setPassword(input: $input) { ok } }
`);

export function Password({ viewer, refresh }: PartProps): ReactElement {
  const { t } = useTranslation();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [{ fetching, error }, setPassword] = useMutation(SetPasswordMutation);
  const failure = error ? toFailure(error) : null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await setPassword({
      input: { newPassword: next, ...(current ? { currentPassword: current } : {}) },
    });
    if (!data) return;
    setCurrent('');
    setNext('');
    toast({ text: t('account.passwordSet') });
    refresh();
  };
  return (
    <Section
      title={t('account.password')}
      hint={viewer.hasPassword ? t('account.passwordHint') : t('account.noPassword')}
    >
      <form className="flex max-w-xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <input type="text" name="username" autoComplete="username" value={viewer.user?.name ?? ''} readOnly hidden />
        {viewer.hasPassword && (
          <TextField
            type="password"
            autoComplete="current-password"
            label={t('account.currentPassword')}
            hint={t('account.currentPasswordHint')}
            value={current}
            error={failure?.field === 'currentPassword' && error && failureText(t, error)}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
        <TextField
          type="password"
          autoComplete="new-password"
          label={t('account.newPassword')}
          hint={t('account.newPasswordHint')}
          value={next}
          error={failure && failure.field !== 'currentPassword' && error && failureText(t, error)}
          onChange={(event) => setNext(event.target.value)}
        />
        <div>
          <Button type="submit" busy={fetching} disabled={next.length < 10}>
            {t('account.setPassword')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
