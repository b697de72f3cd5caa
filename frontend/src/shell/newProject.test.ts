import { expect, it } from 'vitest';
import { keyFromName } from './NewProjectDialog';

it('makes a key of a name', () => {
  expect(keyFromName('Night runs 2')).toBe('night-runs-2');
  expect(keyFromName('  Über — Größe ')).toBe('ber-gr-e');
  expect(keyFromName('夜間バッチ')).toBe('');
  expect(keyFromName('x'.repeat(60))).toHaveLength(40);
});
