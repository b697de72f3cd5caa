import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { ListFilter, Plus, SlidersHorizontal, X } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from 'urql';
import type { JobStatus } from '@/api/generated/graphql';
import { formatCompact, formatInt } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { useMedia } from '@/lib/useMedia';
import { Button, IconButton, Menu, type MenuEntry, SearchInput, StatusGlyph } from '@/ui';
import { COLUMNS, type Column, FIXED_COLUMNS } from './columns';
import { RUN_KINDS, statusesOf, statusParam } from './filters';
import { personName, statusLook } from './look';
import { JobFilterChoicesQuery } from './queries';
import { JOB_STATUSES, type JobsSearch } from './search';
import type { Count, useJobCounts } from './useJobCounts';

type Counts = ReturnType<typeof useJobCounts>;
type Change = (change: Partial<JobsSearch>) => void;

interface JobsToolbarProps {
  project: string;
  search: JobsSearch;
  onChange: Change;
  counts: Counts;
  total: Count;
  /** The name of the array the list is narrowed to, once known. */
  arrayName: string | undefined;
  text: string;
  onText: (text: string) => void;
  searchRef: Ref<HTMLInputElement>;
  onLeaveSearch: () => void;
  onLaunch: (() => void) | null;
  columns: ReadonlySet<Column>;
  onColumns: (columns: ReadonlySet<Column>) => void;
}

export function JobsToolbar(props: JobsToolbarProps) {
  const { t } = useTranslation();
  const lang = useLang();
  const { counts, total, search, onChange } = props;
  const phone = useMedia('(max-width: 620px)');
  return (
    <>
      <header className="flex h-14 shrink-0 items-center gap-3 px-5 max-[620px]:h-12 max-[620px]:px-4">
        <h1 className="text-lg font-semibold tracking-[-0.01em]">{t('jobs.title')}</h1>
        <span className="text-sm text-fg-3 tnum">{counts.loaded ? countText(total, lang, t) : ''}</span>
        {!phone && (
          <SearchInput
            ref={props.searchRef}
            kbd="/"
            label={t('jobs.filterPlaceholder')}
            value={props.text}
            onChange={props.onText}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' && event.key !== 'Enter') return;
              if (event.nativeEvent.isComposing) return;
              if (event.key === 'Escape') props.onText('');
              props.onLeaveSearch();
            }}
            className="ml-auto w-[320px]"
          />
        )}
        {props.onLaunch && (
          <Button
            variant="primary"
            icon={<Plus />}
            onClick={props.onLaunch}
            aria-keyshortcuts="L"
            className="max-[620px]:ml-auto"
          >
            {t('jobs.launch')}
          </Button>
        )}
      </header>
      {phone && (
        <div className="shrink-0 px-4 pb-2">
          <SearchInput label={t('jobs.filterPlaceholder')} value={props.text} onChange={props.onText} />
        </div>
      )}
      <div className="flex h-10 shrink-0 items-center gap-0.5 border-y border-line px-3.5 max-[620px]:px-2">
        <StatusTabs search={search} onChange={onChange} counts={counts} />
        <div className="ml-auto flex shrink-0 items-center gap-1">
          <FilterMenu project={props.project} search={search} onChange={onChange} />
          <ColumnMenu columns={props.columns} onColumns={props.onColumns} />
        </div>
      </div>
      <Chips project={props.project} search={search} onChange={onChange} arrayName={props.arrayName} />
    </>
  );
}

const countText = (count: Count, lang: string, t: TFunction) =>
  count.atLeast ? t('jobs.atLeast', { count: count.count }) : formatInt(count.count, lang);

interface StatusTabsProps {
  search: JobsSearch;
  onChange: Change;
  counts: Counts;
}

/** One press shows one status; with Ctrl several. */
function StatusTabs({ search, onChange, counts }: StatusTabsProps) {
  const { t } = useTranslation();
  const chosen = statusesOf(search);
  const choose = (status: JobStatus, several: boolean) => {
    const isOn = chosen.includes(status);
    const others = chosen.filter((each) => each !== status);
    const next = several ? (isOn ? others : [...chosen, status]) : isOn && chosen.length === 1 ? [] : [status];
    onChange({ status: statusParam(JOB_STATUSES.filter((each) => next.includes(each))) });
  };
  return (
    <div
      role="group"
      aria-label={t('jobs.statusFilter')}
      className="flex min-w-0 items-center gap-0.5 overflow-x-auto [scrollbar-width:none]"
    >
      <StatusTab
        label={t('jobs.all')}
        count={counts.all}
        on={chosen.length === 0}
        onPress={() => onChange({ status: undefined })}
      />
      {JOB_STATUSES.map((status) => (
        <StatusTab
          key={status}
          glyph={<StatusGlyph look={statusLook(status)} percent={70} />}
          label={t(`common.status.${status}`)}
          count={counts.of([status])}
          on={chosen.includes(status)}
          onPress={(several) => choose(status, several)}
        />
      ))}
    </div>
  );
}

interface StatusTabProps {
  glyph?: ReactNode;
  label: string;
  count: Count;
  on: boolean;
  onPress: (several: boolean) => void;
}

