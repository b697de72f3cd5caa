import { describe, expect, it } from 'vitest';
import { parseAnsi, stripAnsi } from './ansi';
import { type Line, LogStore } from './store';

const line = (number: number, message = `line ${number}`, more: Partial<Line> = {}): Line => ({
  number,
  message,
  time: '2026-12-01T00:00:00.000000Z',
  level: 'INFO',
  partial: false,
  ...more,
});

describe('ansi', () => {
  it('keeps colour across text and resets it', () => {
    expect(parseAnsi('\x1b[1;31mbad\x1b[0m ok')).toEqual([
      { text: 'bad', className: 'a1 a-b' },
      { text: ' ok', className: '' },
    ]);
  });
  it('reads 256 and true colours', () => {
    expect(parseAnsi('\x1b[38;5;196mx')[0]?.style).toEqual({ color: 'rgb(255 0 0)' });
    expect(parseAnsi('\x1b[38;2;1;2;3mx')[0]?.style).toEqual({ color: 'rgb(1 2 3)' });
  });
  it('drops whatever is no colour', () => {
    expect(stripAnsi('\x1b[2K\x1b]0;title\x07hi\x1b[1A')).toBe('hi');
  });
});

describe('LogStore', () => {
  it('ignores lines it has after a reconnect', () => {
    const store = new LogStore();
    store.append([line(1), line(2)], 3, 2, false);
    store.append([line(2), line(3)], 4, 3, false);
    expect(store.lines.map((l) => l.number)).toEqual([1, 2, 3]);
  });
  it('replaces an unfinished last line in place', () => {
    const store = new LogStore();
    store.append([line(1, '10%', { partial: true })], 1, 0, false);
    store.append([line(1, '20%', { partial: true })], 1, 0, false);
    store.append([line(1, '100%'), line(2)], 3, 2, false);
    expect(store.lines.map((l) => l.message)).toEqual(['100%', 'line 2']);
  });
  it('puts earlier lines before and counts levels', () => {
    const store = new LogStore();
    store.append([line(11, 'x', { level: 'ERROR' })], 12, 11, true);
    store.prepend([line(9), line(10, 'w', { level: 'WARNING' }), line(11)]);
    expect(store.lines.map((l) => l.number)).toEqual([9, 10, 11]);
    expect(store.counts).toEqual({ WARNING: 1, ERROR: 1 });
    expect(store.first()).toBe(9);
  });
  it('M-78: searches ignoring case, through colours', () => {
    const store = new LogStore();
    store.append([line(1, '\x1b[31mLo\x1b[0mss 1'), line(2), line(3, 'LOSS 2')], 4, 3, true);
    expect(store.search('loss')).toEqual([0, 2]);
  });
});
