import { expect, it } from 'vitest';
import { filterOf, statusesOf, withoutStatus } from './filters';
import { parseJobsSearch } from './search';

it('reads the address, and only what it knows', () => {
  const search = parseJobsSearch({ job: 'abc', status: 'failed,running,nonsense', tab: 'events', line: '12', x: 1 });
  expect(search.tab).toBe('events');
  expect(search.line).toBe(12);
  expect(statusesOf(search)).toEqual(['RUNNING', 'FAILED']);
  expect(parseJobsSearch({ tab: 'other', line: '-3' })).toMatchObject({ tab: undefined, line: undefined });
});

it('makes the filter of the server', () => {
  const search = parseJobsSearch({ status: 'queued', kind: 'inference', computer: 'gpu-1', person: 'u1', q: ' lr ' });
  const filter = filterOf(search);
  expect(filter).toEqual({
    status: ['QUEUED'],
    kinds: ['INFERENCE'],
    computer: 'gpu-1',
    createdBy: 'u1',
    text: 'lr',
  });
  expect(withoutStatus(filter)).not.toHaveProperty('status');
  expect(filterOf(parseJobsSearch({}))).toEqual({});
});
