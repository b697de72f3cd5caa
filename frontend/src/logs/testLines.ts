import type { Line } from './store';

/** A line for tests. */
export const line = (number: number, message = `line ${number}`, more: Partial<Line> = {}): Line => ({
  number,
  message,
  time: '2026-12-01T00:00:00.000000Z',
  level: 'INFO',
  stream: 'STDOUT',
  partial: false,
  cut: false,
  ...more,
});

export const linesFrom = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => line(from + i));
