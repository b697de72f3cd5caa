import { useSyncExternalStore } from 'react';

// One shared one-second clock: every relative time and running duration ticks together. ?now=… freezes it for pictures.
const frozen = typeof location === 'undefined' ? null : new URLSearchParams(location.search).get('now');
let now = frozen ? Date.parse(frozen) : Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (!frozen && timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The present moment in milliseconds, renewed every second. */
export const useNow = () => useSyncExternalStore(subscribe, () => now);
