/** What the list needs to know of a row; the page puts its whole row type in. */
export interface ListedJob {
  id: string;
  createdAt: string;
}

export interface FetchedPage<Row> {
  rows: readonly Row[];
  endCursor: string | null;
  hasMore: boolean;
}

/** Reads a page, newest first, after a cursor. */
export type FetchPage<Row> = (after: string | null, first: number) => Promise<FetchedPage<Row>>;

export interface ListChange<Row> {
  changed: readonly Row[];
  removedIds: readonly string[];
}

interface Page {
  /** The cursor before its first row; null for the newest page. */
  after: string | null;
  ids: string[];
  loading: boolean;
  lastUsed: number;
}

/** Whether rows may be put in and taken out now, which moves the rows below them. */
export interface Movement {
  insert: boolean;
  remove: boolean;
}

export const PAGE_SIZE = 100;
/** Pages whose rows are kept in memory; of the others only the ids. */
const KEPT_PAGES = 8;
/** How near the end the next page is asked for. */
const AHEAD = 40;

/**
 * A list of any length, newest first, of which only the pages near the reader are in memory.
 *
 *   pending      new jobs that are not shown yet, so that rows do not move while somebody reads
 *   page 0       the newest rows, grows as new jobs come in
 *   page 1 …     appended while scrolling; far pages keep their ids and forget their rows
 *
 * Keyset cursors never shift: a page that was forgotten is read again after the same cursor.
 */
export class JobList<Row extends ListedJob> {
  private readonly rows = new Map<string, Row>();
  private readonly createdAt = new Map<string, string>();
  private readonly pending = new Map<string, Row>();
  private readonly gone = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private pages: Page[] = [];
  private endCursor: string | null = null;
  private clock = 0;
  private version = 0;
  /** Answers for an older question are dropped. */
  private epoch = 0;
  private appending = false;

  hasMore = true;
  loaded = false;
  failure: unknown = null;
  /** More came in than can be told apart: showing them means reading the list again. */
  overflow = false;

