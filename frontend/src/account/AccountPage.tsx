import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import { failureText } from '@/api/errors';
import { graphql } from '@/api/generated';
import type { AccountQuery as AccountData } from '@/api/generated/graphql';
import { Button, EmptyState, Skeleton } from '@/ui';
import { Page } from '@/ui/Page';
import { Password } from './Password';
import { Profile } from './Profile';
import { Sessions } from './Sessions';
import { Tokens } from './Tokens';
import { Users } from './Users';

const AccountQuery = graphql(`
  query Account {
    viewer {
      kind
      isGlobalAdmin
      language
      theme
      hasPassword
      user { id name displayName }
      apiTokens { id name prefix scopes createdAt expiresAt lastUsedAt }
      sessions { id createdAt lastSeenAt expiresAt userAgent current }
    }
  }
`);

export type AccountViewer = NonNullable<AccountData['viewer']>;
export interface PartProps {
  viewer: AccountViewer;
  refresh: () => void;
}

export function AccountPage(): ReactElement {
  const { t } = useTranslation();
  const [{ data, error }, again] = useQuery({ query: AccountQuery, requestPolicy: 'cache-and-network' });
  const refresh = () => again({ requestPolicy: 'network-only' });
  const viewer = data?.viewer;
  if (!viewer) {
    return (
      <Page title={t('account.title')}>
        {error ? (
          <EmptyState
            title={t('common.loadFailedTitle')}
            body={failureText(t, error)}
            action={<Button onClick={refresh}>{t('common.tryAgain')}</Button>}
          />
        ) : (
          <div className="p-5">
            <Skeleton className="h-4 w-1/2" />
          </div>
        )}
      </Page>
    );
  }
  const part = { viewer, refresh };
  return (
    <Page title={t('account.title')}>
      <Profile {...part} />
      <Password {...part} />
      <Tokens {...part} />
      <Sessions {...part} />
      {viewer.isGlobalAdmin && <Users me={viewer.user?.id ?? ''} />}
    </Page>
  );
}
