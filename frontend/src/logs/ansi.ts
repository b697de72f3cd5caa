export interface Segment {
  text: string;
  className: string;
  style?: { color?: string; background?: string };
}

// The server keeps colours (SGR) only; whatever else might come is dropped here too.
const ESCAPE = /\x1b\[([0-9;:]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]/g;

export const stripAnsi = (text: string) => (text.includes('\x1b') ? text.replace(ESCAPE, '') : text);

/** One of the theme's 16 colours by number, or any other as "r g b". */
type Colour = number | string;

interface Pen {
  fg: Colour | null;
  bg: Colour | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  struck: boolean;
  inverse: boolean;
}

const PLAIN: Pen = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  struck: false,
  inverse: false,
};

/** A line as pieces of one look each, in the theme's colours. */
export function parseAnsi(text: string): Segment[] {
  if (!text.includes('\x1b')) return [{ text, className: '' }];
  const out: Segment[] = [];
  let pen = PLAIN;
  let last = 0;
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(text); match; match = ESCAPE.exec(text)) {
    if (match.index > last) out.push(segment(text.slice(last, match.index), pen));
    last = ESCAPE.lastIndex;
    if (match[1] !== undefined) pen = draw(pen, match[1] || '0');
  }
  if (last < text.length) out.push(segment(text.slice(last), pen));
  return out;
}

function segment(text: string, pen: Pen): Segment {
  const { inverse, bg } = pen;
  const names = [
    typeof pen.fg === 'number' && !inverse ? `a${pen.fg}` : '',
    pen.bold ? 'a-b' : '',
    pen.dim ? 'a-d' : '',
    pen.italic ? 'a-i' : '',
    pen.underline ? 'a-u' : '',
    pen.struck ? 'a-s' : '',
  ];
  const style = {
    ...(inverse ? { color: bg === null ? 'var(--sunken)' : solid(bg) } : {}),
    ...(!inverse && typeof pen.fg === 'string' ? { color: bg === null ? legible(pen.fg) : solid(pen.fg) } : {}),
    ...(inverse ? { background: pen.fg === null ? 'var(--fg)' : solid(pen.fg) } : {}),
    ...(!inverse && bg !== null ? { background: typeof bg === 'number' ? tint(bg) : solid(bg) } : {}),
  };
  const className = names.filter(Boolean).join(' ');
  return Object.keys(style).length > 0 ? { text, className, style } : { text, className };
}

const solid = (colour: Colour) => (typeof colour === 'number' ? `var(--ansi-${colour})` : `rgb(${colour})`);
const tint = (n: number) => `color-mix(in srgb, var(--ansi-${n}) 30%, transparent)`;
/** A colour the program chose for one kind of terminal: its hue stays, its lightness is kept within what the theme can show. */
const legible = (rgb: string) => `oklch(from rgb(${rgb}) clamp(var(--log-l-min), l, var(--log-l-max)) c h)`;

/** The pen after one SGR sequence: parameters between semicolons, each with its own parts between colons. */
function draw(pen: Pen, sequence: string): Pen {
  const codes = sequence.split(';');
  let next = { ...pen };
  for (let i = 0; i < codes.length; i++) {
    const parts = (codes[i] ?? '').split(':');
    const n = Number(parts[0]);
    if (n === 38 || n === 48) {
      const inColons = parts.length > 1;
      const [colour, used] = extended(inColons ? parts.slice(1) : codes.slice(i + 1), inColons);
      if (!inColons) i += used;
      if (colour !== undefined) next = n === 38 ? { ...next, fg: colour } : { ...next, bg: colour };
    } else next = plain(next, n, parts[1]);
  }
  return next;
}

function plain(pen: Pen, n: number, part: string | undefined): Pen {
  if (n >= 30 && n <= 37) return { ...pen, fg: n - 30 };
  if (n >= 40 && n <= 47) return { ...pen, bg: n - 40 };
  if (n >= 90 && n <= 97) return { ...pen, fg: n - 82 };
  if (n >= 100 && n <= 107) return { ...pen, bg: n - 92 };
  switch (n) {
    case 0:
      return PLAIN;
    case 1:
      return { ...pen, bold: true };
    case 2:
      return { ...pen, dim: true };
    case 3:
      return { ...pen, italic: true };
    case 4:
      return { ...pen, underline: part !== '0' };
    case 7:
      return { ...pen, inverse: true };
    case 9:
      return { ...pen, struck: true };
    case 21:
      return { ...pen, underline: true };
    case 22:
      return { ...pen, bold: false, dim: false };
    case 23:
      return { ...pen, italic: false };
    case 24:
      return { ...pen, underline: false };
    case 27:
      return { ...pen, inverse: false };
    case 29:
      return { ...pen, struck: false };
    case 39:
      return { ...pen, fg: null };
    case 49:
      return { ...pen, bg: null };
    default:
      return pen;
  }
}

/** 5;n or 2;r;g;b; with colons a colour space may stand before r. How many parameters it took comes along. */
function extended(rest: readonly string[], inColons: boolean): [Colour | undefined, number] {
  if (rest[0] === '5') return [indexed(Number(rest[1] ?? 0)), 2];
  if (rest[0] !== '2') return [undefined, 1];
  const from = inColons && rest.length > 4 ? 2 : 1;
  const rgb = [0, 1, 2].map((k) => Math.min(255, Number(rest[from + k] ?? 0) || 0));
  return [rgb.join(' '), 4];
}

/** The 256 colours: 16 of the theme, a cube of 6 × 6 × 6, 24 greys. */
function indexed(n: number): Colour {
  if (n < 16) return n;
  if (n > 231) {
    const grey = 8 + (n - 232) * 10;
    return `${grey} ${grey} ${grey}`;
  }
  const k = n - 16;
  const step = (x: number) => (x ? 55 + x * 40 : 0);
  return `${step(Math.floor(k / 36))} ${step(Math.floor(k / 6) % 6)} ${step(k % 6)}`;
}
