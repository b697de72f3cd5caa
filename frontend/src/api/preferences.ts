import { useMutation } from 'urql';
import { type Lang, languageWasChosen, setLanguage } from '@/i18n';
import { setTheme, type ThemeChoice, themeWasChosen } from '@/lib/theme';
import { graphql } from './generated';
import type { Language, Theme } from './generated/graphql';

const UpdateProfileMutation = graphql(`
  mutation UpdatePreferences($input: UpdateProfileInput!) {
    updateProfile(input: $input) { viewer { language theme } }
  }
`);

const LANGUAGES: Record<Lang, Language> = { en: 'EN', ja: 'JA' };
const THEMES: Record<ThemeChoice, Theme> = { system: 'SYSTEM', light: 'LIGHT', dark: 'DARK' };

/** Changes the language and the theme at once here, and keeps them in the person's profile for other browsers. */
export function usePreferences() {
  const [, update] = useMutation(UpdateProfileMutation);
  return {
    changeLanguage: (lang: Lang) => {
      void setLanguage(lang);
      void update({ input: { language: LANGUAGES[lang] } });
    },
    changeTheme: (theme: ThemeChoice) => {
      setTheme(theme);
      void update({ input: { theme: THEMES[theme] } });
    },
  };
}

/** After signing in: what was chosen in this browser wins, else what the profile says. */
export async function adoptPreferences(profile: { language: Language; theme: Theme }) {
  if (!themeWasChosen() && profile.theme !== 'SYSTEM') setTheme(profile.theme === 'DARK' ? 'dark' : 'light');
  if (!languageWasChosen()) await setLanguage(profile.language === 'JA' ? 'ja' : 'en');
}
