import { expect, it } from 'vitest';
import { addRange, everything, isSelected, none, only, size, toggle } from './selection';

const loaded = () => ['1', '2', '3', '4'];

it('toggles one', () => {
  const one = toggle(none, '1', loaded);
  expect(isSelected(one, '1')).toBe(true);
  expect(size(toggle(one, '1', loaded), 100)).toBe(0);
});

it('adds a range to what is selected', () => {
  expect([...addRange(only('1'), ['2', '3']).ids]).toEqual(['1', '2', '3']);
});

it('selects everything that matches, also what is not loaded', () => {
  expect(size(everything, 100_000)).toBe(100_000);
  expect(isSelected(everything, 'anything')).toBe(true);
});

it('falls back to the loaded jobs when one is taken out of everything', () => {
  const rest = toggle(everything, '2', loaded);
  expect(rest.all).toBe(false);
  expect([...rest.ids]).toEqual(['1', '3', '4']);
});
