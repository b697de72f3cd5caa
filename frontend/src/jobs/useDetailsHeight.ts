import { useEffect, useState } from 'react';
import { storage } from '@/lib/storage';

/** What stays of the list above the details. */
const LIST_MIN = 280;
export const DETAILS_MIN = 160;

/** The height of the details below the list, remembered; it always leaves some of the list. */
export function useDetailsHeight() {
  const [height, setHeight] = useState(() => Number(storage.get('details')) || 0);
  const [windowHeight, setWindowHeight] = useState(innerHeight);
  useEffect(() => {
    const onResize = () => setWindowHeight(innerHeight);
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, []);
  const max = Math.max(DETAILS_MIN + 40, windowHeight - LIST_MIN);
  const usual = Math.min(max, Math.round(windowHeight * 0.5));
  const change = (next: number) => {
    setHeight(next);
    storage.set('details', String(next));
  };
  return { height: Math.min(height || usual, max), max, usual, change };
}
