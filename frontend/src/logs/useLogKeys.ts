import type { KeyboardEvent } from 'react';

interface LogKeys {
  search: () => void;
  step: (by: 1 | -1) => void;
  toggleWrap: () => void;
  toggleFollow: () => void;
  toLatest: () => void;
}

/** The log's own keys, while the focus is somewhere in it. */
export function useLogKeys(keys: LogKeys) {
  return (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      keys.search();
      return;
    }
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'n') keys.step(1);
    else if (event.key === 'N') keys.step(-1);
    else if (event.key === 'w') keys.toggleWrap();
    else if (event.key === 'f') keys.toggleFollow();
    else if (event.key === 'End' || event.key === 'G') keys.toLatest();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
