/** The columns in their order; the widths are those of a grid template. */
export const COLUMNS = [
  'job',
  'status',
  'run',
  'creator',
  'computer',
  'gpu',
  'source',
  'attempt',
  'duration',
  'created',
] as const;
export type Column = (typeof COLUMNS)[number];
export const ALL_COLUMNS: ReadonlySet<Column> = new Set(COLUMNS);

interface Measure {
  /** The least width in pixels. */
  min: number;
  /** Its share of what is left; 0: fixed. */
  grow: number;
  /** The lower, the sooner it goes when there is no room; undefined: never. */
  keep?: number;
}

export const MEASURES: Record<Column, Measure> = {
  job: { min: 84, grow: 0 },
  status: { min: 168, grow: 0.35 },
  run: { min: 210, grow: 1 },
  creator: { min: 108, grow: 0.1, keep: 4 },
  computer: { min: 112, grow: 0.15, keep: 6 },
  gpu: { min: 84, grow: 0.05, keep: 3 },
  source: { min: 112, grow: 0.1, keep: 1 },
  attempt: { min: 72, grow: 0, keep: 2 },
  duration: { min: 84, grow: 0, keep: 5 },
  created: { min: 84, grow: 0 },
};

/** The check box at the left and the ⋯ at the right. */
export const EDGES = { check: 38, actions: 42 };

/** The chosen columns that fit; the least important go first. */
export function fittingColumns(chosen: ReadonlySet<Column>, width: number): Column[] {
  let columns = COLUMNS.filter((column) => chosen.has(column));
  const needed = () => columns.reduce((sum, column) => sum + MEASURES[column].min, EDGES.check + EDGES.actions);
  while (needed() > width) {
    const droppable = columns.filter((column) => MEASURES[column].keep !== undefined);
    if (droppable.length === 0) break;
    const least = droppable.reduce((a, b) => ((MEASURES[a].keep ?? 0) < (MEASURES[b].keep ?? 0) ? a : b));
    columns = columns.filter((column) => column !== least);
  }
  return columns;
}

export function gridTemplate(columns: readonly Column[]): string {
  const tracks = columns.map((column) => {
    const { min, grow } = MEASURES[column];
    return grow === 0 ? `${min}px` : `minmax(${min}px, ${grow}fr)`;
  });
  return `${EDGES.check}px ${tracks.join(' ')} ${EDGES.actions}px`;
}

/** A job and its run are what a row is; the rest may be hidden. */
export const FIXED_COLUMNS: readonly Column[] = ['job', 'status', 'run'];
