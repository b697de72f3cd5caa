// All numbers and times go through Intl with the active language; the formatters are kept, they are slow to make.
const kept = new Map<string, unknown>();
function keep<T>(key: string, make: () => T): T {
  let value = kept.get(key) as T | undefined;
  if (value === undefined) {
    value = make();
    kept.set(key, value);
  }
  return value;
}

export const formatInt = (n: number, lang: string) => keep(`int ${lang}`, () => new Intl.NumberFormat(lang)).format(n);

/** Compact (100K, 10万) only from 100,000 up: below, people compare exact numbers. */
export const formatCompact = (n: number, lang: string) =>
  n < 100_000
    ? formatInt(n, lang)
    : keep(
        `compact ${lang}`,
        () => new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 }),
      ).format(n);

const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

/** 14:03:59 */
export const formatClock = (iso: string, lang: string) =>
  keep(`clock ${lang}`, () => new Intl.DateTimeFormat(lang, TIME)).format(new Date(iso));

/** Nov 29, 14:03 */
export const formatDateTime = (iso: string, lang: string) =>
  keep(
    `date ${lang}`,
    () =>
      new Intl.DateTimeFormat(lang, {
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
  ).format(new Date(iso));

/** Exact, with seconds and zone: what a relative time shows on hover. */
export const formatExact = (iso: string, lang: string) =>
  keep(
    `exact ${lang}`,
    () =>
      new Intl.DateTimeFormat(lang, {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        ...TIME,
        timeZoneName: 'short',
      }),
  ).format(new Date(iso));

/** Nov 29 */
export const formatDay = (iso: string, lang: string) =>
  keep(`short day ${lang}`, () => new Intl.DateTimeFormat(lang, { month: 'short', day: 'numeric' })).format(
    new Date(iso),
  );

export const formatDate = (iso: string, lang: string) =>
  keep(`day ${lang}`, () => new Intl.DateTimeFormat(lang, { year: 'numeric', month: 'short', day: 'numeric' })).format(
    new Date(iso),
  );

/** "10s ago", "10秒前"; `justNow` is the word for the last five seconds. */
export function formatAgo(iso: string, now: number, lang: string, justNow: string): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds < 5) return justNow;
  const relative = keep(`ago ${lang}`, () => new Intl.RelativeTimeFormat(lang, { style: 'narrow', numeric: 'always' }));
  if (seconds < 60) return relative.format(-Math.floor(seconds), 'second');
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3600), 'hour');
  return relative.format(-Math.floor(seconds / 86_400), 'day');
}

const two = (n: number) => String(n).padStart(2, '0');

/** 0:02, 1:08:30, 3 d 4 h (3日 4時間). */
export function formatDuration(seconds: number, lang: string): string {
  const s = Math.max(0, Math.floor(seconds));
  const days = Math.floor(s / 86_400);
  const hours = Math.floor((s % 86_400) / 3600);
  const minutes = Math.floor((s % 3600) / 60);
  if (days > 0) return lang === 'ja' ? `${days}日 ${hours}時間` : `${days} d ${hours} h`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(s % 60)}`;
  return `${minutes}:${two(s % 60)}`;
}

/** About how long, in at most two units: 40s, 12m, 1h 40m, 3d 4h (40秒, 12分, 1時間40分, 3日4時間). */
export function formatRough(seconds: number, lang: string): string {
  const s = Math.max(0, Math.round(seconds));
  const [d, h, m, sec] = lang === 'ja' ? ['日', '時間', '分', '秒'] : ['d', 'h', 'm', 's'];
  const gap = lang === 'ja' ? '' : ' ';
  if (s < 60) return `${s}${sec}`;
  const minutes = Math.round(s / 60);
  if (minutes < 60) return `${minutes}${m}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours}${h}` : `${hours}${h}${gap}${minutes % 60}${m}`;
  return hours % 24 === 0 ? `${hours / 24}${d}` : `${Math.floor(hours / 24)}${d}${gap}${hours % 24}${h}`;
}

/** How long a step took: 0.4s, 12s, 3:05; nothing for what is too short to matter. */
export function formatStep(seconds: number, lang: string): string {
  if (seconds < 0.05) return '';
  const unit = lang === 'ja' ? '秒' : 's';
  if (seconds < 10) return `${seconds.toFixed(1)}${unit}`;
  return seconds < 60 ? `${Math.round(seconds)}${unit}` : formatDuration(seconds, lang);
}

/** 512 MiB, 24 GiB, from MiB. */
export function formatMib(mib: number, lang: string): string {
  if (mib < 1024) return `${formatInt(mib, lang)} MiB`;
  const gib = mib / 1024;
  return `${formatInt(gib >= 100 ? Math.round(gib) : Math.round(gib * 10) / 10, lang)} GiB`;
}

/** 1.2 MB, from bytes. */
export function formatBytes(bytes: number, lang: string): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let n = bytes;
  let unit = 0;
  while (n >= 1000 && unit < units.length - 1) {
    n /= 1000;
    unit++;
  }
  return `${formatInt(unit === 0 || n >= 100 ? Math.round(n) : Math.round(n * 10) / 10, lang)} ${units[unit]}`;
}
