import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { storage } from '@/lib/storage';
import core from './core';
import type en from './en';

export type Lang = 'en' | 'ja';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: { app: typeof en };
  }
}

type Load = () => Promise<{ default: object }>;

/** Catalogues that are not part of the first screen: each is loaded with the page, pane or dialog that needs it. */
const PARTS = {
  account: { en: () => import('./en/account.json'), ja: () => import('./ja/account.json') },
  auth: { en: () => import('./en/auth.json'), ja: () => import('./ja/auth.json') },
  computers: { en: () => import('./en/computers.json'), ja: () => import('./ja/computers.json') },
  events: { en: () => import('./en/events.json'), ja: () => import('./ja/events.json') },
  launch: { en: () => import('./en/launch.json'), ja: () => import('./ja/launch.json') },
  logs: { en: () => import('./en/logs.json'), ja: () => import('./ja/logs.json') },
  members: { en: () => import('./en/members.json'), ja: () => import('./ja/members.json') },
} satisfies Record<string, Record<Lang, Load>>;
type Part = keyof typeof PARTS;

const wanted = new Set<Part>();
const current = (): Lang => (i18next.language === 'ja' ? 'ja' : 'en');

async function loadPart(part: Part, lang: Lang) {
  if (i18next.exists(`${part}`, { lng: lang, fallbackLng: [], returnObjects: true })) return;
  const texts = (await PARTS[part][lang]()).default;
  i18next.addResourceBundle(lang, 'app', { [part]: texts }, true, true);
}

async function loadCore(lang: Lang) {
  if (i18next.hasResourceBundle(lang, 'app')) return;
  i18next.addResourceBundle(lang, 'app', (await import('./core.ja')).default, true, true);
}

/** Loads a part of the program together with its words. */
export async function withTexts<T>(parts: readonly Part[], load: () => Promise<T>): Promise<T> {
  for (const part of parts) wanted.add(part);
  const [loaded] = await Promise.all([load(), ...parts.map((part) => loadPart(part, current()))]);
  return loaded;
}

/** Switches in place; `remember` makes it this browser's choice. */
export async function setLanguage(lang: Lang, remember = true) {
  await Promise.all([loadCore(lang), ...[...wanted].map((part) => loadPart(part, lang))]);
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
    resources: { en: { app: core } },
    interpolation: { escapeValue: false },
    showSupportNotice: false,
  } as Parameters<typeof i18next.init>[0]);
  await setLanguage(lang, false);
}

export default i18next;
