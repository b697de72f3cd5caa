import { expect, it } from 'vitest';
import { ALL_COLUMNS, COLUMNS, fittingColumns, gridTemplate } from './columns';

it('shows every column where there is room, in their order', () => {
  expect(fittingColumns(ALL_COLUMNS, 1600)).toEqual([...COLUMNS]);
});

it('drops the least important first and keeps what a row is', () => {
  const narrow = fittingColumns(ALL_COLUMNS, 640);
  expect(narrow).toEqual(expect.arrayContaining(['job', 'status', 'run', 'created']));
  expect(narrow).not.toContain('source');
  expect(fittingColumns(ALL_COLUMNS, 1100)).not.toContain('source');
});

it('never asks for more width than there is', () => {
  for (let width = 640; width < 1400; width += 20) {
    const mins = gridTemplate(fittingColumns(ALL_COLUMNS, width)).match(/(\d+)px/g) ?? [];
    expect(mins.reduce((sum, px) => sum + Number.parseInt(px, 10), 0)).toBeLessThanOrEqual(width);
  }
});
