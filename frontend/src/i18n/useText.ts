import i18next, { type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { Lang } from '.';

const subscribe = (listener: () => void) => {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
};
const language = (): Lang => (i18next.language === 'ja' ? 'ja' : 'en');

/**
 * The words and the language, for what stands on the page many times: react-i18next's hook copies the whole i18n object at every call,
 * which a row with ten cells pays ten times.
 */
export function useText(): { t: TFunction; lang: Lang } {
  const lang = useSyncExternalStore(subscribe, language);
  return { t: i18next.t as TFunction, lang };
}
