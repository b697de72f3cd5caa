import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import clsx from 'clsx';
import { Plus, Server } from 'lucide-react';
import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutation, useQuery } from 'urql';
import { failureText } from '@/api/errors';
import type { ComputersPageQuery } from '@/api/generated/graphql';
import { useViewer } from '@/api/viewer';
import { Button, Dialog, EmptyState, Skeleton, TextField } from '@/ui';
import { cellClass, Page, Table } from '@/ui/Page';
import { ComputerDetails } from './ComputerDetails';
import { ComputersQuery, CreateComputerMutation } from './queries';
import { WorkerCell } from './WorkerCell';

export type ComputerItem = NonNullable<ComputersPageQuery['project']>['computers']['nodes'][number];

const REFRESH_MS = 10_000;

export function ComputersPage(): ReactElement {
  const { t } = useTranslation();
  const { project } = useParams({ strict: false }) as { project: string };
  const { computer: openName } = useSearch({ strict: false }) as { computer?: string };
  const navigate = useNavigate();
  const { viewer } = useViewer();
  const [creating, setCreating] = useState(false);
  const [{ data, error }, refresh] = useQuery({
    query: ComputersQuery,
    variables: { project },
    requestPolicy: 'cache-and-network',
  });
  useEffect(() => {
    const timer = setInterval(() => refresh({ requestPolicy: 'network-only' }), REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);

  const computers = data?.project?.computers.nodes;
  const opened = computers?.find((c) => c.name === openName || c.id === openName);
  const open = (name: string | undefined) =>
    void navigate({ to: '/p/$project/computers', params: { project }, search: { computer: name } });
  const create = viewer?.isGlobalAdmin && (
    <Button variant="primary" icon={<Plus />} onClick={() => setCreating(true)}>
      {t('computers.add')}
    </Button>
  );
  return (
    <Page title={t('computers.title')} action={create}>
      {error && !computers ? (
        <EmptyState
          title={t('common.loadFailedTitle')}
          body={failureText(t, error)}
          action={<Button onClick={() => refresh({ requestPolicy: 'network-only' })}>{t('common.tryAgain')}</Button>}
        />
      ) : !computers ? (
        <div className="flex flex-col gap-3 p-5">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      ) : computers.length === 0 ? (
        <EmptyState icon={<Server />} title={t('computers.emptyTitle')} body={t('computers.emptyBody')} />
      ) : (
        <>
          <Table
            label={t('computers.title')}
            head={[
              t('computers.name'),
              t('computers.kind'),
              t('computers.worker'),
              t('computers.jobs'),
              'GPU',
              t('computers.runtimes'),
              t('computers.owner'),
            ]}
          >
            {computers.map((c) => (
              <tr
                key={c.id}
                className={clsx('border-b border-line', c === opened ? 'bg-accent-soft' : 'hover:bg-hover')}
              >
                <td className={cellClass}>
                  <button
                    type="button"
                    className="rounded-sm font-medium text-accent-text hover:underline"
                    aria-expanded={c === opened}
                    onClick={() => open(c === opened ? undefined : c.name)}
                  >
                    {c.name}
                  </button>
                  {!c.enabled && <span className="ml-2 text-xs text-warning">{t('computers.disabled')}</span>}
                </td>
                <td className={clsx(cellClass, 'text-fg-2')}>{t(`computers.kinds.${c.kind}`)}</td>
                <td className={cellClass}>
                  <WorkerCell computer={c} />
                </td>
                <td className={clsx(cellClass, 'text-fg-2 tnum')}>{`${c.activeJobs} / ${c.maxJobs ?? '∞'}`}</td>
                <td className={clsx(cellClass, 'text-fg-2 tnum')}>
                  {c.gpus.length > 0 ? `${c.gpus.filter((g) => g.inUse).length} / ${c.gpus.length}` : '–'}
                </td>
                <td className={clsx(cellClass, 'text-fg-2')}>{c.runtimes.join(', ') || '–'}</td>
                <td className={clsx(cellClass, 'text-fg-2')}>{c.owner?.displayName ?? '–'}</td>
              </tr>
            ))}
          </Table>
          {opened && (
            <ComputerDetails
              key={opened.id}
              project={project}
              computer={opened}
              onClose={() => open(undefined)}
              onChanged={() => refresh({ requestPolicy: 'network-only' })}
            />
          )}
        </>
      )}
      <NewComputer
        open={creating}
        onClose={() => setCreating(false)}
        onCreated={(name) => {
          refresh({ requestPolicy: 'network-only' });
          open(name);
        }}
      />
    </Page>
  );
}

function NewComputer({
  open,
  onClose,
  onCreated,
}: {
  open: boolean;
  onClose: () => void;
  onCreated: (name: string) => void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [{ fetching, error }, create] = useMutation(CreateComputerMutation);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: { name: name.trim(), kind: 'LOCAL', visibility: 'PUBLIC' } });
    if (!data) return;
    setName('');
    onClose();
    onCreated(data.createComputer.computer.name);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('computers.addTitle')}
      description={t('computers.addBody')}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form="new-computer" variant="primary" busy={fetching} disabled={!name.trim()}>
            {t('computers.add')}
          </Button>
        </>
      }
    >
      <form id="new-computer" onSubmit={(event) => void submit(event)} className="pt-2">
        <TextField
          label={t('computers.name')}
          value={name}
          maxLength={64}
          placeholder="gpu-1"
          error={error && failureText(t, error)}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
