import { useClient } from 'urql';
import { graphql } from '@/api/generated';
import type { LaunchJobInput } from '@/api/generated/graphql';

const LaunchAgainQuery = graphql(`
  query LaunchAgain($id: ID!) {
    job(id: $id) {
      id gpuIds gpuCount maxAttempts priority
      computer { id name }
      run { id name kind parameters tags experiment { id } }
      snapshot { command workingDirectory environment parameters timeLimitSeconds }
    }
  }
`);

const two = (n: number) => String(n).padStart(2, '0');
const timeLimit = (seconds: number) =>
  `${two(Math.floor(seconds / 3600))}:${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;

/** What a job was launched with, to start the launch dialog from. Secret values are not known any more. */
export function useLaunchAgain() {
  const client = useClient();
  return async (id: string): Promise<Partial<LaunchJobInput> | null> => {
    const { data } = await client.query(LaunchAgainQuery, { id }).toPromise();
    const job = data?.job;
    if (!job) return null;
    const { snapshot, run } = job;
    return {
      name: run.name,
      kind: run.kind,
      experimentId: run.experiment.id,
      command: snapshot.command,
      workingDirectory: snapshot.workingDirectory ?? null,
      parameters: snapshot.parameters,
      tags: run.tags,
      environment: snapshot.environment,
      computer: job.computer.name,
      gpuIds: [...job.gpuIds],
      maxAttempts: job.maxAttempts,
      priority: job.priority,
      ...(snapshot.timeLimitSeconds ? { timeLimit: timeLimit(snapshot.timeLimitSeconds) } : {}),
    };
  };
}
