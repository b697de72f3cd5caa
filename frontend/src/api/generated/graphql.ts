import { gql } from 'urql';
/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type ComputerKind =
  | 'LOCAL'
  | 'SSH'
  | 'SITE';

export type Visibility =
  | 'PUBLIC'
  | 'PRIVATE';

export type WorkerState =
  | 'ONLINE'
  | 'OFFLINE'
  | 'NONE'
  | 'NOT_NEEDED';

export type GpuInput = {
  index: number;
  name?: string;
  uuid?: string | null | undefined;
  memoryMib?: number | null | undefined;
};

export type CreateComputerInput = {
  name: string;
  kind?: ComputerKind;
  visibility?: Visibility;
  maxJobs?: number | null | undefined;
  workFolder?: string | null | undefined;
  gpus?: Array<GpuInput> | null | undefined;
};

/** maxJobs 0: no limit. */
export type UpdateComputerInput = {
  computerId: string | number;
  name?: string | null | undefined;
  enabled?: boolean | null | undefined;
  maxJobs?: number | null | undefined;
  workFolder?: string | null | undefined;
  visibility?: Visibility | null | undefined;
};

export type CreateWorkerTokenInput = {
  project: string;
  computers: Array<string>;
  name?: string | null | undefined;
  expiresInDays?: number | null | undefined;
};

export type Severity =
  | 'INFO'
  | 'WARNING'
  | 'ERROR';

export type RunKind =
  | 'TRAINING'
  | 'FINE_TUNING'
  | 'INFERENCE'
  | 'EVALUATION'
  | 'DATA_PROCESSING';

export type JobStatus =
  | 'QUEUED'
  | 'ASSIGNED'
  | 'RUNNING'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED';

/** Where a job is inside its status; null when the status says it all. */
export type JobPhase =
  | 'UPLOAD_PENDING'
  | 'UPLOADING'
  | 'HOLDING'
  | 'WAITING_FOR_JOB'
  | 'WAITING_FOR_MACHINE'
  | 'SYNC_FAILED'
  | 'WAITING_MANUAL_SUBMISSION'
  | 'SUBMITTING'
  | 'IN_SCHEDULER_QUEUE'
  | 'SYNC_PENDING'
  | 'SYNCING'
  | 'PREPARING'
  | 'WAITING_FOR_GPU'
  | 'SAVING_OUTPUTS'
  | 'STOPPING';

/** Why a job ended, when its exit code does not say it. */
export type JobEndReason =
  | 'TIMED_OUT'
  | 'QUEUE_TIMEOUT'
  | 'SUBMISSION_FAILED'
  | 'PREEMPTED'
  | 'DEPENDENCY_FAILED'
  | 'MACHINE_STOPPED'
  | 'PREPARATION_FAILED'
  | 'WORKER_LOST'
  | 'OUT_OF_MEMORY'
  | 'HUNG'
  | 'EARLY_STOPPED'
  | 'PARENT_STOPPED'
  | 'STOPPED_BY_USER';

export type JobAction =
  | 'STOP'
  | 'KILL'
  | 'RERUN'
  | 'HOLD'
  | 'UNHOLD'
  | 'SET_PRIORITY'
  | 'MOVE'
  | 'FORCE_END';

export type WaitingCode =
  | 'NO_WORKER'
  | 'WORKER_OFFLINE'
  | 'WORKER_BUSY'
  | 'HOLDING'
  | 'WAITING_FOR_JOB'
  | 'MACHINE_STARTING'
  | 'COMPUTER_DISABLED'
  | 'COMPUTER_DELETED'
  | 'NEVER'
  | 'QUEUED';

export type WaitingReasonCode =
  | 'CONCURRENCY_LIMIT'
  | 'GPU_IN_USE'
  | 'COMPUTER_DISABLED'
  | 'RUNTIME_MISSING'
  | 'LOCAL_EXECUTOR_OFF'
  | 'BEHIND_OTHERS'
  | 'WORKER_DRAINING';

export type JobFilter = {
  status?: Array<JobStatus> | null | undefined;
  endReasons?: Array<JobEndReason> | null | undefined;
  kinds?: Array<RunKind> | null | undefined;
  /** name or id */
  computer?: string | null | undefined;
  createdBy?: string | number | null | undefined;
  arrayId?: string | number | null | undefined;
  /** starts with (job id, run name) over all jobs; contains over the newest 100,000 */
  text?: string | null | undefined;
};

