import { graphql } from '@/api/generated';

/** What a row of the list shows. */
export const JobRowFragment = graphql(`
  fragment JobRow on Job {
    id shortId status phase endReason held noResponse stopRequestedAt priority
    gpuIds gpuCount attempt maxAttempts arrayIndex exitCode errorCode
    createdAt startedAt endedAt durationSeconds
    array { id name size }
    createdBy { id name displayName }
    computer { id name kind }
    run { id name kind }
    progress { percent etaSeconds label }
    retryOf { id shortId }
    retriedBy { id shortId }
    allowedActions deniedReason
  }
`);

export const JobsPageQuery = graphql(`
  query JobsPage($project: String!, $filter: JobFilter, $first: Int!, $after: String) {
    project(key: $project) {
      id
      jobs(filter: $filter, first: $first, after: $after) {
        edges { cursor node { ...JobRow } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const JobCountsQuery = graphql(`
  query JobCounts($project: String!, $filter: JobFilter) {
    project(key: $project) {
      id
      jobCounts(filter: $filter) { status count atLeast }
      blockedQueues { queued workerState lastSeenAt computer { id name canManage } }
    }
  }
`);

export const JobsChangedSubscription = graphql(`
  subscription JobsChanged($project: String!, $filter: JobFilter, $after: String) {
    jobsChanged(project: $project, filter: $filter, after: $after) {
      cursor removedIds resync
      changed { ...JobRow }
    }
  }
`);

/** For the filters. */
export const JobFilterChoicesQuery = graphql(`
  query JobFilterChoices($project: String!) {
    project(key: $project) {
      id
      people { id name displayName }
      computers(first: 200) { nodes { id name } }
    }
  }
`);

/** What the details show beyond the row. */
export const JobDetailFragment = graphql(`
  fragment JobDetail on Job {
    ...JobRow
    command error errorArgs heartbeatAt assignedAt logLineCount
    cost { amount currency }
    stopRequestedBy { id name displayName }
    progress { percent current total etaSeconds label }
    after { id shortId status run { id name } }
    waiting {
      code message args jobsAhead estimatedStart
      possibleReasons { code args }
    }
    run { id shortId name kind parameters tags experiment { id name } }
    computer { id name kind canManage }
  }
`);

export const JobDetailQuery = graphql(`
  query JobDetail($id: ID!) {
    job(id: $id) { ...JobDetail project { id key } }
  }
`);

/** What never changes after the launch: asked for when it is looked at. */
export const JobSnapshotQuery = graphql(`
  query JobSnapshot($id: ID!) {
    job(id: $id) {
      id
      snapshot { command workingDirectory environment secretNames parameters timeLimitSeconds }
    }
  }
`);

export const JobChangedSubscription = graphql(`
  subscription JobChanged($id: ID!) {
    jobChanged(id: $id) { ...JobDetail }
  }
`);

export const JobEventFragment = graphql(`
  fragment JobEventItem on JobEvent {
    id cursor type source severity time durationSeconds attempt args
    actor { id name displayName }
  }
`);

export const JobEventsQuery = graphql(`
  query JobEvents($id: ID!, $first: Int!, $after: String) {
    job(id: $id) {
      id
      events(first: $first, after: $after) {
        nodes { ...JobEventItem }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const JobEventsSubscription = graphql(`
  subscription JobEventsLive($id: ID!, $after: String) {
    jobEvents(id: $id, after: $after) { ...JobEventItem }
  }
`);

export const RequestStopMutation = graphql(`
  mutation RequestStop($input: JobsInput!) {
    requestStop(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }
  }
`);
export const KillJobsMutation = graphql(`
  mutation KillJobs($input: JobsInput!) {
    killJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }
  }
`);
export const ForceEndJobsMutation = graphql(`
  mutation ForceEndJobs($input: JobsInput!) {
    forceEndJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }
  }
`);
export const HoldJobsMutation = graphql(`
  mutation HoldJobs($input: JobsInput!) {
    holdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }
  }
`);
export const UnholdJobsMutation = graphql(`
  mutation UnholdJobs($input: JobsInput!) {
    unholdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }
  }
`);
export const SetPriorityMutation = graphql(`
  mutation SetPriority($input: SetPriorityInput!) {
    setPriority(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }
  }
`);
export const MoveJobsMutation = graphql(`
  mutation MoveJobs($input: MoveJobsInput!) {
    moveJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }
  }
`);
export const RerunJobMutation = graphql(`
  mutation RerunJob($input: RerunJobInput!) {
    rerunJob(input: $input) { existing job { ...JobRow } run { id name } }
  }
`);
