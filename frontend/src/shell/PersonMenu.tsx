import { useNavigate } from '@tanstack/react-router';
import clsx from 'clsx';
import { ChevronsUpDown, Keyboard, Languages, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '@/api/preferences';
import { useViewer } from '@/api/viewer';
import { useSignOut } from '@/auth/useSignOut';
import { type ThemeChoice, useTheme } from '@/lib/theme';
import { Avatar, IconButton, Menu, type MenuEntry } from '@/ui';

const ICONS = { system: <Monitor />, light: <Sun />, dark: <Moon /> };

export function LanguageButton() {
  const { i18n } = useTranslation();
  const { changeLanguage } = usePreferences();
  const other = i18n.language === 'ja' ? 'en' : 'ja';
  return (
    <IconButton label={other === 'en' ? 'English' : '日本語'} lang={other} onClick={() => changeLanguage(other)}>
      <Languages />
    </IconButton>
  );
}

export function ThemeButton() {
  const { t } = useTranslation();
  const theme = useTheme();
  const { changeTheme } = usePreferences();
  const shown = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
  const next = shown === 'dark' ? 'light' : 'dark';
  return (
    <IconButton label={t(`common.theme.${next}`)} data-theme-choice={theme} onClick={() => changeTheme(next)}>
      {ICONS[next]}
    </IconButton>
  );
}

export function PersonMenu({ narrow, onShortcuts }: { narrow: boolean; onShortcuts: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { viewer } = useViewer();
  const signOut = useSignOut();
  const theme = useTheme();
  const { changeTheme } = usePreferences();
  const name = viewer?.user?.displayName || viewer?.user?.name || '';
  if (!viewer) return null;

  const themes: ThemeChoice[] = ['system', 'light', 'dark'];
  const entries: MenuEntry[] = [
    {
      id: 'account',
      label: t('common.person.account'),
      icon: <UserRound />,
      run: () => void navigate({ to: '/account' }),
    },
    {
      id: 'theme',
      label: t('common.theme.label'),
      icon: ICONS[theme],
      sub: themes.map((choice) => ({
        id: choice,
        label: t(`common.theme.${choice}`),
        icon: ICONS[choice],
        checked: choice === theme,
        run: () => changeTheme(choice),
      })),
    },
    { id: 'keys', label: t('common.person.shortcuts'), icon: <Keyboard />, kbd: '?', run: onShortcuts },
    { id: 'line' },
    { id: 'out', label: t('common.person.signOut'), icon: <LogOut />, run: () => void signOut() },
  ];
  return (
    <Menu
      align="start"
      side="top"
      entries={entries}
      trigger={
        <button
          type="button"
          aria-label={t('common.person.menu', { name })}
          className={clsx(
            'flex h-8 items-center gap-2 rounded-md text-sm text-fg-2 hover:bg-hover hover:text-fg data-[popup-open]:bg-active',
            narrow ? 'w-9 justify-center' : 'w-full px-1.5',
          )}
        >
          <Avatar name={name} />
          {!narrow && (
            <>
              <span className="min-w-0 flex-1 truncate text-left">{name}</span>
              <ChevronsUpDown aria-hidden className="size-3.5 text-fg-3" />
            </>
          )}
        </button>
      }
    />
  );
}
