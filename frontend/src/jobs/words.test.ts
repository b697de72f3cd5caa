import i18next, { type TFunction } from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import en from '@/i18n/en';
import ja from '@/i18n/ja';
import { eventText, KNOWN_EVENT_TYPES } from './eventText';
import { failureSentence } from './failure';
import { gpuText, jobLook, jobSubstatus } from './look';
import { reasonText, waitingText } from './WhyWaiting';

let english: TFunction;
let japanese: TFunction;
beforeAll(async () => {
  await i18next.init({
    lng: 'en',
    ns: ['app'],
    defaultNS: 'app',
    resources: { en: { app: en }, ja: { app: ja } },
    interpolation: { escapeValue: false },
  });
  english = i18next.getFixedT('en');
  japanese = i18next.getFixedT('ja');
});

const CODES = {
  exit_nonzero: { exitCode: 137 },
  signal: { signal: 'SIGSEGV', number: 11 },
  oom: {},
  timed_out: { seconds: 5400 },
  start_failed: { detail: 'no memory' },
  command_not_found: {},
  not_executable: {},
  workdir_missing: { path: '/data' },
  dependency_failed: { jobId: '1a2b3c4d-…', shortId: '1a2b3c4d' },
  worker_lost: { reason: 'rebooted', lastHeartbeat: '2026-11-29T10:24:00Z' },
  force_ended: {},
  stopped: {},
  killed: {},
};

describe('job errors', () => {
  it('have a whole sentence per code in both languages', () => {
    for (const [errorCode, errorArgs] of Object.entries(CODES)) {
      for (const [t, lang] of [
        [english, 'en'],
        [japanese, 'ja'],
      ] as const) {
        const sentence = failureSentence({ errorCode, errorArgs, error: 'server words' }, t, lang);
        expect(sentence, errorCode).toBeTruthy();
        expect(sentence, errorCode).not.toMatch(/\{\{|undefined|jobs\.|server words/);
      }
    }
  });

  it('explain the exit code', () => {
    const failed = { errorCode: 'exit_nonzero', errorArgs: { exitCode: 137 } };
    expect(failureSentence(failed, english, 'en')).toContain('killed (SIGKILL)');
    expect(failureSentence({ errorCode: 'exit_nonzero', exitCode: 3 }, english, 'en')).toBe(
      'The program ended with exit code 3.',
    );
  });

  it("use the server's words for a code of the future", () => {
    expect(failureSentence({ errorCode: 'new_one', error: 'The moon was full.' }, japanese, 'ja')).toBe(
      'The moon was full.',
    );
  });
});

describe('events', () => {
  it('have a sentence per type in both languages', () => {
    for (const type of KNOWN_EVENT_TYPES) {
      expect(eventText({ type, args: {} }, english, 'en')).not.toMatch(/\{\{|undefined|events\./);
      expect(eventText({ type, args: {} }, japanese, 'ja')).not.toMatch(/\{\{|undefined|events\./);
    }
  });

  it('show an unknown type with its arguments', () => {
    const text = eventText({ type: 'worker.new_thing', args: { size: 3, where: { disk: 1 } } }, english, 'en');
    expect(text).toBe('worker.new_thing (size: 3, where: {"disk":1})');
  });

  it('name what the arguments say', () => {
    const exited = { type: 'worker.process_exited', args: { exitCode: null, signal: 'SIGKILL' } };
    expect(eventText(exited, english, 'en')).toBe('Process ended by signal SIGKILL');
    const created = { type: 'job.created', args: { runName: 'a run', computer: 'gpu-1' } };
    expect(eventText(created, japanese, 'ja')).toBe('「a run」をgpu-1で起動');
  });
});

describe('why a job waits', () => {
  const job: Parameters<typeof waitingText>[1] = {
    computer: { id: 'c', name: 'gpu-1', kind: 'SSH', canManage: true },
    after: [],
    gpuIds: ['0', '1'],
  };
  const waiting = (code: string, args = {}) =>
    ({ code, args, message: '', possibleReasons: [], jobsAhead: null, estimatedStart: null }) as never;
  const ago = () => '5m ago';

  it('M-58, M-59: says it as the manual does', () => {
    expect(waitingText(waiting('NO_WORKER'), job, english, ago)).toBe('No worker is assigned to “gpu-1”.');
    expect(waitingText(waiting('NO_WORKER'), job, japanese, ago)).toBe('「gpu-1」を担当するworkerがいません。');
    expect(waitingText(waiting('WORKER_OFFLINE', { lastSeenAt: 'x' }), job, english, ago)).toBe(
      'No worker for “gpu-1” is responding (last response: 5m ago).',
    );
  });

  it('M-60: has a sentence for every code and reason', () => {
    const codes = [
      'NO_WORKER',
      'WORKER_OFFLINE',
      'WORKER_BUSY',
      'HOLDING',
      'WAITING_FOR_JOB',
      'MACHINE_STARTING',
      'COMPUTER_DISABLED',
      'COMPUTER_DELETED',
      'NEVER',
      'QUEUED',
    ];
    const reasons = [
      'CONCURRENCY_LIMIT',
      'GPU_IN_USE',
      'COMPUTER_DISABLED',
      'RUNTIME_MISSING',
      'LOCAL_EXECUTOR_OFF',
      'BEHIND_OTHERS',
      'WORKER_DRAINING',
    ];
    for (const t of [english, japanese]) {
      for (const code of codes) expect(waitingText(waiting(code), job, t, ago)).not.toMatch(/\{\{|undefined|jobs\./);
      for (const code of reasons) {
        expect(reasonText({ code, args: {} } as never, job, t)).not.toMatch(/\{\{|undefined|jobs\./);
      }
    }
    expect(reasonText({ code: 'GPU_IN_USE', args: { gpuIds: ['0', '1'] } } as never, job, english)).toContain('(0, 1)');
    const few = { code: 'GPU_IN_USE', args: { asked: 2, free: 1, total: 4, gpuIds: [0, 1, 2] } } as never;
    expect(reasonText(few, { gpuIds: [] }, english)).toContain('asks for 2, 1 of 4 are free');
  });
});

describe('a row', () => {
  const base = { status: 'QUEUED', phase: null, endReason: null, held: false } as const;

  it('shows phases and end reasons beside the status', () => {
    expect(jobLook({ ...base, phase: 'SUBMITTING' })).toBe('submitting');
    expect(jobSubstatus({ ...base, phase: 'WAITING_MANUAL_SUBMISSION' }, japanese)).toBe('手動投入待ち');
    expect(jobSubstatus({ ...base, status: 'FAILED', endReason: 'TIMED_OUT' }, english)).toBe('Timed out');
    expect(jobLook({ ...base, status: 'FAILED', endReason: 'TIMED_OUT' })).toBe('timed-out');
    expect(jobSubstatus({ ...base, phase: 'HOLDING', held: true }, english)).toBeNull();
  });

  it('M-16: names GPUs, counts them, or says CPU only', () => {
    expect(gpuText({ gpuIds: ['0', '1'], gpuCount: 2 })).toBe('0, 1');
    expect(gpuText({ gpuIds: ['0', '1', '2', '3'], gpuCount: 4 })).toBe('0–3');
    expect(gpuText({ gpuIds: ['0', '2', '3', '7'], gpuCount: 4 })).toBe('0, 2, 3, 7');
    expect(gpuText({ gpuIds: [], gpuCount: 2 })).toBe('GPU ×2');
    expect(gpuText({ gpuIds: [], gpuCount: 0 })).toBeNull();
  });
});
