import { useState } from 'react';
import { storage } from '@/lib/storage';

interface Look {
  times: boolean;
  wrap: boolean;
  newestFirst: boolean;
}

const KEY = 'log';

function read(narrow: boolean): Look {
  const usual = { times: !narrow, wrap: narrow, newestFirst: false };
  try {
    return { ...usual, ...(JSON.parse(storage.get(KEY) ?? '{}') as Partial<Look>) };
  } catch {
    return usual;
  }
}

/** How this browser shows logs: personal, so it is remembered here and not in the address. */
export function useLogLook(narrow: boolean) {
  const [look, setLook] = useState(() => read(narrow));
  const change = (part: Partial<Look>) => {
    const next = { ...look, ...part };
    setLook(next);
    storage.set(KEY, JSON.stringify(next));
  };
  return [look, change] as const;
}
