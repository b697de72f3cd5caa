import { expect, it } from 'vitest';
import { formatAgo, formatBytes, formatCompact, formatDuration, formatMib, formatRough } from './format';

it('writes durations the same everywhere', () => {
  expect(formatDuration(2, 'en')).toBe('0:02');
  expect(formatDuration(4110, 'en')).toBe('1:08:30');
  expect(formatDuration(3 * 86_400 + 4 * 3600 + 59, 'en')).toBe('3 d 4 h');
  expect(formatDuration(3 * 86_400 + 4 * 3600, 'ja')).toBe('3日 4時間');
  expect(formatDuration(-5, 'en')).toBe('0:00');
});

it('says roughly how long', () => {
  expect(formatRough(40, 'en')).toBe('40s');
  expect(formatRough(6020, 'en')).toBe('1h 40m');
  expect(formatRough(7200, 'ja')).toBe('2時間');
  expect(formatRough(3 * 86_400 + 4 * 3600, 'ja')).toBe('3日4時間');
});

it('counts exactly below 100,000', () => {
  expect(formatCompact(99_999, 'en')).toBe('99,999');
  expect(formatCompact(100_000, 'en')).toBe('100K');
  expect(formatCompact(100_000, 'ja')).toBe('10万');
});

it('says how long ago', () => {
  const now = Date.parse('2026-11-29T10:00:00Z');
  expect(formatAgo('2026-11-29T09:59:58Z', now, 'en', 'now')).toBe('now');
  expect(formatAgo('2026-11-29T09:59:50Z', now, 'en', 'now')).toBe('10s ago');
  expect(formatAgo('2026-11-29T07:00:00Z', now, 'ja', '今')).toMatch(/^3\s?時間前$/);
  expect(formatAgo('2026-11-29T11:00:00Z', now, 'en', 'now')).toBe('now');
});

it('writes sizes', () => {
  expect(formatMib(512, 'en')).toBe('512 MiB');
  expect(formatMib(49_140, 'en')).toBe('48 GiB');
  expect(formatBytes(999, 'en')).toBe('999 B');
  expect(formatBytes(1_234_567, 'en')).toBe('1.2 MB');
});
