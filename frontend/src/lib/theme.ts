import { useSyncExternalStore } from 'react';
import { storage } from './storage';

export type ThemeChoice = 'system' | 'light' | 'dark';

const media = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const read = (): ThemeChoice => {
  const value = storage.get('theme');
  return value === 'light' || value === 'dark' ? value : 'system';
};
let choice = read();

function apply() {
  const dark = choice === 'dark' || (choice === 'system' && media?.matches === true);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}
media?.addEventListener('change', apply);

export function setTheme(next: ThemeChoice) {
  choice = next;
  storage.set('theme', next);
  apply();
}

export const themeWasChosen = () => storage.get('theme') !== null;

export const useTheme = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => choice,
  );
