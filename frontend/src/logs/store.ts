import type { LogLevel } from '@/api/generated/graphql';
import { stripAnsi } from './ansi';

export interface Line {
  number: number;
  time: string;
  level: LogLevel;
  message: string;
  partial: boolean;
}

export interface Counts {
  WARNING: number;
  ERROR: number;
}

/** The loaded part of a log: lines without a gap, outside the GraphQL cache. Tells its listeners at most once a frame. */
export class LogStore {
  lines: Line[] = [];
  /** What is searched: the text without colours, in lower case. */
  private plain: string[] = [];
  counts: Counts = { WARNING: 0, ERROR: 0 };
  /** Lines in the whole log. */
  total = 0;
  /** The line to ask for next. */
  next = 1;
  ended = false;
  loaded = false;
  version = 0;
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

  /** Adds what comes at the end. Lines that are there already are ignored, but for an unfinished one, which is replaced. */
  append(fresh: readonly Line[], next: number, total: number, ended: boolean) {
    for (const line of fresh) {
      const last = this.lines.at(-1);
      if (last?.partial && line.number === last.number) this.pop();
      else if (last && line.number <= last.number) continue;
      this.push(line);
    }
    this.next = Math.max(this.next, next);
    this.total = Math.max(this.total, total);
    this.ended ||= ended;
    this.loaded = true;
    this.tell();
  }

  /** Adds earlier lines before the first. */
  prepend(earlier: readonly Line[]) {
    const first = this.first();
    const fresh = earlier.filter((line) => line.number < first);
    this.lines = [...fresh, ...this.lines];
    this.plain = [...fresh.map(searchable), ...this.plain];
    for (const line of fresh) this.count(line, 1);
    this.tell();
  }

  /** Indices of the lines that hold a text, ignoring case. */
  search(text: string): number[] {
    const wanted = text.toLowerCase();
    const hits: number[] = [];
    if (wanted === '') return hits;
    for (let i = 0; i < this.plain.length; i++) if ((this.plain[i] as string).includes(wanted)) hits.push(i);
    return hits;
  }

  private push(line: Line) {
    this.lines.push(line);
    this.plain.push(searchable(line));
    this.count(line, 1);
  }

  private pop() {
    const line = this.lines.pop();
    this.plain.pop();
    if (line) this.count(line, -1);
  }

  private count(line: Line, by: number) {
    if (line.level !== 'INFO') this.counts[line.level] += by;
  }

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

const searchable = (line: Line) => stripAnsi(line.message).toLowerCase();
