import { useState } from 'react';
import { storage } from '@/lib/storage';
import { ALL_COLUMNS, COLUMNS, type Column, FIXED_COLUMNS } from './columns';

/** The columns this browser's owner wants to see. */
export function useColumns() {
  const [columns, setColumns] = useState<ReadonlySet<Column>>(() => {
    const hidden = new Set(storage.get('hiddenColumns')?.split(',') ?? []);
    return hidden.size === 0
      ? ALL_COLUMNS
      : new Set(COLUMNS.filter((column) => !hidden.has(column) || FIXED_COLUMNS.includes(column)));
  });
  const change = (next: ReadonlySet<Column>) => {
    setColumns(next);
    storage.set('hiddenColumns', COLUMNS.filter((column) => !next.has(column)).join(','));
  };
  return [columns, change] as const;
}
