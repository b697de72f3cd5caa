import { render } from '@testing-library/react';
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { indexFrom } from './filter';
import { LogLine } from './LogLine';
import { selectedEnds, textBetween } from './selection';
import type { Line } from './store';
import { line } from './testLines';

function show(lines: readonly Line[]) {
  const { container } = render(
    <div>
      {lines.map((each, i) => (
        <LogLine
          key={each.number}
          line={each}
          index={i}
          top={0}
          gutter={40}
          wanted=""
          current={false}
          times
          lang="en"
          wrap={false}
          measure={undefined}
          t={((key: string) => key) as TFunction}
          onNumber={() => {}}
        />
      ))}
    </div>,
  );
  const text = (number: number) => container.querySelector(`[data-line="${number}"]`)?.lastElementChild as Element;
  return { container, text };
}

describe('what is copied', () => {
  const lines = [line(4, 'first \x1b[31mred\x1b[0m'), line(5, 'second'), line(6, 'third')];
  const copied = (container: Element) => {
    const ends = selectedEnds(container);
    return ends && textBetween(lines, ends, (n) => indexFrom(lines, n));
  };

  it('is the text alone, across colours and lines, whichever way it was selected', () => {
    const { container, text } = show(lines);
    const red = text(4).children[0]?.firstChild as Node;
    const third = text(6).firstChild as Node;
    document.getSelection()?.setBaseAndExtent(red, 1, third, 2);
    expect(copied(container)).toBe('ed\nsecond\nth');
    document.getSelection()?.setBaseAndExtent(third, 2, red, 1);
    expect(copied(container)).toBe('ed\nsecond\nth');
  });
  it('holds lines that are not in the page any more', () => {
    const { container, text } = show([lines[0] as Line, lines[2] as Line]);
    document.getSelection()?.setBaseAndExtent(text(4).firstChild as Node, 0, text(6).firstChild as Node, 5);
    expect(copied(container)).toBe('first red\nsecond\nthird');
  });
  it('is left to the browser when nothing, or something else too, is selected', () => {
    const { container, text } = show(lines);
    document.getSelection()?.removeAllRanges();
    expect(copied(container)).toBeNull();
    document.getSelection()?.setBaseAndExtent(document.body, 0, text(4).firstChild as Node, 2);
    expect(copied(container)).toBeNull();
  });
});
