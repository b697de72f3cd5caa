import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Eye, EyeOff, Languages } from 'lucide-react';
import { type FormEvent, type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CombinedError, useClient, useQuery } from 'urql';
import { useForget } from '@/api/ApiProvider';
import { basePath } from '@/api/base';
import { failureText, toFailure } from '@/api/errors';
import type { SignInInput } from '@/api/generated/graphql';
import { adoptPreferences } from '@/api/preferences';
import { languageWasChosen, setLanguage } from '@/i18n';
import { Button, CopyBlock, Field, IconButton, Input, Mark, Notice, TextField } from '@/ui';
import { ServerQuery, SignInMutation } from './queries';

const route = getRouteApi('/sign-in');
const SETUP_COMMAND = 'nightshift admin user create';

export function SignInPage(): ReactElement {
  const { t, i18n } = useTranslation();
  // Kept: opening it takes it out of the address.
  const [link] = useState(route.useSearch().link);
  const [{ data: server }] = useQuery({ query: ServerQuery });
  const { signIn, busy, error } = useSignIn();

  const defaultLanguage = server?.server.defaultLanguage;
  useEffect(() => {
    const browserSays = navigator.languages.some((each) => /^(en|ja)\b/.test(each));
    if (defaultLanguage && !browserSays && !languageWasChosen()) {
      void setLanguage(defaultLanguage === 'JA' ? 'ja' : 'en', false);
    }
  }, [defaultLanguage]);

  return (
    <main className="flex h-full flex-col items-center overflow-auto px-4 pt-[14vh] pb-6">
      <div className="flex w-full max-w-[352px] flex-1 flex-col">
        <div className="mb-6 flex items-center gap-3">
          <Mark size={32} />
          <h1 className="text-xl font-semibold tracking-[-0.01em]">{t('auth.title')}</h1>
        </div>
        {server?.server.needsSetup ? (
          <NeedsSetup />
        ) : link && !error ? (
          <OpenLink link={link} signIn={signIn} />
        ) : (
          <SignInForm busy={busy} error={error} usedLink={Boolean(link)} onSubmit={signIn} />
        )}
      </div>
      <footer className="mt-10 flex items-center gap-3 text-xs text-fg-3">
        {server && <span>{t('auth.version', { version: server.server.version })}</span>}
        <Button
          variant="ghost"
          size="sm"
          icon={<Languages />}
          lang={i18n.language === 'ja' ? 'en' : 'ja'}
          onClick={() => void setLanguage(i18n.language === 'ja' ? 'en' : 'ja')}
        >
          {i18n.language === 'ja' ? 'English' : '日本語'}
        </Button>
      </footer>
    </main>
  );
}

function useSignIn() {
  const client = useClient();
  const forget = useForget();
  const router = useRouter();
  const { to } = route.useSearch();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CombinedError | null>(null);

  const signIn = useCallback(
    async (input: SignInInput) => {
      setBusy(true);
      setError(null);
      const result = await client.mutation(SignInMutation, { input }).toPromise();
      setBusy(false);
      if (result.error || !result.data) {
        if (result.error) setError(result.error);
        return;
      }
      await adoptPreferences(result.data.signIn.viewer);
      forget();
      // Only addresses of our own: `to` comes from the address bar.
      const inside = to && /^\/(?![/\\])/.test(to) ? to : '/';
      router.history.replace(`${basePath}${inside}`);
    },
    [client, forget, router, to],
  );
  return { signIn, busy, error };
}

/** A one-time link signs in at once; the secret leaves the address bar before anything else happens. */
function OpenLink({ link, signIn }: { link: string; signIn: (input: SignInInput) => Promise<void> }) {
  const { t } = useTranslation();
  const used = useRef(false);
  useEffect(() => {
    if (used.current) return;
    used.current = true;
    const address = new URL(location.href);
    address.searchParams.delete('link');
    history.replaceState(history.state, '', address);
    void signIn({ link });
  }, [link, signIn]);
  return (
    <p role="status" className="text-sm text-fg-2">
      {t('auth.linkSigningIn')}
    </p>
  );
}

interface SignInFormProps {
  busy: boolean;
  error: CombinedError | null;
  usedLink: boolean;
  onSubmit: (input: SignInInput) => Promise<void>;
}

function SignInForm({ busy, error, usedLink, onSubmit }: SignInFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const [tried, setTried] = useState(false);
  const [byPassword, setByPassword] = useState(false);
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => nameInput.current?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!name || !password) return;
    setByPassword(true);
    void onSubmit({ name, password });
  };
  const message = error && signInError(error, usedLink && !byPassword);

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {message && (
        <Notice role="alert" tone="danger">
          {message.key === 'other' ? failureText(t, error) : t(`auth.${message.key}`, { count: message.seconds ?? 60 })}
        </Notice>
      )}
      <TextField
        ref={nameInput}
        label={t('auth.name')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={tried && !name && t('auth.nameMissing')}
      />
      <Field label={t('auth.password')} error={tried && !password && t('auth.passwordMissing')}>
        {({ id, describedBy, invalid }) => (
          <div className="relative">
            <Input
              id={id}
              aria-describedby={describedBy}
              aria-invalid={invalid || undefined}
              type={shown ? 'text' : 'password'}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              className="pr-9"
            />
            <IconButton
              label={shown ? t('auth.hidePassword') : t('auth.showPassword')}
              onClick={() => setShown(!shown)}
              className="absolute top-0.5 right-0.5"
            >
              {shown ? <EyeOff /> : <Eye />}
            </IconButton>
          </div>
        )}
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        {t('auth.signIn')}
      </Button>
      <p className="text-xs text-fg-3">{t('auth.linkHint')}</p>
    </form>
  );
}

function signInError(error: CombinedError, byLink: boolean) {
  const failure = toFailure(error);
  if (failure.code === 'RATE_LIMITED') return { key: 'rateLimited', seconds: failure.retryAfterSeconds } as const;
  if (failure.code === 'UNAUTHENTICATED') return { key: byLink ? 'linkExpired' : 'wrong', seconds: undefined } as const;
  return { key: 'other', seconds: undefined } as const;
}

function NeedsSetup() {
  const { t } = useTranslation();
  return (
    <Notice title={t('auth.needsSetupTitle')}>
      <p className="mb-2">{t('auth.needsSetupBody')}</p>
      <CopyBlock text={SETUP_COMMAND} label={t('auth.copyCommand')} />
    </Notice>
  );
}
