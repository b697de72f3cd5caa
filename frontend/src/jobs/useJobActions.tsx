import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CombinedError, useMutation } from 'urql';
import { failureText } from '@/api/errors';
import type { JobAction, JobRowFragment } from '@/api/generated/graphql';
import { lazyPart } from '@/lib/lazyPart';
import { uuid } from '@/lib/uuid';
import { toast } from '@/ui';
import type { AskedAction } from './ActionDialog';
import { jobsInput, type Target, targetCount } from './actions';
import {
  ForceEndJobsMutation,
  HoldJobsMutation,
  KillJobsMutation,
  MoveJobsMutation,
  RequestStopMutation,
  RerunJobMutation,
  SetPriorityMutation,
  UnholdJobsMutation,
} from './queries';

const ActionDialog = lazyPart(() => import('./ActionDialog').then((module) => module.ActionDialog));

/** More than this many single requests in a row would be a mistake rather than a wish. */
const MAX_RERUNS = 100;

interface Outcome {
  done: number;
  jobs: readonly JobRowFragment[];
  refusedCount: number;
  refused: readonly { code: string; message: string }[];
}
type Said = 'stopped' | 'killed' | 'held' | 'unheld' | 'ended' | 'moved' | 'priority';

interface JobActions {
  project: string;
  /** Rows as they are after the action. */
  onRows: (rows: readonly JobRowFragment[]) => void;
  onOpen: (jobId: string) => void;
}

/** All that can be done to jobs: asks where it must, does it, says what came of it. */
export function useJobActions({ project, onRows, onOpen }: JobActions) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<AskedAction | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CombinedError | null>(null);
  const [, requestStop] = useMutation(RequestStopMutation);
  const [, killJobs] = useMutation(KillJobsMutation);
  const [, forceEnd] = useMutation(ForceEndJobsMutation);
  const [, holdJobs] = useMutation(HoldJobsMutation);
  const [, unholdJobs] = useMutation(UnholdJobsMutation);
  const [, setPriority] = useMutation(SetPriorityMutation);
  const [, moveJobs] = useMutation(MoveJobsMutation);
  const [, rerunJob] = useMutation(RerunJobMutation);

  const refusalText = (refusal: { code: string; message: string } | undefined) =>
    refusal ? failureText(t, { code: refusal.code, message: refusal.message, extensions: {} }) : '';

  const say = (said: Said, outcome: Outcome, value = 0, undo?: () => void) => {
    onRows(outcome.jobs);
    const done = t(`jobs.done.${said}`, { count: outcome.done, value });
    if (outcome.refusedCount > 0) {
      const reason = refusalText(outcome.refused[0]);
      toast({ tone: 'danger', text: t('jobs.done.refused', { count: outcome.refusedCount, done, reason }) });
    } else if (undo) toast({ text: done, action: { label: t('jobs.action.undo'), run: undo } });
    else toast({ text: done });
  };

  /** Runs while a dialog is open: it stays, with the error in it, when something went wrong. */
  const perform = async (work: () => Promise<CombinedError | undefined>) => {
    setBusy(true);
    setError(null);
    const failed = await work();
    setBusy(false);
    if (failed) setError(failed);
    else setAsked(null);
  };

  const hold = async (target: Target, held: boolean) => {
    const input = jobsInput(target);
    const { outcome, failed } = held
      ? await holdJobs({ input }).then((r) => ({ outcome: r.data?.holdJobs, failed: r.error }))
      : await unholdJobs({ input }).then((r) => ({ outcome: r.data?.unholdJobs, failed: r.error }));
    if (failed) toast({ tone: 'danger', text: failureText(t, failed) });
    if (!outcome) return;
    const rows = outcome.jobs;
    const undoable = rows.length > 0 && rows.length === outcome.done;
    const undo = () => void hold({ kind: 'rows', ids: rows.map((row) => row.id), rows }, !held);
    say(held ? 'held' : 'unheld', outcome, 0, undoable ? undo : undefined);
  };

  const rerun = async (target: Target): Promise<CombinedError | undefined> => {
    if (target.kind === 'all') return undefined;
    let done = 0;
    let last: { id: string; name: string; existing: boolean } | null = null;
    for (const jobId of target.ids.slice(0, MAX_RERUNS)) {
      const { data, error: failed } = await rerunJob({ input: { jobId, requestId: uuid() } });
      if (failed) return failed;
      if (!data) continue;
      done++;
      last = { id: data.rerunJob.job.id, name: data.rerunJob.run.name, existing: data.rerunJob.existing };
    }
    if (done === 1 && last) {
      const { name, existing, id } = last;
      toast({ text: existing ? t('jobs.done.rerunExisting', { name }) : t('jobs.done.rerun', { name }) });
      onOpen(id);
    } else toast({ text: t('jobs.done.rerunMany', { count: done }) });
    return undefined;
  };

  const confirm = (value: { priority?: number; computer?: string }) => {
    if (!asked) return;
    const { action, target } = asked;
    const input = jobsInput(target);
    const jobIds = target.kind === 'rows' ? [...target.ids] : [];
    void perform(async () => {
      if (action === 'RERUN') return rerun(target);
      if (action === 'STOP') {
        const result = await requestStop({ input });
        if (result.data) say('stopped', result.data.requestStop);
        return result.error;
      }
      if (action === 'KILL') {
        const result = await killJobs({ input });
        if (result.data) say('killed', result.data.killJobs);
        return result.error;
      }
      if (action === 'FORCE_END') {
        const result = await forceEnd({ input });
        if (result.data) say('ended', result.data.forceEndJobs);
        return result.error;
      }
      if (action === 'SET_PRIORITY') {
        const priority = value.priority ?? 0;
        const result = await setPriority({ input: { jobIds, priority } });
        if (result.data) say('priority', result.data.setPriority, priority);
        return result.error;
      }
      const result = await moveJobs({ input: { jobIds, computer: value.computer ?? '' } });
      if (result.data) say('moved', result.data.moveJobs);
      return result.error;
    });
  };

  const ask = (action: JobAction, target: Target) => {
    if (targetCount(target) === 0) return;
    setError(null);
    if (action === 'HOLD' || action === 'UNHOLD') void hold(target, action === 'HOLD');
    else setAsked({ action, target });
  };

  const dialog = asked && (
    <ActionDialog
      project={project}
      asked={asked}
      busy={busy}
      error={error ? failureText(t, error) : undefined}
      onClose={() => setAsked(null)}
      onConfirm={confirm}
    />
  );
  return { ask, dialog };
}
