import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { storage } from '@/lib/storage';
import en from './en';

export type Lang = 'en' | 'ja';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof en };
  }
}

const load: Record<Lang, () => Promise<object>> = {
  en: async () => en,
  ja: async () => (await import('./ja')).default,
};

/** Switches in place; `remember` makes it this browser's choice. */
export async function setLanguage(lang: Lang, remember = true) {
  if (!i18next.hasResourceBundle(lang, 'app')) i18next.addResourceBundle(lang, 'app', await load[lang]());
  await i18next.changeLanguage(lang);
  document.documentElement.lang = lang;
  if (remember) storage.set('lang', lang);
}

export const languageWasChosen = () => storage.get('lang') !== null;

export async function initI18n(lang: Lang) {
  await i18next.use(initReactI18next).init({
    lng: lang,
    fallbackLng: 'en',
    ns: ['app'],
    defaultNS: 'app',
    resources: { en: { app: en } },
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  } as Parameters<typeof i18next.init>[0]);
  await setLanguage(lang, false);
}

export default i18next;