function StatusTab({ glyph, label, count, on, onPress }: StatusTabProps) {
  const { t } = useTranslation();
  const lang = useLang();
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={(event) => onPress(event.ctrlKey || event.metaKey)}
      className={clsx(
        'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs font-medium whitespace-nowrap transition-colors duration-100 focus-visible:outline-offset-[-2px]',
        on ? 'bg-accent-soft text-accent-text' : 'text-fg-2 hover:bg-hover hover:text-fg',
      )}
    >
      {glyph}
      {label}
      <span className={clsx('tnum', on ? 'text-accent-text' : 'font-normal text-fg-3')}>
        {count.atLeast ? t('jobs.atLeast', { count: count.count }) : formatCompact(count.count, lang)}
      </span>
    </button>
  );
}

interface FilterMenuProps {
  project: string;
  search: JobsSearch;
  onChange: Change;
}

function FilterMenu({ project, search, onChange }: FilterMenuProps) {
  const { t } = useTranslation();
  const [{ data }] = useQuery({ query: JobFilterChoicesQuery, variables: { project } });
  const none: MenuEntry[] = [{ id: 'none', label: t('common.none'), disabled: true }];
  const people = (data?.project?.people ?? []).map<MenuEntry>((person) => ({
    id: person.id,
    label: personName(person),
    checked: search.person === person.id,
    run: () => onChange({ person: search.person === person.id ? undefined : person.id }),
  }));
  const computers = (data?.project?.computers.nodes ?? []).map<MenuEntry>((computer) => ({
    id: computer.id,
    label: computer.name,
    checked: search.computer === computer.name,
    run: () => onChange({ computer: search.computer === computer.name ? undefined : computer.name }),
  }));
  const kinds = RUN_KINDS.map<MenuEntry>((kind) => ({
    id: kind,
    label: t(`common.kind.${kind}`),
    checked: search.kind?.toUpperCase() === kind,
    run: () => onChange({ kind: search.kind?.toUpperCase() === kind ? undefined : kind.toLowerCase() }),
  }));
  const entries: MenuEntry[] = [
    { id: 'computer', label: t('jobs.filterComputer'), sub: computers.length > 0 ? computers : none },
    { id: 'person', label: t('jobs.filterPerson'), sub: people.length > 0 ? people : none },
    { id: 'kind', label: t('jobs.filterKind'), sub: kinds },
  ];
  return (
    <Menu
      entries={entries}
      trigger={
        <Button variant="ghost" size="sm" icon={<ListFilter />}>
          <span className="max-[1180px]:sr-only">{t('jobs.filter')}</span>
        </Button>
      }
    />
  );
}

interface ColumnMenuProps {
  columns: ReadonlySet<Column>;
  onColumns: (columns: ReadonlySet<Column>) => void;
}

function ColumnMenu({ columns, onColumns }: ColumnMenuProps) {
  const { t } = useTranslation();
  const change = (column: Column) => {
    const next = new Set(columns);
    if (!next.delete(column)) next.add(column);
    onColumns(next);
  };
  return (
    <Menu
      header={<div className="px-2 pt-1 pb-1.5 text-xs font-medium text-fg-3">{t('jobs.columns')}</div>}
      entries={COLUMNS.filter((column) => !FIXED_COLUMNS.includes(column)).map((column) => ({
        id: column,
        label: t(`jobs.column.${column}`),
        checked: columns.has(column),
        run: () => change(column),
      }))}
      trigger={
        <Button variant="ghost" size="sm" icon={<SlidersHorizontal />} className="max-[620px]:hidden">
          <span className="max-[1180px]:sr-only">{t('jobs.display')}</span>
        </Button>
      }
    />
  );
}

/** What narrows the list beyond the status, each to be taken away. */
function Chips({ project, search, onChange, arrayName }: FilterMenuProps & { arrayName: string | undefined }) {
  const { t } = useTranslation();
  const [{ data }] = useQuery({ query: JobFilterChoicesQuery, variables: { project } });
  const person = data?.project?.people.find((each) => each.id === search.person);
  const kind = RUN_KINDS.find((each) => each === search.kind?.toUpperCase());
  const chips: { key: keyof JobsSearch; name: string; value: string }[] = [];
  if (search.computer) chips.push({ key: 'computer', name: t('jobs.filterComputer'), value: search.computer });
  if (search.person) {
    chips.push({
      key: 'person',
      name: t('jobs.filterPerson'),
      value: person ? personName(person) : t('jobs.unknown'),
    });
  }
  if (kind) chips.push({ key: 'kind', name: t('jobs.filterKind'), value: t(`common.kind.${kind}`) });
  if (search.array)
    chips.push({ key: 'array', name: t('jobs.filterArray'), value: arrayName ?? search.array.slice(0, 8) });
  if (chips.length === 0) return null;
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-5 py-1 max-[620px]:px-4">
      {chips.map((chip) => (
        <span
          key={chip.key}
          className="inline-flex h-6 items-center gap-1 rounded-md bg-accent-soft pl-2 text-xs text-accent-text"
        >
          {chip.name}: <b className="font-medium">{chip.value}</b>
          <IconButton
            size="xs"
            label={t('jobs.removeFilter', { name: chip.name })}
            className="text-accent-text!"
            onClick={() => onChange({ [chip.key]: undefined })}
          >
            <X />
          </IconButton>
        </span>
      ))}
      <Button
        variant="ghost"
        size="sm"
        onClick={() => onChange({ computer: undefined, person: undefined, kind: undefined, array: undefined })}
      >
        {t('jobs.clearFilters')}
      </Button>
    </div>
  );
}
