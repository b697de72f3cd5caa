import clsx from 'clsx';
import { Check } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation, useQuery } from 'urql';
import { type Failure, failureText, toFailure } from '@/api/errors';
import type { LaunchJobInput } from '@/api/generated/graphql';
import { Button, Dialog, Kbd, Notice } from '@/ui';
import { type Draft, draftFrom, type FieldName, inputOf, type Problems, problemsOf, STEPS, stepOf } from './draft';
import { LaunchJobMutation, LaunchOptionsQuery } from './queries';
import { Review } from './Review';
import { WhatStep } from './WhatStep';
import { WhereStep } from './WhereStep';

export interface LaunchDialogProps {
  /** The project's key. */
  project: string;
  open: boolean;
  onClose: () => void;
  /** Gets the full id of the new job. */
  onLaunched: (jobId: string) => void;
  /** Values to start from: launching again with changes. */
  prefill?: Partial<LaunchJobInput> | undefined;
}

/** The unfinished launch of a project: a dialog closed by accident loses nothing. Secrets are not kept. */
const kept = {
  key: (project: string) => `nightshift.launch.${project}`,
  read(project: string): Draft | null {
    try {
      const text = sessionStorage.getItem(this.key(project));
      return text ? ({ ...draftFrom(), ...(JSON.parse(text) as Partial<Draft>), secrets: [] } as Draft) : null;
    } catch {
      return null;
    }
  },
  write(project: string, draft: Draft | null) {
    try {
      if (draft) sessionStorage.setItem(this.key(project), JSON.stringify({ ...draft, secrets: [] }));
      else sessionStorage.removeItem(this.key(project));
    } catch {
      // no storage: the draft lives as long as the dialog
    }
  },
};

/** A UUID; written by hand, since randomUUID is missing where the page is not served over https. */
function newRequestId() {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = ((b[6] ?? 0) & 0x0f) | 0x40;
  b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(b, (x) => x.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function LaunchDialog({ project, open, onClose, onLaunched, prefill }: LaunchDialogProps): ReactElement {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<Draft>(() => (prefill ? draftFrom(prefill) : (kept.read(project) ?? draftFrom())));
  const [step, setStep] = useState(0);
  const [tried, setTried] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const requestId = useRef(newRequestId());
  const [{ fetching }, launch] = useMutation(LaunchJobMutation);
  const [{ data }] = useQuery({
    query: LaunchOptionsQuery,
    variables: { project },
    requestPolicy: 'cache-and-network',
    pause: !open,
  });
  const computers = data?.project?.computers.nodes ?? [];
  const experiments = data?.project?.experiments ?? [];
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!open) return;
    setDraft(prefill ? draftFrom(prefill) : (kept.read(project) ?? draftFrom()));
    setStep(0);
    setTried(false);
    setFailure(null);
    requestId.current = newRequestId();
  }, [open, prefill, project]);

  // The only computer with a worker is the one meant, as a rule.
  const online = computers.filter((c) => c.usable && c.enabled && c.workerState === 'ONLINE');
  const onlyName = online.length === 1 ? online[0]?.name : undefined;
  useEffect(() => {
    if (open && onlyName) setDraft((old) => (old.computer ? old : { ...old, computer: onlyName }));
  }, [open, onlyName]);

  const change = (part: Partial<Draft>) => {
    setDraft((old) => {
      const next = { ...old, ...part };
      if (!prefill) kept.write(project, next);
      return next;
    });
    setFailure(null);
    requestId.current = newRequestId(); // another launch than the one that failed
  };
  const problems: Problems = problemsOf(draft);
  const problemOn = (n: number) => (STEPS[n] ?? []).find((field) => problems[field]);
  const errorOf = (field: FieldName): string | undefined => {
    const problem = problems[field];
    if (problem && (tried || problem === 'json' || problem === 'object' || problem === 'strings'))
      return t(`launch.problem.${problem}`);
    if (failure?.field === field) return failureText(t, failure);
    return undefined;
  };
  const go = (n: number) => {
    setStep(n);
    setTried(false);
    requestAnimationFrame(() => heading.current?.focus());
  };
  const next = () => {
    if (problemOn(step)) setTried(true);
    else go(step + 1);
  };
  const submit = async () => {
    const bad = STEPS.findIndex((_, n) => problemOn(n));
    if (bad >= 0) {
      setStep(bad);
      setTried(true);
      return;
    }
    const result = await launch({ input: inputOf(project, requestId.current, draft) });
    if (result.error) {
      const failed = toFailure(result.error);
      setFailure(failed);
      if (failed.field) setStep(stepOf(failed.field));
      else if (failed.code === 'COMPUTER_NOT_AVAILABLE') setStep(1);
      return;
    }
    if (!result.data) return;
    kept.write(project, null);
    onLaunched(result.data.launchJob.job.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (step < 2) next();
    else void submit();
  };

  const titles = [t('launch.step1'), t('launch.step2'), t('launch.step3')];
  const shared = { draft, change, errorOf };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('launch.title')}
      question
      className="sm:w-[880px] sm:max-w-[calc(100vw-48px)]"
      footer={
        <>
          {step > 0 && <Button onClick={() => go(step - 1)}>{t('common.back')}</Button>}
          <span className="flex-1" />
          {step < 2 ? (
            <Button variant="primary" onClick={next}>
              {t('common.next')}
              <Kbd tone="accent">Ctrl ↵</Kbd>
            </Button>
          ) : (
            <Button variant="primary" busy={fetching} onClick={() => void submit()}>
              {t('launch.launch')}
              <Kbd tone="accent">Ctrl ↵</Kbd>
            </Button>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Ctrl Enter does what the button below does */}
      <div className="flex min-h-[min(480px,60vh)] flex-col gap-5 pt-2 sm:flex-row sm:gap-8" onKeyDown={onKeyDown}>
        <ol className="flex shrink-0 gap-1 sm:w-48 sm:flex-col">
          {titles.map((title, n) => (
            <li key={title} className="flex-1 sm:flex-none">
              <button
                type="button"
                aria-current={step === n ? 'step' : undefined}
                onClick={() => (n < step ? go(n) : n > step && !problemOn(step) && go(n))}
                className={clsx(
                  'flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-sm',
                  step === n ? 'bg-active font-medium text-fg' : 'text-fg-2 hover:bg-hover',
                )}
              >
                <span
                  aria-hidden
                  className={clsx(
                    'flex size-5 shrink-0 items-center justify-center rounded-full text-2xs font-semibold [&_svg]:size-3',
                    n < step ? 'bg-accent text-accent-fg' : 'border border-line-strong text-fg-2',
                  )}
                >
                  {n < step ? <Check /> : n + 1}
                </span>
                <span className="hidden sm:inline">{title}</span>
              </button>
            </li>
          ))}
        </ol>
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="mb-3 text-base font-semibold outline-none">
            {titles[step]}
          </h2>
          {failure && (
            <Notice tone="danger" role="alert" className="mb-4">
              {failureText(t, failure)}
            </Notice>
          )}
          {step === 0 && <WhatStep {...shared} experiments={experiments} />}
          {step === 1 && <WhereStep {...shared} project={project} computers={computers} />}
          {step === 2 && (
            <Review
              draft={draft}
              computer={computers.find((c) => c.name === draft.computer)}
              experiment={
                experiments.find((e) => (draft.experimentId ? e.id === draft.experimentId : e.isDefault))?.name ??
                'default'
              }
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}
