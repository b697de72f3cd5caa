import clsx from 'clsx';
import {
  type CSSProperties,
  type MouseEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useRowWindow } from '@/lib/useRowWindow';
import { checkboxClass } from '@/ui';
import { type Column, fittingColumns, gridTemplate } from './columns';
import { JobRow } from './JobRow';
import type { JobList } from './jobList';
import { openMenuAt } from './openMenuAt';
import { addRange, everything, isSelected, none, only, type Selection, size, toggle } from './selection';
import { useGridKeys } from './useGridKeys';
import type { Row } from './useJobList';

const ROW_HEIGHT = 36;
const CARD_HEIGHT = 58;
const HEADER_HEIGHT = 32;
/** Under this width rows become cards. */
const CARDS_BELOW = 620;
/** Rows that hold the place of the next page. */
const PLACEHOLDERS = 24;

export interface GridHandle {
  isAtTop: () => boolean;
  /** Whether somebody is pointing at or typing in the list. */
  isInUse: () => boolean;
  scrollToTop: () => void;
  focus: () => void;
}

interface JobGridProps {
  ref?: Ref<GridHandle>;
  list: JobList<Row>;
  /** Changes with everything in the list. */
  version: number;
  ensure: (from: number, to: number) => void;
  /** How many match; for "select all" and for screen readers. */
  total: number;
  chosenColumns: ReadonlySet<Column>;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  openId: string | null;
  onOpen: (id: string | null) => void;
  onArray: (arrayId: string) => void;
  /** The menu opens for this job. */
  onContext: (id: string) => void;
  onAction: (action: 'STOP' | 'RERUN', id: string) => void;
  onLeave: () => void;
  /** Another list: back to the top. */
  resetKey: string;
}

