import { describe, expect, it } from 'vitest';
import { indexFrom, LogFilter } from './filter';
import { LogStore, type Part } from './store';
import { line, linesFrom } from './testLines';

const part = (lines: Part['lines'], totalLines?: number, ended = false): Part => {
  const finished = lines.filter((l) => !l.partial);
  const last = finished.at(-1)?.number ?? (lines[0]?.number ?? 1) - 1;
  return { lines, nextLine: last + 1, totalLines: totalLines ?? last, ended };
};
const numbers = (store: LogStore) => store.lines.map((l) => l.number);
const messages = (lines: readonly { message: string }[]) => lines.map((l) => l.message);

describe('LogStore', () => {
  it('ignores lines it has after a reconnect', () => {
    const store = new LogStore();
    store.append(part(linesFrom(1, 2)));
    expect(store.append(part(linesFrom(2, 3)))).toBe(true);
    expect(numbers(store)).toEqual([1, 2, 3]);
    expect(store.next).toBe(4);
  });
  it('replaces an unfinished last line in place', () => {
    const store = new LogStore();
    store.append(part([line(1, '10%', { partial: true })]));
    store.append(part([line(1, '20%', { partial: true })]));
    store.append(part([line(1, '100%', { level: 'ERROR' }), line(2)]));
    expect(messages(store.lines)).toEqual(['100%', 'line 2']);
    expect(store.counts).toEqual({ INFO: 1, WARNING: 0, ERROR: 1 });
  });
  it('adds nothing past a gap, and says so', () => {
    const store = new LogStore();
    store.append(part(linesFrom(1, 3)));
    expect(store.append(part(linesFrom(7, 9)))).toBe(false);
    expect(numbers(store)).toEqual([1, 2, 3]);
    expect(store.total).toBe(9);
    store.append(part(linesFrom(4, 9)));
    expect(numbers(store)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
  it('puts earlier lines before and counts levels', () => {
    const store = new LogStore();
    store.append(part([line(11, 'x', { level: 'ERROR' })], 11, true));
    store.prepend([line(9), line(10, 'w', { level: 'WARNING' }), line(11)]);
    expect(numbers(store)).toEqual([9, 10, 11]);
    expect(store.counts).toEqual({ INFO: 1, WARNING: 1, ERROR: 1 });
    expect(store.first()).toBe(9);
  });
  it('only counts what is printed while another part of the log is shown', () => {
    const store = new LogStore();
    store.append(part(linesFrom(91, 100)));
    store.replace(part(linesFrom(20, 30), 100), false);
    expect(store.append(part(linesFrom(101, 105)))).toBe(true);
    expect(numbers(store)).toEqual(linesFrom(20, 30).map((l) => l.number));
    expect(store.total).toBe(105);
    expect(store.next).toBe(31);
    expect([store.has(20), store.has(30), store.has(31)]).toEqual([true, true, false]);
  });
  it('drops the oldest lines of an endless log only while the newest end is held', () => {
    const store = new LogStore();
    store.append(part(linesFrom(1, 200_000)));
    store.append(part(linesFrom(200_001, 200_010)));
    expect(store.lines.length).toBe(200_010);
    store.following = true;
    store.append(part(linesFrom(200_011, 200_020)));
    expect(store.first()).toBe(50_021);
    expect(store.counts.INFO).toBe(150_000);
  });
});

describe('LogFilter', () => {
  it('M-78: keeps lines that hold the words, ignoring case and colours', () => {
    const store = new LogStore();
    store.append(part([line(1, '\x1b[31mLo\x1b[0mss 1'), line(2), line(3, 'LOSS 2')]));
    expect(messages(new LogFilter(store, 'loss', 'all').lines())).toEqual(['\x1b[31mLo\x1b[0mss 1', 'LOSS 2']);
  });
  it('M-77: keeps a level', () => {
    const store = new LogStore();
    store.append(part([line(1), line(2, 'w', { level: 'WARNING' }), line(3, 'e', { level: 'ERROR' })]));
    expect(messages(new LogFilter(store, '', 'WARNING').lines())).toEqual(['w']);
    expect(new LogFilter(store, '', 'all').lines()).toBe(store.lines);
  });
  it('follows what is added, replaced and put before', () => {
    const store = new LogStore();
    const filter = new LogFilter(store, 'hit', 'all');
    store.append(part([line(5, 'hit 5'), line(6, 'hit 6 part', { partial: true })]));
    expect(messages(filter.lines())).toEqual(['hit 5', 'hit 6 part']);
    store.append(part([line(6, 'miss'), line(7, 'hit 7')]));
    expect(messages(filter.lines())).toEqual(['hit 5', 'hit 7']);
    store.prepend([line(3, 'hit 3'), line(4)]);
    expect(messages(filter.lines())).toEqual(['hit 3', 'hit 5', 'hit 7']);
    store.append(part([line(8, 'hit 8')]));
    expect(messages(filter.lines())).toEqual(['hit 3', 'hit 5', 'hit 7', 'hit 8']);
  });
  it('leaves out what the server has found already', () => {
    const store = new LogStore();
    store.append(part(linesFrom(1, 6)));
    expect(new LogFilter(store, 'line', 'all', 5).lines().map((l) => l.number)).toEqual([5, 6]);
  });
});

describe('indexFrom', () => {
  it('finds a line, or the next one there is', () => {
    const lines = [line(2), line(4), line(8)];
    expect([1, 2, 3, 8, 9].map((n) => indexFrom(lines, n))).toEqual([0, 0, 1, 2, 3]);
  });
});
