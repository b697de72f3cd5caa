import type { LogLevel, LogStream } from '@/api/generated/graphql';
import { stripAnsi } from './ansi';

export interface Line {
  number: number;
  time: string;
  level: LogLevel;
  stream: LogStream;
  message: string;
  partial: boolean;
  /** It was too long and goes on in the next line. */
  cut: boolean;
}

/** A part of the log as the server answers. */
export interface Part {
  lines: readonly Line[];
  nextLine: number;
  totalLines: number;
  ended?: boolean;
}

export type Counts = Record<LogLevel, number>;

/** Past this many loaded lines the oldest are dropped while the reader follows the newest end. */
const FULL = 200_000;
const AFTER_DROP = 150_000;

/**
 * The loaded part of a log: lines in order, without a gap, outside the GraphQL cache. As a rule it reaches to the end of the log and
 * grows with it; after a jump to a line far back it does not (`atEnd` is false), and what is printed meanwhile is only counted.
 */
export class LogStore {
  lines: Line[] = [];
  counts: Counts = { INFO: 0, WARNING: 0, ERROR: 0 };
  /** Lines in the whole log. */
  total = 0;
  /** The line to ask for next. */
  next = 1;
  ended = false;
  loaded = false;
  atEnd = true;
  /** The reader holds the newest end, so that old lines may go. */
  following = false;
  /** Grows with every change that listeners were told of. */
  version = 0;
  /** Grows when lines change that were there before: what is derived from them must start again. */
  epoch = 0;
  private plain: string[] = [];
  private listeners = new Set<() => void>();
  private scheduled = false;

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  snapshot = () => this.version;

  first = () => this.lines[0]?.number ?? this.next;

  has = (line: number) => this.lines.length > 0 && line >= this.first() && line < this.first() + this.lines.length;

  /**
   * Adds what comes at the end. Lines that are there already are ignored, but for an unfinished one, which is replaced. False: lines
   * between are missing and must be read first; nothing was added.
   */
  append(part: Part): boolean {
    this.total = Math.max(this.total, part.totalLines);
    this.ended ||= part.ended ?? false;
    this.loaded = true;
    const from = part.lines[0]?.number;
    if (!this.atEnd || (from !== undefined && from > this.next && this.lines.length > 0)) {
      this.tell();
      return !this.atEnd;
    }
    for (const line of part.lines) {
      const last = this.lines.at(-1);
      if (last?.partial && line.number === last.number) this.pop();
      else if (last && line.number <= last.number) continue;
      this.push(line);
    }
    this.next = Math.max(this.next, part.nextLine);
    if (this.following && this.lines.length > FULL) this.dropOldest(this.lines.length - AFTER_DROP);
    this.tell();
    return true;
  }

  /** Adds earlier lines before the first. */
  prepend(earlier: readonly Line[]) {
    const first = this.first();
    const fresh = earlier.filter((line) => line.number < first);
    if (fresh.length === 0) return;
    this.lines = [...fresh, ...this.lines];
    this.plain = [];
    for (const line of fresh) this.counts[line.level]++;
    this.epoch++;
    this.tell();
  }

  /** Shows another part of the log instead. */
  replace(part: Part, atEnd: boolean) {
    this.lines = [];
    this.plain = [];
    this.counts = { INFO: 0, WARNING: 0, ERROR: 0 };
    for (const line of part.lines) this.push(line);
    this.total = Math.max(this.total, part.totalLines);
    this.next = part.nextLine;
    this.atEnd = atEnd;
    this.epoch++;
    this.tell();
  }

  /** What is searched in a line: its text without colours, in lower case. Made when it is first asked for. */
  searchable(index: number): string {
    for (let i = this.plain.length; i <= index; i++)
      this.plain.push(stripAnsi(this.lines[i]?.message ?? '').toLowerCase());
    return this.plain[index] as string;
  }

  private push(line: Line) {
    this.lines.push(line);
    this.counts[line.level]++;
  }

  private pop() {
    const line = this.lines.pop();
    if (line) this.counts[line.level]--;
    if (this.plain.length > this.lines.length) this.plain.length = this.lines.length;
  }

  private dropOldest(n: number) {
    for (const line of this.lines.slice(0, n)) this.counts[line.level]--;
    this.lines = this.lines.slice(n);
    this.plain = [];
    this.epoch++;
  }

  /** At most once a frame; a hidden page has no frames and is told when it is seen again. */
  private tell() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.version++;
      for (const listener of this.listeners) listener();
    });
  }
}
