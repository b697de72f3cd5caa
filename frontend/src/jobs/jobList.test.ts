import { describe, expect, it } from 'vitest';
import { type FetchPage, JobList, type ListedJob, PAGE_SIZE } from './jobList';

interface Job extends ListedJob {
  status: string;
}
const ALL = { insert: true, remove: true };
const NOTHING = { insert: false, remove: false };

/** A server with jobs numbered from old to new; the newest come first. */
function server(size: number) {
  const jobs: Job[] = [];
  const create = (n: number): Job => {
    const job = { id: `j${n}`, createdAt: new Date(1e12 + n * 1000).toISOString(), status: 'RUNNING' };
    jobs.unshift(job);
    return job;
  };
  for (let n = 1; n <= size; n++) create(n);
  const asked: (string | null)[] = [];
  const fetchPage: FetchPage<Job> = async (after, first) => {
    asked.push(after);
    const start = after === null ? 0 : jobs.findIndex((job) => job.id === after) + 1;
    const rows = jobs.slice(start, start + first);
    return { rows, endCursor: rows.at(-1)?.id ?? null, hasMore: start + first < jobs.length };
  };
  return { jobs, create, asked, fetchPage };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

async function loaded(size: number) {
  const backend = server(size);
  const list = new JobList(backend.fetchPage);
  await list.restart();
  return { ...backend, list };
}
async function scrollTo(list: JobList<Job>, index: number) {
  while (list.length <= index && list.hasMore) {
    list.ensure(list.length - 1, list.length - 1);
    await settled();
  }
  list.ensure(index, index + 20);
  await settled();
}

describe('a long list', () => {
  it('starts with one page and appends while scrolling', async () => {
    const { list } = await loaded(450);
    expect(list.length).toBe(PAGE_SIZE);
    expect(list.at(0)?.id).toBe('j450');
    await scrollTo(list, 440);
    expect(list.length).toBe(450);
    expect(list.hasMore).toBe(false);
    expect(list.at(449)?.id).toBe('j1');
    expect(new Set(list.allIds()).size).toBe(450);
  });

  it('forgets the rows of far pages and reads them again', async () => {
    const { list, asked } = await loaded(2000);
    await scrollTo(list, 1999);
    expect(list.length).toBe(2000);
    expect(list.idAt(150)).toBe('j1850');
    expect(list.at(150)).toBeUndefined();
    const before = asked.length;
    await scrollTo(list, 150);
    expect(asked.length).toBeGreaterThan(before);
    expect(list.at(150)?.id).toBe('j1850');
    expect(list.length).toBe(2000);
  });

  it('keeps new jobs back while somebody reads, and shows them on request', async () => {
    const { list, create } = await loaded(300);
    const fresh = [create(301), create(302)];
    list.apply({ changed: fresh, removedIds: [] }, NOTHING);
    expect(list.at(0)?.id).toBe('j300');
    expect(list.pendingCount).toBe(2);
    list.settleNow();
    expect(list.allIds().slice(0, 3)).toEqual(['j302', 'j301', 'j300']);
    expect(list.pendingCount).toBe(0);
  });

  it('puts new jobs at the top at once where that moves nothing', async () => {
    const { list, create } = await loaded(10);
    list.apply({ changed: [create(11)], removedIds: [] }, ALL);
    expect(list.at(0)?.id).toBe('j11');
    expect(list.length).toBe(11);
  });

  it('changes rows in place', async () => {
    const { list, jobs } = await loaded(10);
    const row = list.at(3) as Job;
    list.apply({ changed: [{ ...row, status: 'FAILED' }], removedIds: [] }, NOTHING);
    expect(list.at(3)?.status).toBe('FAILED');
    expect(list.at(4)).toBe(jobs[4]);
  });

  it('keeps rows that no longer match until the list is left alone', async () => {
    const { list } = await loaded(10);
    list.apply({ changed: [], removedIds: ['j5'] }, NOTHING);
    expect(list.length).toBe(10);
    expect(list.isGone('j5')).toBe(true);
    list.settleNow({ insert: false, remove: true });
    expect(list.length).toBe(9);
    expect(list.indexOf('j5')).toBe(-1);
  });

  it('takes a row that matches again back', async () => {
    const { list } = await loaded(10);
    const row = list.get('j5') as Job;
    list.apply({ changed: [], removedIds: ['j5'] }, NOTHING);
    list.apply({ changed: [row], removedIds: [] }, ALL);
    expect(list.isGone('j5')).toBe(false);
    expect(list.length).toBe(10);
  });

  it('puts a job that matches now where its age belongs', async () => {
    const { list } = await loaded(10);
    list.apply({ changed: [], removedIds: ['j5'] }, ALL);
    const back = { id: 'j5', createdAt: new Date(1e12 + 5000).toISOString(), status: 'RUNNING' };
    list.apply({ changed: [back], removedIds: [] }, ALL);
    expect(list.indexOf('j5')).toBe(5);
  });

  it('leaves jobs older than what is loaded to scrolling', async () => {
    const { list, jobs } = await loaded(300);
    list.apply({ changed: [jobs[250] as Job], removedIds: [] }, ALL);
    expect(list.length).toBe(PAGE_SIZE);
    await scrollTo(list, 299);
    expect(list.length).toBe(300);
    expect(new Set(list.allIds()).size).toBe(300);
  });

  it('finds what came in while the connection was down', async () => {
    const { list, create } = await loaded(300);
    create(301);
    await list.refresh(0, 20, NOTHING);
    expect(list.pendingCount).toBe(1);
    for (let n = 302; n < 450; n++) create(n);
    await list.refresh(0, 20, NOTHING);
    expect(list.overflow).toBe(true);
    await list.restart();
    expect(list.overflow).toBe(false);
    expect(list.at(0)?.id).toBe('j449');
  });

  it('says when it could not be read, and recovers', async () => {
    const backend = server(5);
    let broken = true;
    const list = new JobList<Job>((after, first) =>
      broken ? Promise.reject(new Error('down')) : backend.fetchPage(after, first),
    );
    await list.restart();
    expect(list.failure).toBeInstanceOf(Error);
    broken = false;
    await list.restart();
    expect(list.failure).toBeNull();
    expect(list.length).toBe(5);
  });

  it('drops answers to an older question', async () => {
    const answers: ((rows: Job[]) => void)[] = [];
    const list = new JobList<Job>(
      () =>
        new Promise((resolve) => {
          answers.push((rows) => resolve({ rows, endCursor: null, hasMore: false }));
        }),
    );
    const first = list.restart();
    const second = list.restart();
    answers[1]?.([{ id: 'new', createdAt: '2', status: '' }]);
    answers[0]?.([{ id: 'old', createdAt: '1', status: '' }]);
    await Promise.all([first, second]);
    expect(list.allIds()).toEqual(['new']);
  });
});
