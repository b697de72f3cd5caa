import type { LogLevel } from '@/api/generated/graphql';
import type { Line, LogStore } from './store';

export type LevelChoice = 'all' | LogLevel;

/** The lines of a store that hold a text and have a level. New lines are looked at once, not all of them at every change. */
export class LogFilter {
  private out: Line[] = [];
  /** Finished lines up to this index were looked at. */
  private done = 0;
  private epoch = -1;

  constructor(
    private readonly store: LogStore,
    private readonly wanted: string,
    private readonly level: LevelChoice,
    /** Only lines from this number on. */
    private readonly from = 0,
  ) {}

  lines(): readonly Line[] {
    const { store } = this;
    if (this.wanted === '' && this.level === 'all' && this.from === 0) return store.lines;
    if (this.epoch !== store.epoch || this.done > store.lines.length) {
      this.out = [];
      this.done = 0;
      this.epoch = store.epoch;
    }
    // An unfinished line may have become another since.
    const first = store.lines[this.done]?.number ?? Number.POSITIVE_INFINITY;
    while ((this.out.at(-1)?.number ?? 0) >= first) this.out.pop();
    for (let i = this.done; i < store.lines.length; i++) {
      const line = store.lines[i] as Line;
      if (this.matches(line, i)) this.out.push(line);
      if (!line.partial) this.done = i + 1;
    }
    return this.out;
  }

  private matches(line: Line, index: number): boolean {
    if (this.level !== 'all' && line.level !== this.level) return false;
    if (line.number < this.from) return false;
    return this.wanted === '' || this.store.searchable(index).includes(this.wanted);
  }
}

/** The index of the first line with that number or a later one. */
export function indexFrom(lines: readonly Line[], number: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] as Line).number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
