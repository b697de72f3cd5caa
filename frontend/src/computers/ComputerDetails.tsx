import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation } from 'urql';
import { failureText } from '@/api/errors';
import { formatInt } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { Button, Checkbox, CopyBlock, IconButton, Notice, TextField, Time } from '@/ui';
import { cellClass, Section, Table } from '@/ui/Page';
import type { ComputerItem } from './ComputersPage';
import { CreateWorkerTokenMutation, UpdateComputerMutation } from './queries';

interface DetailsProps {
  project: string;
  computer: ComputerItem;
  onClose: () => void;
  onChanged: () => void;
}

export function ComputerDetails({ project, computer, onClose, onChanged }: DetailsProps): ReactElement {
  const { t } = useTranslation();
  const lang = useLang();
  const facts = [
    computer.cpuCount ? t('computers.cpus', { count: computer.cpuCount }) : null,
    computer.memoryMib ? t('computers.memory', { gib: formatInt(Math.round(computer.memoryMib / 1024), lang) }) : null,
    computer.workFolder,
  ].filter(Boolean);
  return (
    <section aria-label={computer.name} className="border-t-2 border-line">
      <div className="flex items-center gap-3 px-5 pt-4">
        <h2 className="text-lg font-semibold">{computer.name}</h2>
        <span className="text-sm text-fg-2">{facts.join(' · ')}</span>
        <span className="flex-1" />
        <IconButton label={t('common.close')} onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <Section title={t('computers.workers')}>
        {computer.workers.length === 0 ? (
          <p className="text-sm text-fg-2">{t('computers.noWorkers', { name: computer.name })}</p>
        ) : (
          <Table
            label={t('computers.workers')}
            head={[
              t('computers.name'),
              t('computers.host'),
              t('computers.version'),
              t('computers.state'),
              t('computers.lastSeen'),
            ]}
          >
            {computer.workers.map((w) => (
              <tr key={w.id} className="border-b border-line last:border-b-0">
                <td className={cellClass}>{w.name}</td>
                <td className={cellClass}>{w.hostname}</td>
                <td className={cellClass}>{w.version}</td>
                <td className={cellClass}>
                  {w.state !== 'ONLINE'
                    ? t('common.worker.offline')
                    : w.draining
                      ? t('computers.draining')
                      : t('computers.online')}
                </td>
                <td className={cellClass}>
                  <Time at={w.lastSeenAt} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
      {computer.gpus.length > 0 && (
        <Section title="GPU">
          <ul className="flex flex-col gap-1.5 text-sm">
            {computer.gpus.map((gpu) => (
              <li key={gpu.id} className="flex flex-wrap items-center gap-x-3">
                <span className="w-6 font-mono text-xs text-fg-3">{gpu.id}</span>
                <span>{gpu.name}</span>
                {gpu.memoryMib && (
                  <span className="text-fg-3">
                    {t('computers.memory', { gib: formatInt(Math.round(gpu.memoryMib / 1024), lang) })}
                  </span>
                )}
                {gpu.job ? (
                  <Link
                    to="/p/$project/jobs"
                    params={{ project }}
                    search={{ job: gpu.job.id }}
                    className="text-accent-text hover:underline"
                  >
                    {`${gpu.job.shortId} · ${gpu.job.run.name}`}
                  </Link>
                ) : (
                  <span className="text-fg-3">{gpu.inUse ? t('computers.inUse') : t('computers.free')}</span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {computer.canManage && <Settings computer={computer} onChanged={onChanged} />}
      {computer.canManage && computer.kind !== 'SITE' && <WorkerSetup project={project} computer={computer} />}
    </section>
  );
}

function Settings({ computer, onChanged }: { computer: ComputerItem; onChanged: () => void }) {
  const { t } = useTranslation();
  const [{ fetching, error }, update] = useMutation(UpdateComputerMutation);
  const [enabled, setEnabled] = useState(computer.enabled);
  const [maxJobs, setMaxJobs] = useState(computer.maxJobs ? String(computer.maxJobs) : '');
  const [workFolder, setWorkFolder] = useState(computer.workFolder ?? '');
  const wrong = maxJobs.trim() !== '' && !/^\d{1,5}$/.test(maxJobs.trim());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await update({
      input: { computerId: computer.id, enabled, maxJobs: Number(maxJobs || 0), workFolder },
    });
    if (data) onChanged();
  };
  return (
    <Section title={t('computers.settings')}>
      <form className="flex max-w-xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Checkbox
          checked={enabled}
          onChange={setEnabled}
          label={t('computers.enabled')}
          hint={t('computers.enabledHint')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('computers.maxJobs')}
            hint={t('computers.maxJobsHint')}
            inputMode="numeric"
            value={maxJobs}
            error={wrong && t('computers.maxJobsHint')}
            onChange={(event) => setMaxJobs(event.target.value)}
          />
          <TextField
            mono
            label={t('computers.workFolder')}
            hint={t('computers.workFolderHint')}
            value={workFolder}
            onChange={(event) => setWorkFolder(event.target.value)}
          />
        </div>
        {error && (
          <Notice tone="danger" role="alert">
            {failureText(t, error)}
          </Notice>
        )}
        <div>
          <Button type="submit" busy={fetching} disabled={wrong}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** M-57: only for the computer's owner and global administrators. */
function WorkerSetup({ project, computer }: { project: string; computer: ComputerItem }) {
  const { t } = useTranslation();
  const [{ data, fetching, error }, create] = useMutation(CreateWorkerTokenMutation);
  return (
    <Section title={t('computers.setup')} hint={t('computers.setupHint', { name: computer.name })}>
      {data ? (
        <div className="flex max-w-3xl flex-col gap-2">
          {data.createWorkerToken.setupCommands.map((command) => (
            <CopyBlock key={command} text={command} label={t('computers.copyCommand')} />
          ))}
          <p className="text-xs text-fg-3">{t('computers.shownOnce')}</p>
        </div>
      ) : (
        <div>
          <Button
            busy={fetching}
            onClick={() => void create({ input: { project, computers: [computer.id], name: computer.name } })}
          >
            {t('computers.makeToken')}
          </Button>
        </div>
      )}
      {error && (
        <Notice tone="danger" role="alert">
          {failureText(t, error)}
        </Notice>
      )}
    </Section>
  );
}
