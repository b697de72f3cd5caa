import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import { graphql } from '@/api/generated';
import { session } from '@/api/session';
import { Button, Time } from '@/ui';
import { Section } from '@/ui/Page';
import type { PartProps } from './AccountPage';

const SignOutEverywhereMutation = graphql(`
  mutation SignOutEverywhere { signOut(input: { everywhere: true }) { ok } }
`);

export function Sessions({ viewer }: PartProps): ReactElement {
  const { t } = useTranslation();
  const [{ fetching }, signOut] = useMutation(SignOutEverywhereMutation);
  return (
    <Section
      title={t('account.sessions')}
      action={
        <Button variant="danger" busy={fetching} onClick={() => void signOut({}).then(() => session.signedOut())}>
          {t('account.signOutEverywhere')}
        </Button>
      }
    >
      <ul className="flex flex-col gap-2 text-sm">
        {viewer.sessions.map((s) => (
          <li key={s.id} className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 truncate" title={s.userAgent}>
              {s.userAgent.replace(/^Mozilla\/5\.0 /, '').slice(0, 80) || t('account.unknownBrowser')}
            </span>
            {s.current && <span className="text-xs font-medium text-success">{t('account.thisBrowser')}</span>}
            <span className="text-xs text-fg-3">
              <Time at={s.lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