export type LaunchJobInput = {
  /** The project's key. */
  project: string;
  /** A UUID of the client's; the same id within 24 h returns the first result. */
  requestId?: string | null | undefined;
  /** The project's default experiment when left out. */
  experimentId?: string | number | null | undefined;
  /** The Run's name; made from the command when left out. */
  name?: string | null | undefined;
  kind?: RunKind;
  /** One shell command line (sh -c), at most 64 KiB. */
  command: string;
  /** Absolute path on the computer, ~ allowed; the computer's work folder when left out. */
  workingDirectory?: string | null | undefined;
  /** A JSON object, at most 256 KiB. */
  parameters?: unknown;
  tags?: unknown;
  /** A JSON object of strings; readable by viewers. */
  environment?: unknown;
  /** A JSON object of strings; names visible, values never returned and masked in output. */
  secretEnvironment?: unknown;
  /** Name or id. */
  computer: string;
  /** Ids of the computer's GPUs; none: CPU only. */
  gpuIds?: Array<string> | null | undefined;
  /** Any n free GPUs, instead of gpuIds. */
  gpuCount?: number | null | undefined;
  /** HH:MM:SS or D-HH:MM:SS */
  timeLimit?: string | null | undefined;
  /** 1..100, automatic retries only. */
  maxAttempts?: number;
  /** Higher runs first, -1000..1000. */
  priority?: number;
  held?: boolean;
  /** Starts when all of these have succeeded. */
  after?: Array<string | number> | null | undefined;
  /** Starts when all of these have ended, however. */
  afterAny?: Array<string | number> | null | undefined;
};

/** Exactly one of jobIds (at most 10,000) and project + filter (refused when the count is not expectedCount). */
export type JobsInput = {
  jobIds?: Array<string | number> | null | undefined;
  project?: string | null | undefined;
  filter?: JobFilter | null | undefined;
  expectedCount?: number | null | undefined;
};

export type RerunJobInput = {
  jobId: string | number;
  requestId?: string | null | undefined;
};

export type SetPriorityInput = {
  jobIds: Array<string | number>;
  priority: number;
};

export type MoveJobsInput = {
  jobIds: Array<string | number>;
  computer: string;
};

export type LogLevel =
  | 'INFO'
  | 'WARNING'
  | 'ERROR';

export type LogStream =
  | 'STDOUT'
  | 'STDERR'
  | 'SYSTEM';

export type Role =
  | 'VIEWER'
  | 'EDITOR'
  | 'ADMIN';

export type CreateProjectInput = {
  key: string;
  name: string;
};

export type SetMemberInput = {
  project: string;
  userName: string;
  role: Role;
};

export type RemoveMemberInput = {
  project: string;
  userName: string;
};

/** The kinds of viewer. */
export type ViewerKind =
  /** Nobody signed in. */
  | 'ANYONE'
  /** A person, by session cookie or by API token. */
  | 'PERSON'
  /** A person signed in with a browser; never a token. */
  | 'SESSION'
  /** A global administrator. */
  | 'GLOBAL_ADMIN'
  /** A worker, by worker token. */
  | 'WORKER'
  /** The code of a running job, by its job token. */
  | 'JOB';

/** What an API token may do, at most what its owner may do. */
export type Scope =
  | 'READ'
  | 'RUNS_WRITE'
  | 'JOBS_WRITE'
  | 'ARTIFACTS_WRITE'
  | 'REGISTRY_WRITE'
  | 'WORKER_EXECUTE'
  | 'ADMIN';

export type Language =
  | 'EN'
  | 'JA';

export type Theme =
  | 'SYSTEM'
  | 'LIGHT'
  | 'DARK';

/** Exactly one of password (with name) and link (the secret of a one-time sign-in link). */
export type SignInInput = {
  name?: string | null | undefined;
  password?: string | null | undefined;
  link?: string | null | undefined;
};

export type SetPasswordInput = {
  currentPassword?: string | null | undefined;
  newPassword: string;
};

export type UpdateProfileInput = {
  language?: Language | null | undefined;
  theme?: Theme | null | undefined;
  displayName?: string | null | undefined;
};

export type CreateUserInput = {
  name: string;
  displayName?: string | null | undefined;
  isGlobalAdmin?: boolean;
};

export type UpdateUserInput = {
  userId: string | number;
  disabled?: boolean | null | undefined;
  isGlobalAdmin?: boolean | null | undefined;
};

/** expiresInDays: 1..365, default 90. */
export type CreateApiTokenInput = {
  name: string;
  scopes: Array<Scope>;
  expiresInDays?: number;
};

export type RevokeTokenInput = {
  tokenId: string | number;
};

export type AccountQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountQuery = { viewer: { kind: ViewerKind, isGlobalAdmin: boolean, language: Language, theme: Theme, hasPassword: boolean, user: { id: string, name: string, displayName: string } | null, apiTokens: Array<{ id: string, name: string, prefix: string, scopes: Array<Scope>, createdAt: string, expiresAt: string | null, lastUsedAt: string | null }>, sessions: Array<{ id: string, createdAt: string, lastSeenAt: string, expiresAt: string, userAgent: string, current: boolean }> } | null };

export type SetPasswordMutationVariables = Exact<{
  input: SetPasswordInput;
}>;


export type SetPasswordMutation = { setPassword: { ok: boolean } };

export type UpdateNameMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdateNameMutation = { updateProfile: { viewer: { user: { id: string, name: string, displayName: string } | null } } };

export type SignOutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutEverywhereMutation = { signOut: { ok: boolean } };

export type CreateApiTokenMutationVariables = Exact<{
  input: CreateApiTokenInput;
}>;


export type CreateApiTokenMutation = { createApiToken: { secret: string, token: { id: string } } };