/** A list of any length that the keyboard works as one: arrows move, Enter opens, X selects. */
export function JobGrid(props: JobGridProps) {
  const { list, ensure, total, selection, onSelect, openId, onOpen, onContext, resetKey } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const cards = width > 0 && width < CARDS_BELOW;
  const columns = fittingColumns(props.chosenColumns, width || 1200);
  const rowHeight = cards ? CARD_HEIGHT : ROW_HEIGHT;
  const headerHeight = cards ? 0 : HEADER_HEIGHT;
  const [activeId, setActiveId] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows above may have come and gone
  const active = useMemo(
    () => (activeId === null ? 0 : Math.max(0, list.indexOf(activeId))),
    [list, activeId, props.version],
  );
  const setActive = (index: number) => setActiveId(list.idAt(index) ?? null);
  /** Where a range starts: the job, as its place may change. */
  const anchor = useRef<string | null>(null);
  const pointerInside = useRef(false);

  const count = list.loaded ? list.length + (list.hasMore ? PLACEHOLDERS : 0) : PLACEHOLDERS;
  const { from, to, totalHeight, reveal } = useRowWindow({ scroller, count, rowHeight, headerHeight, overscan: 12 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in view may have been forgotten meanwhile
  useEffect(() => ensure(from, to), [ensure, from, to, props.version]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the list
  useEffect(() => {
    scroller.current?.scrollTo(0, 0);
    setActiveId(null);
    anchor.current = null;
  }, [resetKey]);

  useImperativeHandle(props.ref, () => ({
    isAtTop: () => (scroller.current?.scrollTop ?? 0) < 4,
    isInUse: () => pointerInside.current || scroller.current?.contains(document.activeElement) === true,
    scrollToTop: () => scroller.current?.scrollTo(0, 0),
    focus: () => scroller.current?.focus({ preventScroll: true }),
  }));

  const moveTo = (index: number) => {
    setActive(index);
    reveal(index);
  };
  const onKeyDown = useGridKeys({
    ...props,
    active,
    moveTo,
    anchor,
    pageRows: Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight),
  });

  const rowAt = (event: MouseEvent) => {
    const element = (event.target as HTMLElement).closest<HTMLElement>('[data-id]');
    if (!element?.dataset.id) return null;
    return { id: element.dataset.id, index: Number(element.dataset.index), element };
  };

  const onClick = (event: MouseEvent) => {
    const row = rowAt(event);
    if (!row) return;
    const target = event.target as HTMLElement;
    const array = target.closest<HTMLElement>('[data-array]')?.dataset.array;
    if (array) {
      props.onArray(array);
      return;
    }
    setActive(row.index);
    if (target.closest('[data-menu]')) {
      openMenuAt(target.closest('[data-menu]') as HTMLElement);
      return;
    }
    if (event.shiftKey) {
      const range = list.idsBetween(anchorIndex(list, anchor.current), row.index);
      onSelect(addRange(event.ctrlKey || event.metaKey ? selection : none, range));
    } else if (event.ctrlKey || event.metaKey || target.closest('[data-check]')) {
      anchor.current = row.id;
      onSelect(toggle(selection, row.id, list.allIds));
    } else {
      anchor.current = row.id;
      if (selection.all || selection.ids.size > 0) onSelect(none);
      onOpen(row.id === openId ? null : row.id);
    }
  };
  const onContextMenu = (event: MouseEvent) => {
    const row = rowAt(event);
    if (!row) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    setActive(row.index);
    if (!isSelected(selection, row.id)) onSelect(size(selection, total) > 1 ? only(row.id) : none);
    onContext(row.id);
  };

  const places = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  const selectedCount = size(selection, total);
  const described = list.idAt(active);
  const template = { '--job-columns': gridTemplate(columns) } as CSSProperties;
  return (
    <div
      ref={scroller}
      id="jobs-grid"
      role="grid"
      tabIndex={0}
      aria-label={t('jobs.grid')}
      aria-rowcount={list.hasMore ? -1 : count + 1}
      aria-colcount={columns.length + 2}
      aria-multiselectable
      aria-busy={!list.loaded}
      aria-activedescendant={described && list.get(described) ? `job-${described}` : undefined}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => {
        // Shift would select the text between.
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onPointerEnter={() => {
        pointerInside.current = true;
      }}
      onPointerLeave={() => {
        pointerInside.current = false;
        props.onLeave();
      }}
      onBlur={props.onLeave}
      className="group/grid relative min-h-0 flex-1 overflow-auto overflow-x-hidden outline-none focus-visible:outline-none"
      style={template}
    >
      <div role="rowgroup" className={clsx('sticky top-0 z-10', cards && 'sr-only')}>
        <HeaderRow
          columns={columns}
          checked={selectedCount > 0 && selectedCount >= total}
          partly={selectedCount > 0 && selectedCount < total}
          onToggle={() => onSelect(selectedCount > 0 ? none : everything)}
        />
      </div>
      <div role="rowgroup" className="relative" style={{ height: totalHeight }}>
        {places.map((index) => {
          const job = list.at(index);
          return (
            <JobRow
              key={index}
              job={job}
              index={index}
              top={index * rowHeight}
              height={rowHeight}
              columns={cards ? undefined : stable(columns)}
              selected={job !== undefined && isSelected(selection, job.id)}
              active={index === active}
              open={job !== undefined && job.id === openId}
              anySelected={selectedCount > 0}
              gone={job !== undefined && list.isGone(job.id)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface HeaderRowProps {
  columns: readonly Column[];
  checked: boolean;
  partly: boolean;
  onToggle: () => void;
}

function HeaderRow({ columns, checked, partly, onToggle }: HeaderRowProps) {
  const { t } = useTranslation();
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="grid h-8 grid-cols-(--job-columns) items-stretch border-b border-line bg-surface"
    >
      <div role="columnheader" className="flex items-center justify-center pl-1">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t('jobs.selectAll')}
          className={checkboxClass}
          checked={checked}
          ref={(element) => {
            if (element) element.indeterminate = partly;
          }}
          onChange={onToggle}
          onClick={(event) => event.stopPropagation()}
        />
      </div>
      {columns.map((column) => (
        <div
          key={column}
          role="columnheader"
          aria-sort={column === 'created' ? 'descending' : undefined}
          className={clsx(
            'flex min-w-0 items-center pr-3 text-xs font-medium whitespace-nowrap text-fg-3',
            (column === 'created' || column === 'duration') && 'justify-end',
          )}
        >
          <span className="truncate">{t(`jobs.column.${column}`)}</span>
        </div>
      ))}
      <div role="columnheader" className="flex items-center">
        <span className="sr-only">{t('jobs.column.actions')}</span>
      </div>
    </div>
  );
}

/** A range without a start begins at the first row. */
const anchorIndex = (list: JobList<Row>, id: string | null) => (id === null ? 0 : Math.max(0, list.indexOf(id)));

/** The same array object for the same columns, so that rows need not draw again. */
const kept = new Map<string, readonly Column[]>();
function stable(columns: readonly Column[]): readonly Column[] {
  const key = columns.join();
  const known = kept.get(key);
  if (known) return known;
  kept.set(key, columns);
  return columns;
}

function useWidth(element: { current: HTMLElement | null }) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return;
    setWidth(node.clientWidth);
    const observer = new ResizeObserver(() => setWidth(node.clientWidth));
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