  constructor(private readonly fetchPage: FetchPage<Row>) {}

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };
  getVersion = () => this.version;

  get length() {
    let sum = 0;
    for (const page of this.pages) sum += page.ids.length;
    return sum;
  }

  get pendingCount() {
    return this.pending.size;
  }

  idAt(index: number): string | undefined {
    const place = this.place(index);
    return place?.page.ids[place.offset];
  }

  at(index: number): Row | undefined {
    const id = this.idAt(index);
    return id === undefined ? undefined : this.rows.get(id);
  }

  get(id: string): Row | undefined {
    return this.rows.get(id);
  }

  /** Still shown, though it no longer matches the filter or was deleted. */
  isGone(id: string) {
    return this.gone.has(id);
  }

  indexOf(id: string): number {
    let before = 0;
    for (const page of this.pages) {
      const offset = page.ids.indexOf(id);
      if (offset >= 0) return before + offset;
      before += page.ids.length;
    }
    return -1;
  }

  idsBetween(from: number, to: number): string[] {
    const ids: string[] = [];
    for (let i = Math.min(from, to); i <= Math.max(from, to); i++) {
      const id = this.idAt(i);
      if (id !== undefined) ids.push(id);
    }
    return ids;
  }

  allIds = () => this.pages.flatMap((page) => page.ids);

  /** Makes sure the rows in view are in memory, and the next page is on its way when the end is near. */
  ensure(from: number, to: number) {
    let before = 0;
    for (const page of this.pages) {
      const end = before + page.ids.length;
      if (end > from && before <= to) {
        page.lastUsed = ++this.clock;
        if (page.ids.some((id) => !this.rows.has(id))) void this.reload(page);
      }
      before = end;
    }
    if (to >= before - AHEAD) void this.append();
    this.forgetFarPages();
  }

  /** Reads the list from its beginning. */
  async restart() {
    this.epoch++;
    this.appending = false;
    this.failure = null;
    const epoch = this.epoch;
    try {
      const page = await this.fetchPage(null, PAGE_SIZE);
      if (epoch !== this.epoch) return;
      this.clear();
      this.addPage(null, page);
      this.loaded = true;
    } catch (error) {
      if (epoch !== this.epoch) return;
      this.failure = error;
    }
    this.changed();
  }

  /** Takes in what the server says has changed. */
  apply(change: ListChange<Row>, allowed: Movement) {
    for (const row of change.changed) {
      this.gone.delete(row.id);
      if (this.createdAt.has(row.id)) this.rows.set(row.id, row);
      else if (this.belongsToLoaded(row)) this.pending.set(row.id, row);
    }
    for (const id of change.removedIds) {
      this.pending.delete(id);
      if (this.createdAt.has(id)) this.gone.add(id);
    }
    this.settle(allowed);
    this.changed();
  }

  /** Puts changed rows where they are already shown, and nothing else. */
  update(rows: readonly Row[]) {
    for (const row of rows) if (this.rows.has(row.id)) this.rows.set(row.id, row);
    this.changed();
  }

  /** Shows what is pending and takes out what is gone. */
  settleNow(allowed: Movement = { insert: true, remove: true }) {
    if (this.pending.size === 0 && this.gone.size === 0) return;
    this.settle(allowed);
    this.changed();
  }

  /** Asks again for what is in view and for what came in at the top: after a lost connection, or instead of one. */
  async refresh(from: number, to: number, allowed: Movement) {
    if (!this.loaded) {
      await this.restart();
      return;
    }
    const epoch = this.epoch;
    try {
      const head = await this.fetchPage(null, PAGE_SIZE);
      if (epoch !== this.epoch) return;
      if (this.length > 0 && head.rows.length > 0 && !head.rows.some((row) => this.createdAt.has(row.id))) {
        if (allowed.insert) {
          await this.restart();
          return;
        }
        this.overflow = true;
      }
      this.failure = null;
      this.apply({ changed: head.rows, removedIds: [] }, allowed);
      await Promise.all(this.pagesIn(from, to).map((page) => this.reload(page)));
    } catch (error) {
      if (epoch === this.epoch) this.failure = error;
      this.changed();
    }
  }

  private clear() {
    this.pages = [];
    this.rows.clear();
    this.createdAt.clear();
    this.pending.clear();
    this.gone.clear();
    this.overflow = false;
    this.hasMore = true;
    this.endCursor = null;
  }

  private addPage(after: string | null, fetched: FetchedPage<Row>) {
    const fresh = fetched.rows.filter((row) => !this.createdAt.has(row.id));
    for (const row of fresh) this.remember(row);
    this.pages.push({ after, ids: fresh.map((row) => row.id), loading: false, lastUsed: ++this.clock });
    for (const row of fresh) this.pending.delete(row.id);
    this.endCursor = fetched.endCursor ?? this.endCursor;
    this.hasMore = fetched.hasMore;
  }

  private async append() {
    if (!this.loaded || !this.hasMore || this.appending) return;
    this.appending = true;
    const epoch = this.epoch;
    const after = this.endCursor;
    try {
      const fetched = await this.fetchPage(after, PAGE_SIZE);
      if (epoch !== this.epoch) return;
      this.addPage(after, fetched);
      this.failure = null;
    } catch (error) {
      if (epoch !== this.epoch) return;
      this.failure = error;
    }
    this.appending = false;
    this.changed();
  }

  private async reload(page: Page) {
    if (page.loading) return;
    page.loading = true;
    const epoch = this.epoch;
    try {
      const wanted = Math.min(200, Math.max(PAGE_SIZE, page.ids.length));
      const fetched = await this.fetchPage(page.after, wanted);
      if (epoch !== this.epoch) return;
      const mine = new Set(page.ids);
      const found = new Set<string>();
      for (const row of fetched.rows) {
        found.add(row.id);
        if (mine.has(row.id)) this.rows.set(row.id, row);
      }
      // Rows that the server no longer lists: forgotten ones go, ones that are being looked at stay until the list settles.
      const last = page.ids.at(-1);
      const oldest = (last && this.createdAt.get(last)) ?? '';
      const reachedEnd = !fetched.hasMore || (fetched.rows.at(-1)?.createdAt ?? '') <= oldest;
      for (const id of page.ids) {
        if (found.has(id) || !reachedEnd) continue;
        if (this.rows.has(id)) this.gone.add(id);
        else this.drop(page, id);
      }
    } catch {
      // It stays as it is; the next look asks again.
    }
    page.loading = false;
    this.changed();
  }

  private settle(allowed: Movement) {
    if (allowed.remove && this.gone.size > 0) {
      for (const page of this.pages) {
        for (const id of page.ids.filter((each) => this.gone.has(each))) this.drop(page, id);
      }
      this.gone.clear();
    }
    if (!allowed.insert) return;
    const fresh = [...this.pending.values()].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    for (const row of fresh) this.insert(row);
    this.pending.clear();
  }

  private insert(row: Row) {
    if (this.createdAt.has(row.id)) {
      this.rows.set(row.id, row);
      return;
    }
    const first = this.pages[0];
    if (!first) {
      this.pages.push({ after: null, ids: [row.id], loading: false, lastUsed: ++this.clock });
      this.remember(row);
      return;
    }
    for (const page of this.pages) {
      const offset = page.ids.findIndex((id) => (this.createdAt.get(id) ?? '') <= row.createdAt);
      if (offset < 0) continue;
      page.ids.splice(offset, 0, row.id);
      this.remember(row);
      return;
    }
    this.pages.at(-1)?.ids.push(row.id);
    this.remember(row);
  }

  /** A job older than everything loaded is found by scrolling on. */
  private belongsToLoaded(row: Row) {
    if (!this.loaded) return false;
    if (!this.hasMore) return true;
    const oldest = this.pages.at(-1)?.ids.at(-1);
    return oldest === undefined || row.createdAt > (this.createdAt.get(oldest) ?? '');
  }

  private remember(row: Row) {
    this.rows.set(row.id, row);
    this.createdAt.set(row.id, row.createdAt);
  }

  private drop(page: Page, id: string) {
    page.ids = page.ids.filter((each) => each !== id);
    this.rows.delete(id);
    this.createdAt.delete(id);
    this.gone.delete(id);
  }

  private forgetFarPages() {
    const [, ...others] = this.pages;
    const kept = others.filter((page) => page.ids.some((id) => this.rows.has(id)));
    if (kept.length < KEPT_PAGES) return;
    kept.sort((a, b) => a.lastUsed - b.lastUsed);
    for (const page of kept.slice(0, kept.length - KEPT_PAGES + 1)) {
      for (const id of page.ids) this.rows.delete(id);
    }
  }

  private pagesIn(from: number, to: number) {
    let before = 0;
    return this.pages.filter((page) => {
      const start = before;
      before += page.ids.length;
      return before > from && start <= to;
    });
  }

  private place(index: number) {
    let before = 0;
    for (const page of this.pages) {
      if (index < before + page.ids.length) return { page, offset: index - before };
      before += page.ids.length;
    }
    return undefined;
  }

  private changed() {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
