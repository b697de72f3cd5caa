import { type FormEvent, type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import { failureText } from '@/api/errors';
import { graphql } from '@/api/generated';
import { usePreferences } from '@/api/preferences';
import { type ThemeChoice, useTheme } from '@/lib/theme';
import { useLang } from '@/lib/useLang';
import { Button, Field, Select, TextField } from '@/ui';
import { Section } from '@/ui/Page';
import type { PartProps } from './AccountPage';

const UpdateNameMutation = graphql(`
  mutation UpdateName($input: UpdateProfileInput!) {
    updateProfile(input: $input) { viewer { user { id name displayName } } }
  }
`);

export function Profile({ viewer, refresh }: PartProps): ReactElement {
  const { t } = useTranslation();
  const lang = useLang();
  const theme = useTheme();
  const { changeLanguage, changeTheme } = usePreferences();
  const [name, setName] = useState(viewer.user?.displayName ?? '');
  const [{ fetching, error }, update] = useMutation(UpdateNameMutation);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await update({ input: { displayName: name } });
    if (data) refresh();
  };
  return (
    <Section title={t('account.profile')} hint={t('account.signedInAs', { name: viewer.user?.name ?? '' })}>
      <form className="flex max-w-xl flex-wrap items-end gap-3" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('account.displayName')}
          value={name}
          fieldClassName="min-w-48 flex-1"
          error={error && failureText(t, error)}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={fetching} disabled={!name.trim() || name === viewer.user?.displayName}>
          {t('common.save')}
        </Button>
      </form>
      <div className="grid max-w-xl gap-4 sm:grid-cols-2">
        <Field label={t('common.language')}>
          {({ id }) => (
            <Select
              id={id}
              value={lang}
              items={[
                { value: 'en', label: 'English' },
                { value: 'ja', label: '日本語' },
              ]}
              onChange={(value) => changeLanguage(value === 'ja' ? 'ja' : 'en')}
            />
          )}
        </Field>
        <Field label={t('common.theme.label')}>
          {({ id }) => (
            <Select
              id={id}
              value={theme}
              items={(['system', 'light', 'dark'] as const).map((value) => ({
                value,
                label: t(`common.theme.${value}`),
              }))}
              onChange={(value) => changeTheme(value as ThemeChoice)}
            />
          )}
        </Field>
      </div>
    </Section>
  );
}