export type RevokeTokenMutationVariables = Exact<{
  input: RevokeTokenInput;
}>;


export type RevokeTokenMutation = { revokeToken: { token: { id: string } } };

export type UsersQueryVariables = Exact<{ [key: string]: never; }>;


export type UsersQuery = { users: { nodes: Array<{ id: string, name: string, displayName: string, isGlobalAdmin: boolean, disabledAt: string | null }> } };

export type CreateUserMutationVariables = Exact<{
  input: CreateUserInput;
}>;


export type CreateUserMutation = { createUser: { signInUrl: string, user: { id: string, name: string } } };

export type UpdateUserMutationVariables = Exact<{
  input: UpdateUserInput;
}>;


export type UpdateUserMutation = { updateUser: { user: { id: string, isGlobalAdmin: boolean, disabledAt: string | null } } };

export type UpdatePreferencesMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdatePreferencesMutation = { updateProfile: { viewer: { language: Language, theme: Theme } } };

export type JobsPulseSubscriptionVariables = Exact<{
  project: string;
  after?: string | null | undefined;
}>;


export type JobsPulseSubscription = { jobsChanged: { cursor: string } };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { kind: ViewerKind, isGlobalAdmin: boolean, language: Language, theme: Theme, hasPassword: boolean, user: { id: string, name: string, displayName: string } | null } | null, projects: Array<{ id: string, key: string, name: string, role: Role }> };

export type ServerQueryVariables = Exact<{ [key: string]: never; }>;


export type ServerQuery = { server: { version: string, needsSetup: boolean, defaultLanguage: Language } };

export type SignInMutationVariables = Exact<{
  input: SignInInput;
}>;


export type SignInMutation = { signIn: { viewer: { language: Language, theme: Theme, user: { id: string, name: string, displayName: string } | null } } };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: { ok: boolean } };

export type ComputersPageQueryVariables = Exact<{
  project: string;
}>;


export type ComputersPageQuery = { project: { id: string, computers: { nodes: Array<{ id: string, name: string, kind: ComputerKind, visibility: Visibility, enabled: boolean, maxJobs: number | null, workFolder: string | null, runtimes: Array<string>, activeJobs: number, cpuCount: number | null, memoryMib: number | null, canManage: boolean, usable: boolean, workerState: WorkerState, lastSeenAt: string | null, owner: { id: string, name: string, displayName: string } | null, pricePerHour: { amount: string, currency: string } | null, gpus: Array<{ id: string, name: string, memoryMib: number | null, inUse: boolean, job: { id: string, shortId: string, run: { id: string, name: string } } | null }>, workers: Array<{ id: string, name: string, hostname: string, version: string, state: WorkerState, draining: boolean, lastSeenAt: string }> }> } } | null };

export type CreateComputerMutationVariables = Exact<{
  input: CreateComputerInput;
}>;


export type CreateComputerMutation = { createComputer: { computer: { id: string, name: string } } };

export type UpdateComputerMutationVariables = Exact<{
  input: UpdateComputerInput;
}>;


export type UpdateComputerMutation = { updateComputer: { computer: { id: string, name: string, enabled: boolean, maxJobs: number | null, workFolder: string | null, visibility: Visibility } } };

export type CreateWorkerTokenMutationVariables = Exact<{
  input: CreateWorkerTokenInput;
}>;


export type CreateWorkerTokenMutation = { createWorkerToken: { setupCommands: Array<string> } };

export type JobRowFragment = { id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null };

