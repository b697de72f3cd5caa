import {
  ArrowDownToLine,
  ArrowDownUp,
  ChevronDown,
  ChevronUp,
  Clock,
  Download,
  Ellipsis,
  WrapText,
} from 'lucide-react';
import type { KeyboardEvent, ReactElement, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCompact } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { useMedia } from '@/lib/useMedia';
import { IconButton, Menu, type MenuEntry, SearchInput, Segmented, Toggle } from '@/ui';
import { IconToggle } from '@/ui/IconToggle';
import type { LevelChoice } from './filter';
import type { Counts } from './store';

interface LogToolbarProps {
  input: Ref<HTMLInputElement>;
  text: string;
  onText: (text: string) => void;
  /** How many lines hold the text, and which of them is the current one, from 1; null: nothing is searched. */
  matching: { count: number; at: number | null } | null;
  onStep: (by: 1 | -1) => void;
  level: LevelChoice;
  onLevel: (level: LevelChoice) => void;
  counts: Counts;
  times: boolean;
  wrap: boolean;
  newestFirst: boolean;
  onLook: (look: { times?: boolean; wrap?: boolean; newestFirst?: boolean }) => void;
  follow: boolean;
  onFollow: (follow: boolean) => void;
  /** Lines may still come. */
  live: boolean;
  /** Where the log can be downloaded from. */
  file: (query: string) => string;
  narrow: boolean;
}

/** A download that fails must not lead away from the page. */
function save(url: string) {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

export function LogToolbar(props: LogToolbarProps): ReactElement {
  const { matching, onText, narrow } = props;
  const { t } = useTranslation();
  const tight = useMedia('(max-width: 1240px)');
  const Show = tight || matching ? IconToggle : Toggle;
  const onSearchKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      props.onStep(event.shiftKey ? -1 : 1);
    }
    if (event.key === 'Escape' && props.text) {
      event.stopPropagation();
      onText('');
    }
  };
  const downloads: MenuEntry[] = [
    { id: 'lines', label: t('logs.downloadLines'), icon: <Download />, run: () => save(props.file('')) },
    { id: 'raw', label: t('logs.downloadRaw'), icon: <Download />, run: () => save(props.file('?format=raw')) },
  ];
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-1.5 gap-y-1 border-b border-line bg-surface px-3 py-1.5">
      <SearchInput
        ref={props.input}
        size="sm"
        label={t('logs.search')}
        value={props.text}
        onChange={onText}
        onKeyDown={onSearchKey}
        {...(narrow ? {} : { kbd: 'Ctrl F' })}
        className={narrow ? 'min-w-0 flex-1' : 'w-64'}
      />
      {matching && (
        <span className="flex items-center gap-0.5 text-xs whitespace-nowrap text-fg-2 tnum">
          <span role="status" className="px-1">
            {t('logs.matching', { count: matching.count })}
          </span>
          {matching.at !== null && <span className="text-fg-3">{`${matching.at} / ${matching.count}`}</span>}
          <IconButton size="xs" label={t('logs.previous')} kbd="⇧ ↵" onClick={() => props.onStep(-1)}>
            <ChevronUp />
          </IconButton>
          <IconButton size="xs" label={t('logs.next')} kbd="↵" onClick={() => props.onStep(1)}>
            <ChevronDown />
          </IconButton>
        </span>
      )}
      <Levels {...props} />
      <span className="ml-auto" />
      {narrow ? (
        <Menu
          trigger={
            <IconButton label={t('logs.view')}>
              <Ellipsis />
            </IconButton>
          }
          entries={[...looks(), { id: 'line' }, ...downloads]}
        />
      ) : (
        <>
          <Show
            pressed={props.newestFirst}
            onChange={(newestFirst) => props.onLook({ newestFirst })}
            icon={<ArrowDownUp />}
            label={t('logs.newestFirst')}
          />
          <Show
            pressed={props.times}
            onChange={(times) => props.onLook({ times })}
            icon={<Clock />}
            label={t('logs.times')}
          />
          <Show
            pressed={props.wrap}
            onChange={(wrap) => props.onLook({ wrap })}
            icon={<WrapText />}
            label={t('logs.wrap')}
          />
        </>
      )}
      <Toggle
        pressed={props.follow}
        onChange={props.onFollow}
        icon={<ArrowDownToLine />}
        label={t('logs.follow')}
        live={props.live}
      />
      {!narrow && (
        <Menu
          trigger={
            <IconButton label={t('logs.download')}>
              <Download />
            </IconButton>
          }
          entries={downloads}
        />
      )}
    </div>
  );

  function looks(): MenuEntry[] {
    const { times, wrap, newestFirst, onLook } = props;
    return [
      { id: 'times', label: t('logs.times'), checked: times, run: () => onLook({ times: !times }) },
      { id: 'wrap', label: t('logs.wrap'), checked: wrap, run: () => onLook({ wrap: !wrap }) },
      {
        id: 'order',
        label: t('logs.newestFirst'),
        checked: newestFirst,
        run: () => onLook({ newestFirst: !newestFirst }),
      },
    ];
  }
}

function Levels({ level, onLevel, counts, narrow }: LogToolbarProps) {
  const { t } = useTranslation();
  const lang = useLang();
  const count = (n: number) => formatCompact(n, lang);
  const all = counts.INFO + counts.WARNING + counts.ERROR;
  return (
    <Segmented<LevelChoice>
      label={t('logs.level')}
      value={level}
      onChange={onLevel}
      options={[
        { value: 'all', label: narrow ? t('logs.all') : t('logs.allLevels'), count: count(all) },
        { value: 'INFO', label: t('logs.info'), ...(narrow ? {} : { count: count(counts.INFO) }) },
        { value: 'WARNING', label: t('logs.warning'), count: count(counts.WARNING), tone: 'warn' },
        { value: 'ERROR', label: t('logs.error'), count: count(counts.ERROR), tone: 'error' },
      ]}
    />
  );
}
