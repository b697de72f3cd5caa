import { describe, expect, it } from 'vitest';
import { parseAnsi, stripAnsi } from './ansi';
import { piecesOf } from './highlight';

const looks = (text: string) => parseAnsi(text).map(({ text, className, style }) => [text, className, style ?? null]);

describe('parseAnsi', () => {
  it('keeps a look across text and resets it', () => {
    expect(looks('\x1b[1;31mbad\x1b[0m ok')).toEqual([
      ['bad', 'a1 a-b', null],
      [' ok', '', null],
    ]);
    expect(looks('\x1b[3;4;9ma\x1b[23;24;29mb\x1b[m')).toEqual([
      ['a', 'a-i a-u a-s', null],
      ['b', '', null],
    ]);
  });
  it('reads 256 and true colours, also with colons, and keeps them legible', () => {
    expect(parseAnsi('\x1b[38;5;196mx')[0]?.style?.color).toContain('rgb(255 0 0)');
    expect(parseAnsi('\x1b[38;2;1;2;3mx')[0]?.style?.color).toContain('clamp(var(--log-l-min), l, var(--log-l-max))');
    expect(parseAnsi('\x1b[38:2::1:2:3mx')[0]?.style?.color).toContain('rgb(1 2 3)');
    expect(parseAnsi('\x1b[38:2:1:2:3mx')[0]?.style?.color).toContain('rgb(1 2 3)');
    expect(parseAnsi('\x1b[38;5;9mx')[0]?.className).toBe('a9');
    expect(parseAnsi('\x1b[38;5;244mx')[0]?.style?.color).toContain('rgb(128 128 128)');
  });
  it('goes on after an extended colour', () => {
    expect(looks('\x1b[38;5;9;1mx')).toEqual([['x', 'a9 a-b', null]]);
    expect(looks('\x1b[38;9mx')).toEqual([['x', '', null]]);
  });
  it('leaves both colours alone where the program chose both', () => {
    expect(parseAnsi('\x1b[38;2;0;0;0;48;2;255;255;255mx')[0]?.style).toEqual({
      color: 'rgb(0 0 0)',
      background: 'rgb(255 255 255)',
    });
  });
  it('swaps colours for inverse', () => {
    expect(parseAnsi('\x1b[7mx')[0]?.style).toEqual({ color: 'var(--sunken)', background: 'var(--fg)' });
    expect(parseAnsi('\x1b[31;7mx')[0]).toEqual({
      text: 'x',
      className: '',
      style: { color: 'var(--sunken)', background: 'var(--ansi-1)' },
    });
  });
  it('drops whatever is no colour', () => {
    expect(stripAnsi('\x1b[2K\x1b]0;title\x07hi\x1b[1A')).toBe('hi');
    expect(looks('\x1b[2Kplain')).toEqual([['plain', '', null]]);
  });
});

describe('piecesOf', () => {
  const cut = (message: string, wanted: string) =>
    piecesOf(message, wanted).map((piece) => (piece.hit ? `[${piece.text}]` : piece.text));
  it('marks every match, ignoring case', () => {
    expect(cut('Loss, loss and LOSS', 'loss')).toEqual(['[Loss]', ', ', '[loss]', ' and ', '[LOSS]']);
  });
  it('marks a match across colours, each part in its own', () => {
    expect(cut('\x1b[31mLo\x1b[0mss 1', 'loss')).toEqual(['[Lo]', '[ss]', ' 1']);
  });
  it('takes what is searched as text, not as a pattern', () => {
    expect(cut('a.b a+b (x)', 'a.b')).toEqual(['[a.b]', ' a+b (x)']);
    expect(cut('f(x) [y]', '(x) [')).toEqual(['f', '[(x) []', 'y]']);
  });
  it('loses nothing', () => {
    const message = '\x1b[36mstep\x1b[0m 12 loss=\x1b[32m0.5\x1b[0m';
    expect(
      piecesOf(message, 's')
        .map((piece) => piece.text)
        .join(''),
    ).toBe('step 12 loss=0.5');
  });
});