export type JobsPageQueryVariables = Exact<{
  project: string;
  filter?: JobFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type JobsPageQuery = { project: { id: string, jobs: { edges: Array<{ cursor: string, node: { id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type JobCountsQueryVariables = Exact<{
  project: string;
  filter?: JobFilter | null | undefined;
}>;


export type JobCountsQuery = { project: { id: string, jobCounts: Array<{ status: JobStatus, count: number, atLeast: boolean }>, blockedQueues: Array<{ queued: number, workerState: WorkerState, lastSeenAt: string | null, computer: { id: string, name: string, canManage: boolean } }> } | null };

export type JobsChangedSubscriptionVariables = Exact<{
  project: string;
  filter?: JobFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type JobsChangedSubscription = { jobsChanged: { cursor: string, removedIds: Array<string>, resync: boolean, changed: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }> } };

export type JobFilterChoicesQueryVariables = Exact<{
  project: string;
}>;


export type JobFilterChoicesQuery = { project: { id: string, people: Array<{ id: string, name: string, displayName: string }>, computers: { nodes: Array<{ id: string, name: string }> } } | null };

export type JobDetailFragment = { command: string, error: string | null, errorArgs: unknown, heartbeatAt: string | null, assignedAt: string | null, logLineCount: number, id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, cost: { amount: string, currency: string } | null, stopRequestedBy: { id: string, name: string, displayName: string } | null, progress: { percent: number, current: number | null, total: number | null, etaSeconds: number | null, label: string | null } | null, after: Array<{ id: string, shortId: string, status: JobStatus, run: { id: string, name: string } }>, waiting: { code: WaitingCode, message: string, args: unknown, jobsAhead: number | null, estimatedStart: string | null, possibleReasons: Array<{ code: WaitingReasonCode, args: unknown }> } | null, run: { id: string, shortId: string, name: string, kind: RunKind, parameters: unknown, tags: unknown, experiment: { id: string, name: string } }, computer: { id: string, name: string, kind: ComputerKind, canManage: boolean }, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null };

export type JobDetailQueryVariables = Exact<{
  id: string | number;
}>;


export type JobDetailQuery = { job: { command: string, error: string | null, errorArgs: unknown, heartbeatAt: string | null, assignedAt: string | null, logLineCount: number, id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, project: { id: string, key: string }, cost: { amount: string, currency: string } | null, stopRequestedBy: { id: string, name: string, displayName: string } | null, progress: { percent: number, current: number | null, total: number | null, etaSeconds: number | null, label: string | null } | null, after: Array<{ id: string, shortId: string, status: JobStatus, run: { id: string, name: string } }>, waiting: { code: WaitingCode, message: string, args: unknown, jobsAhead: number | null, estimatedStart: string | null, possibleReasons: Array<{ code: WaitingReasonCode, args: unknown }> } | null, run: { id: string, shortId: string, name: string, kind: RunKind, parameters: unknown, tags: unknown, experiment: { id: string, name: string } }, computer: { id: string, name: string, kind: ComputerKind, canManage: boolean }, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null } | null };

export type JobSnapshotQueryVariables = Exact<{
  id: string | number;
}>;


export type JobSnapshotQuery = { job: { id: string, snapshot: { command: string, workingDirectory: string | null, environment: unknown, secretNames: Array<string>, parameters: unknown, timeLimitSeconds: number | null } } | null };

export type JobChangedSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type JobChangedSubscription = { jobChanged: { command: string, error: string | null, errorArgs: unknown, heartbeatAt: string | null, assignedAt: string | null, logLineCount: number, id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, cost: { amount: string, currency: string } | null, stopRequestedBy: { id: string, name: string, displayName: string } | null, progress: { percent: number, current: number | null, total: number | null, etaSeconds: number | null, label: string | null } | null, after: Array<{ id: string, shortId: string, status: JobStatus, run: { id: string, name: string } }>, waiting: { code: WaitingCode, message: string, args: unknown, jobsAhead: number | null, estimatedStart: string | null, possibleReasons: Array<{ code: WaitingReasonCode, args: unknown }> } | null, run: { id: string, shortId: string, name: string, kind: RunKind, parameters: unknown, tags: unknown, experiment: { id: string, name: string } }, computer: { id: string, name: string, kind: ComputerKind, canManage: boolean }, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null } };

export type JobEventItemFragment = { id: string, cursor: string, type: string, source: string, severity: Severity, time: string, durationSeconds: number | null, attempt: number, args: unknown, actor: { id: string, name: string, displayName: string } | null };

export type JobEventsQueryVariables = Exact<{
  id: string | number;
  first: number;
  after?: string | null | undefined;
}>;


export type JobEventsQuery = { job: { id: string, events: { nodes: Array<{ id: string, cursor: string, type: string, source: string, severity: Severity, time: string, durationSeconds: number | null, attempt: number, args: unknown, actor: { id: string, name: string, displayName: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type JobEventsLiveSubscriptionVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type JobEventsLiveSubscription = { jobEvents: { id: string, cursor: string, type: string, source: string, severity: Severity, time: string, durationSeconds: number | null, attempt: number, args: unknown, actor: { id: string, name: string, displayName: string } | null } };

export type RequestStopMutationVariables = Exact<{
  input: JobsInput;
}>;


export type RequestStopMutation = { requestStop: { done: number, refusedCount: number, jobs: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }>, refused: Array<{ jobId: string, code: string, message: string }> } };

export type KillJobsMutationVariables = Exact<{
  input: JobsInput;
}>;


export type KillJobsMutation = { killJobs: { done: number, refusedCount: number, jobs: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }>, refused: Array<{ jobId: string, code: string, message: string }> } };

export type ForceEndJobsMutationVariables = Exact<{
  input: JobsInput;
}>;


export type ForceEndJobsMutation = { forceEndJobs: { done: number, refusedCount: number, jobs: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }>, refused: Array<{ jobId: string, code: string, message: string }> } };

export type HoldJobsMutationVariables = Exact<{
  input: JobsInput;
}>;


export type HoldJobsMutation = { holdJobs: { done: number, refusedCount: number, jobs: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }>, refused: Array<{ jobId: string, code: string, message: string }> } };

export type UnholdJobsMutationVariables = Exact<{
  input: JobsInput;
}>;


export type UnholdJobsMutation = { unholdJobs: { done: number, refusedCount: number, jobs: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }>, refused: Array<{ jobId: string, code: string, message: string }> } };

export type SetPriorityMutationVariables = Exact<{
  input: SetPriorityInput;
}>;


export type SetPriorityMutation = { setPriority: { done: number, refusedCount: number, jobs: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }>, refused: Array<{ jobId: string, code: string, message: string }> } };

export type MoveJobsMutationVariables = Exact<{
  input: MoveJobsInput;
}>;


export type MoveJobsMutation = { moveJobs: { done: number, refusedCount: number, jobs: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }>, refused: Array<{ jobId: string, code: string, message: string }> } };

export type RerunJobMutationVariables = Exact<{
  input: RerunJobInput;
}>;


export type RerunJobMutation = { rerunJob: { existing: boolean, job: { id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, noResponse: boolean, stopRequestedAt: string | null, priority: number, gpuIds: Array<string>, gpuCount: number, attempt: number, maxAttempts: number, arrayIndex: number | null, exitCode: number | null, errorCode: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, durationSeconds: number | null, allowedActions: Array<JobAction>, deniedReason: string | null, array: { id: string, name: string, size: number } | null, createdBy: { id: string, name: string, displayName: string }, computer: { id: string, name: string, kind: ComputerKind }, run: { id: string, name: string, kind: RunKind }, progress: { percent: number, etaSeconds: number | null, label: string | null } | null, retryOf: { id: string, shortId: string } | null, retriedBy: { id: string, shortId: string } | null }, run: { id: string, name: string } } };

export type LaunchAgainQueryVariables = Exact<{
  id: string | number;
}>;


export type LaunchAgainQuery = { job: { id: string, gpuIds: Array<string>, gpuCount: number, maxAttempts: number, priority: number, computer: { id: string, name: string }, run: { id: string, name: string, kind: RunKind, parameters: unknown, tags: unknown, experiment: { id: string } }, snapshot: { command: string, workingDirectory: string | null, environment: unknown, parameters: unknown, timeLimitSeconds: number | null } } | null };

export type LaunchJobMutationVariables = Exact<{
  input: LaunchJobInput;
}>;


export type LaunchJobMutation = { launchJob: { existing: boolean, job: { id: string }, run: { id: string, name: string } } };

export type LaunchOptionsQueryVariables = Exact<{
  project: string;
}>;


export type LaunchOptionsQuery = { project: { id: string, experiments: Array<{ id: string, name: string, isDefault: boolean }>, computers: { nodes: Array<{ id: string, name: string, kind: ComputerKind, enabled: boolean, usable: boolean, workerState: WorkerState, workFolder: string | null, gpus: Array<{ id: string, name: string, memoryMib: number | null, inUse: boolean }>, pricePerHour: { amount: string, currency: string } | null }> } } | null };

export type JobLogQueryVariables = Exact<{
  id: string | number;
  tail?: number | null | undefined;
  fromLine?: number | null | undefined;
  toLine?: number | null | undefined;
  levels?: Array<LogLevel> | LogLevel | null | undefined;
  search?: string | null | undefined;
}>;


export type JobLogQuery = { job: { id: string, log: { nextLine: number, totalLines: number, matchingLines: number, truncated: boolean, ended: boolean, lines: Array<{ number: number, time: string, level: LogLevel, stream: LogStream, message: string, partial: boolean, cut: boolean }> } } | null };

export type JobLogLinesSubscriptionVariables = Exact<{
  id: string | number;
  fromLine?: number | null | undefined;
}>;


export type JobLogLinesSubscription = { jobLog: { nextLine: number, totalLines: number, ended: boolean, lines: Array<{ number: number, time: string, level: LogLevel, stream: LogStream, message: string, partial: boolean, cut: boolean }> } };

export type MembersQueryVariables = Exact<{
  project: string;
}>;


export type MembersQuery = { project: { id: string, members: Array<{ role: Role, user: { id: string, name: string, displayName: string } }> } | null };

export type SetMemberMutationVariables = Exact<{
  input: SetMemberInput;
}>;


export type SetMemberMutation = { setMember: { member: { role: Role, user: { id: string, name: string, displayName: string } } } };

export type RemoveMemberMutationVariables = Exact<{
  input: RemoveMemberInput;
}>;


export type RemoveMemberMutation = { removeMember: { ok: boolean } };

export type PaletteJobsQueryVariables = Exact<{
  project: string;
  text: string;
}>;


export type PaletteJobsQuery = { project: { id: string, jobs: { nodes: Array<{ id: string, shortId: string, status: JobStatus, phase: JobPhase | null, endReason: JobEndReason | null, held: boolean, run: { id: string, name: string }, computer: { id: string, name: string } }> } } | null };

export type InUseQueryVariables = Exact<{
  project: string;
}>;


export type InUseQuery = { project: { id: string, computers: { nodes: Array<{ id: string, kind: ComputerKind, activeJobs: number, workerState: WorkerState, gpus: Array<{ id: string, inUse: boolean }> }> } } | null };

export type CreateProjectMutationVariables = Exact<{
  input: CreateProjectInput;
}>;


export type CreateProjectMutation = { createProject: { project: { id: string, key: string, name: string, role: Role } } };

const fragmentJobRow = "fragment JobRow on Job{id shortId status phase endReason held noResponse stopRequestedAt priority gpuIds gpuCount attempt maxAttempts arrayIndex exitCode errorCode createdAt startedAt endedAt durationSeconds array{id name size}createdBy{id name displayName}computer{id name kind}run{id name kind}progress{percent etaSeconds label}retryOf{id shortId}retriedBy{id shortId}allowedActions deniedReason}";
const fragmentJobDetail = "fragment JobDetail on Job{...JobRow command error errorArgs heartbeatAt assignedAt logLineCount cost{amount currency}stopRequestedBy{id name displayName}progress{percent current total etaSeconds label}after{id shortId status run{id name}}waiting{code message args jobsAhead estimatedStart possibleReasons{code args}}run{id shortId name kind parameters tags experiment{id name}}computer{id name kind canManage}}";
const fragmentJobEventItem = "fragment JobEventItem on JobEvent{id cursor type source severity time durationSeconds attempt args actor{id name displayName}}";
export const JobRowFragmentDoc = /*#__PURE__*/ gql(fragmentJobRow) as DocumentNode<JobRowFragment, unknown>;
export const JobDetailFragmentDoc = /*#__PURE__*/ gql(fragmentJobDetail + fragmentJobRow) as DocumentNode<JobDetailFragment, unknown>;
export const JobEventItemFragmentDoc = /*#__PURE__*/ gql(fragmentJobEventItem) as DocumentNode<JobEventItemFragment, unknown>;
export const AccountDocument = /*#__PURE__*/ gql("query Account{viewer{kind isGlobalAdmin language theme hasPassword user{id name displayName}apiTokens{id name prefix scopes createdAt expiresAt lastUsedAt}sessions{id createdAt lastSeenAt expiresAt userAgent current}}}") as DocumentNode<AccountQuery, AccountQueryVariables>;
export const SetPasswordDocument = /*#__PURE__*/ gql("mutation SetPassword($input:SetPasswordInput!){setPassword(input:$input){ok}}") as DocumentNode<SetPasswordMutation, SetPasswordMutationVariables>;
export const UpdateNameDocument = /*#__PURE__*/ gql("mutation UpdateName($input:UpdateProfileInput!){updateProfile(input:$input){viewer{user{id name displayName}}}}") as DocumentNode<UpdateNameMutation, UpdateNameMutationVariables>;
export const SignOutEverywhereDocument = /*#__PURE__*/ gql("mutation SignOutEverywhere{signOut(input:{everywhere:true}){ok}}") as DocumentNode<SignOutEverywhereMutation, SignOutEverywhereMutationVariables>;
export const CreateApiTokenDocument = /*#__PURE__*/ gql("mutation CreateApiToken($input:CreateApiTokenInput!){createApiToken(input:$input){secret token{id}}}") as DocumentNode<CreateApiTokenMutation, CreateApiTokenMutationVariables>;
export const RevokeTokenDocument = /*#__PURE__*/ gql("mutation RevokeToken($input:RevokeTokenInput!){revokeToken(input:$input){token{id}}}") as DocumentNode<RevokeTokenMutation, RevokeTokenMutationVariables>;
export const UsersDocument = /*#__PURE__*/ gql("query Users{users(first:200){nodes{id name displayName isGlobalAdmin disabledAt}}}") as DocumentNode<UsersQuery, UsersQueryVariables>;
export const CreateUserDocument = /*#__PURE__*/ gql("mutation CreateUser($input:CreateUserInput!){createUser(input:$input){signInUrl user{id name}}}") as DocumentNode<CreateUserMutation, CreateUserMutationVariables>;
export const UpdateUserDocument = /*#__PURE__*/ gql("mutation UpdateUser($input:UpdateUserInput!){updateUser(input:$input){user{id isGlobalAdmin disabledAt}}}") as DocumentNode<UpdateUserMutation, UpdateUserMutationVariables>;
export const UpdatePreferencesDocument = /*#__PURE__*/ gql("mutation UpdatePreferences($input:UpdateProfileInput!){updateProfile(input:$input){viewer{language theme}}}") as DocumentNode<UpdatePreferencesMutation, UpdatePreferencesMutationVariables>;
export const JobsPulseDocument = /*#__PURE__*/ gql("subscription JobsPulse($project:String!$after:String){jobsChanged(project:$project after:$after){cursor}}") as DocumentNode<JobsPulseSubscription, JobsPulseSubscriptionVariables>;
export const ViewerDocument = /*#__PURE__*/ gql("query Viewer{viewer{kind isGlobalAdmin language theme hasPassword user{id name displayName}}projects{id key name role}}") as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const ServerDocument = /*#__PURE__*/ gql("query Server{server{version needsSetup defaultLanguage}}") as DocumentNode<ServerQuery, ServerQueryVariables>;
export const SignInDocument = /*#__PURE__*/ gql("mutation SignIn($input:SignInInput!){signIn(input:$input){viewer{language theme user{id name displayName}}}}") as DocumentNode<SignInMutation, SignInMutationVariables>;
export const SignOutDocument = /*#__PURE__*/ gql("mutation SignOut{signOut(input:{}){ok}}") as DocumentNode<SignOutMutation, SignOutMutationVariables>;
export const ComputersPageDocument = /*#__PURE__*/ gql("query ComputersPage($project:String!){project(key:$project){id computers(first:200){nodes{id name kind visibility enabled maxJobs workFolder runtimes activeJobs cpuCount memoryMib canManage usable owner{id name displayName}pricePerHour{amount currency}workerState(project:$project)lastSeenAt(project:$project)gpus{id name memoryMib inUse job{id shortId run{id name}}}workers(project:$project){id name hostname version state draining lastSeenAt}}}}}") as DocumentNode<ComputersPageQuery, ComputersPageQueryVariables>;
export const CreateComputerDocument = /*#__PURE__*/ gql("mutation CreateComputer($input:CreateComputerInput!){createComputer(input:$input){computer{id name}}}") as DocumentNode<CreateComputerMutation, CreateComputerMutationVariables>;
export const UpdateComputerDocument = /*#__PURE__*/ gql("mutation UpdateComputer($input:UpdateComputerInput!){updateComputer(input:$input){computer{id name enabled maxJobs workFolder visibility}}}") as DocumentNode<UpdateComputerMutation, UpdateComputerMutationVariables>;
export const CreateWorkerTokenDocument = /*#__PURE__*/ gql("mutation CreateWorkerToken($input:CreateWorkerTokenInput!){createWorkerToken(input:$input){setupCommands}}") as DocumentNode<CreateWorkerTokenMutation, CreateWorkerTokenMutationVariables>;
export const JobsPageDocument = /*#__PURE__*/ gql("query JobsPage($project:String!$filter:JobFilter$first:Int!$after:String){project(key:$project){id jobs(filter:$filter first:$first after:$after){edges{cursor node{...JobRow}}pageInfo{hasNextPage endCursor}}}}" + fragmentJobRow) as DocumentNode<JobsPageQuery, JobsPageQueryVariables>;
export const JobCountsDocument = /*#__PURE__*/ gql("query JobCounts($project:String!$filter:JobFilter){project(key:$project){id jobCounts(filter:$filter){status count atLeast}blockedQueues{queued workerState lastSeenAt computer{id name canManage}}}}") as DocumentNode<JobCountsQuery, JobCountsQueryVariables>;
export const JobsChangedDocument = /*#__PURE__*/ gql("subscription JobsChanged($project:String!$filter:JobFilter$after:String){jobsChanged(project:$project filter:$filter after:$after){cursor removedIds resync changed{...JobRow}}}" + fragmentJobRow) as DocumentNode<JobsChangedSubscription, JobsChangedSubscriptionVariables>;
export const JobFilterChoicesDocument = /*#__PURE__*/ gql("query JobFilterChoices($project:String!){project(key:$project){id people{id name displayName}computers(first:200){nodes{id name}}}}") as DocumentNode<JobFilterChoicesQuery, JobFilterChoicesQueryVariables>;
export const JobDetailDocument = /*#__PURE__*/ gql("query JobDetail($id:ID!){job(id:$id){...JobDetail project{id key}}}" + fragmentJobRow + fragmentJobDetail) as DocumentNode<JobDetailQuery, JobDetailQueryVariables>;
export const JobSnapshotDocument = /*#__PURE__*/ gql("query JobSnapshot($id:ID!){job(id:$id){id snapshot{command workingDirectory environment secretNames parameters timeLimitSeconds}}}") as DocumentNode<JobSnapshotQuery, JobSnapshotQueryVariables>;
export const JobChangedDocument = /*#__PURE__*/ gql("subscription JobChanged($id:ID!){jobChanged(id:$id){...JobDetail}}" + fragmentJobRow + fragmentJobDetail) as DocumentNode<JobChangedSubscription, JobChangedSubscriptionVariables>;
export const JobEventsDocument = /*#__PURE__*/ gql("query JobEvents($id:ID!$first:Int!$after:String){job(id:$id){id events(first:$first after:$after){nodes{...JobEventItem}pageInfo{hasNextPage endCursor}}}}" + fragmentJobEventItem) as DocumentNode<JobEventsQuery, JobEventsQueryVariables>;
export const JobEventsLiveDocument = /*#__PURE__*/ gql("subscription JobEventsLive($id:ID!$after:String){jobEvents(id:$id after:$after){...JobEventItem}}" + fragmentJobEventItem) as DocumentNode<JobEventsLiveSubscription, JobEventsLiveSubscriptionVariables>;
export const RequestStopDocument = /*#__PURE__*/ gql("mutation RequestStop($input:JobsInput!){requestStop(input:$input){done refusedCount jobs{...JobRow}refused{jobId code message}}}" + fragmentJobRow) as DocumentNode<RequestStopMutation, RequestStopMutationVariables>;
export const KillJobsDocument = /*#__PURE__*/ gql("mutation KillJobs($input:JobsInput!){killJobs(input:$input){done refusedCount jobs{...JobRow}refused{jobId code message}}}" + fragmentJobRow) as DocumentNode<KillJobsMutation, KillJobsMutationVariables>;
export const ForceEndJobsDocument = /*#__PURE__*/ gql("mutation ForceEndJobs($input:JobsInput!){forceEndJobs(input:$input){done refusedCount jobs{...JobRow}refused{jobId code message}}}" + fragmentJobRow) as DocumentNode<ForceEndJobsMutation, ForceEndJobsMutationVariables>;
export const HoldJobsDocument = /*#__PURE__*/ gql("mutation HoldJobs($input:JobsInput!){holdJobs(input:$input){done refusedCount jobs{...JobRow}refused{jobId code message}}}" + fragmentJobRow) as DocumentNode<HoldJobsMutation, HoldJobsMutationVariables>;
export const UnholdJobsDocument = /*#__PURE__*/ gql("mutation UnholdJobs($input:JobsInput!){unholdJobs(input:$input){done refusedCount jobs{...JobRow}refused{jobId code message}}}" + fragmentJobRow) as DocumentNode<UnholdJobsMutation, UnholdJobsMutationVariables>;
export const SetPriorityDocument = /*#__PURE__*/ gql("mutation SetPriority($input:SetPriorityInput!){setPriority(input:$input){done refusedCount jobs{...JobRow}refused{jobId code message}}}" + fragmentJobRow) as DocumentNode<SetPriorityMutation, SetPriorityMutationVariables>;
export const MoveJobsDocument = /*#__PURE__*/ gql("mutation MoveJobs($input:MoveJobsInput!){moveJobs(input:$input){done refusedCount jobs{...JobRow}refused{jobId code message}}}" + fragmentJobRow) as DocumentNode<MoveJobsMutation, MoveJobsMutationVariables>;
export const RerunJobDocument = /*#__PURE__*/ gql("mutation RerunJob($input:RerunJobInput!){rerunJob(input:$input){existing job{...JobRow}run{id name}}}" + fragmentJobRow) as DocumentNode<RerunJobMutation, RerunJobMutationVariables>;
export const LaunchAgainDocument = /*#__PURE__*/ gql("query LaunchAgain($id:ID!){job(id:$id){id gpuIds gpuCount maxAttempts priority computer{id name}run{id name kind parameters tags experiment{id}}snapshot{command workingDirectory environment parameters timeLimitSeconds}}}") as DocumentNode<LaunchAgainQuery, LaunchAgainQueryVariables>;
export const LaunchJobDocument = /*#__PURE__*/ gql("mutation LaunchJob($input:LaunchJobInput!){launchJob(input:$input){existing job{id}run{id name}}}") as DocumentNode<LaunchJobMutation, LaunchJobMutationVariables>;
export const LaunchOptionsDocument = /*#__PURE__*/ gql("query LaunchOptions($project:String!){project(key:$project){id experiments{id name isDefault}computers(first:200){nodes{id name kind enabled usable workerState(project:$project)workFolder gpus{id name memoryMib inUse}pricePerHour{amount currency}}}}}") as DocumentNode<LaunchOptionsQuery, LaunchOptionsQueryVariables>;
export const JobLogDocument = /*#__PURE__*/ gql("query JobLog($id:ID!$tail:Int$fromLine:Long$toLine:Long$levels:[LogLevel!]$search:String){job(id:$id){id log(tail:$tail fromLine:$fromLine toLine:$toLine levels:$levels search:$search){lines{number time level stream message partial cut}nextLine totalLines matchingLines truncated ended}}}") as DocumentNode<JobLogQuery, JobLogQueryVariables>;
export const JobLogLinesDocument = /*#__PURE__*/ gql("subscription JobLogLines($id:ID!$fromLine:Long){jobLog(id:$id fromLine:$fromLine){lines{number time level stream message partial cut}nextLine totalLines ended}}") as DocumentNode<JobLogLinesSubscription, JobLogLinesSubscriptionVariables>;
export const MembersDocument = /*#__PURE__*/ gql("query Members($project:String!){project(key:$project){id members{role user{id name displayName}}}}") as DocumentNode<MembersQuery, MembersQueryVariables>;
export const SetMemberDocument = /*#__PURE__*/ gql("mutation SetMember($input:SetMemberInput!){setMember(input:$input){member{role user{id name displayName}}}}") as DocumentNode<SetMemberMutation, SetMemberMutationVariables>;
export const RemoveMemberDocument = /*#__PURE__*/ gql("mutation RemoveMember($input:RemoveMemberInput!){removeMember(input:$input){ok}}") as DocumentNode<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const PaletteJobsDocument = /*#__PURE__*/ gql("query PaletteJobs($project:String!$text:String!){project(key:$project){id jobs(first:8 filter:{text:$text}){nodes{id shortId status phase endReason held run{id name}computer{id name}}}}}") as DocumentNode<PaletteJobsQuery, PaletteJobsQueryVariables>;
export const InUseDocument = /*#__PURE__*/ gql("query InUse($project:String!){project(key:$project){id computers(first:200){nodes{id kind activeJobs workerState(project:$project)gpus{id inUse}}}}}") as DocumentNode<InUseQuery, InUseQueryVariables>;
export const CreateProjectDocument = /*#__PURE__*/ gql("mutation CreateProject($input:CreateProjectInput!){createProject(input:$input){project{id key name role}}}") as DocumentNode<CreateProjectMutation, CreateProjectMutationVariables>;