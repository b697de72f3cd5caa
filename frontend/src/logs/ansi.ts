export interface Segment {
  text: string;
  className: string;
  style?: { color?: string; background?: string };
}

// The server keeps colours (SGR) only; whatever else might come is dropped here too.
const ESCAPE = /\x1b\[([0-9;:]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]/g;

export const stripAnsi = (text: string) => (text.includes('\x1b') ? text.replace(ESCAPE, '') : text);

/** One of the 256 colours above the 16 that the theme names. */
function fixedColour(n: number): string | null {
  if (n < 16) return null;
  if (n > 231) {
    const grey = 8 + (n - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const k = n - 16;
  const step = (x: number) => (x ? 55 + x * 40 : 0);
  return `rgb(${step(Math.floor(k / 36))} ${step(Math.floor(k / 6) % 6)} ${step(k % 6)})`;
}

interface Pen {
  fg: number | string | null;
  bg: string | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

const plain = (): Pen => ({ fg: null, bg: null, bold: false, dim: false, italic: false, underline: false });

function segment(text: string, pen: Pen): Segment {
  const names = [
    typeof pen.fg === 'number' ? `a${pen.fg}` : '',
    pen.bold ? 'a-b' : '',
    pen.dim ? 'a-d' : '',
    pen.italic ? 'a-i' : '',
    pen.underline ? 'a-u' : '',
  ];
  const style = {
    ...(typeof pen.fg === 'string' ? { color: pen.fg } : {}),
    ...(pen.bg ? { background: pen.bg } : {}),
  };
  const className = names.filter(Boolean).join(' ');
  return Object.keys(style).length > 0 ? { text, className, style } : { text, className };
}

/** A line as pieces of one look each, in the theme's colours. */
export function parseAnsi(text: string): Segment[] {
  if (!text.includes('\x1b')) return [{ text, className: '' }];
  const out: Segment[] = [];
  let pen = plain();
  let last = 0;
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(text); match; match = ESCAPE.exec(text)) {
    if (match.index > last) out.push(segment(text.slice(last, match.index), pen));
    last = ESCAPE.lastIndex;
    if (match[1] !== undefined) pen = applyCodes(pen, (match[1] || '0').split(/[;:]/).map(Number));
  }
  if (last < text.length) out.push(segment(text.slice(last), pen));
  return out;
}

function applyCodes(pen: Pen, codes: number[]): Pen {
  let next = { ...pen };
  for (let i = 0; i < codes.length; i++) {
    const n = codes[i] ?? 0;
    if (n === 0) next = plain();
    else if (n === 1) next.bold = true;
    else if (n === 2) next.dim = true;
    else if (n === 3) next.italic = true;
    else if (n === 4) next.underline = true;
    else if (n === 22) next.bold = next.dim = false;
    else if (n === 23) next.italic = false;
    else if (n === 24) next.underline = false;
    else if (n === 39) next.fg = null;
    else if (n === 49) next.bg = null;
    else if (n >= 30 && n <= 37) next.fg = n - 30;
    else if (n >= 90 && n <= 97) next.fg = n - 82;
    else if (n >= 40 && n <= 47) next.bg = `color-mix(in srgb, var(--ansi-${n - 40}) 30%, transparent)`;
    else if (n === 38 || n === 48) {
      let colour: number | string | null = null;
      if (codes[i + 1] === 5) {
        const k = codes[i + 2] ?? 0;
        colour = fixedColour(k) ?? k;
        i += 2;
      } else if (codes[i + 1] === 2) {
        colour = `rgb(${codes[i + 2] ?? 0} ${codes[i + 3] ?? 0} ${codes[i + 4] ?? 0})`;
        i += 4;
      }
      if (n === 38) next.fg = colour;
      else next.bg = typeof colour === 'number' ? `var(--ansi-${colour})` : colour;
    }
  }
  return next;
}
