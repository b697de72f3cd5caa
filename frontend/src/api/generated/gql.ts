/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query Account {\n    viewer {\n      kind\n      isGlobalAdmin\n      language\n      theme\n      hasPassword\n      user { id name displayName }\n      apiTokens { id name prefix scopes createdAt expiresAt lastUsedAt }\n      sessions { id createdAt lastSeenAt expiresAt userAgent current }\n    }\n  }\n": typeof types.AccountDocument,
    "\n  mutation SetPassword($input: SetPasswordInput!) { setPassword(input: $input) { ok } }\n": typeof types.SetPasswordDocument,
    "\n  mutation UpdateName($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { viewer { user { id name displayName } } }\n  }\n": typeof types.UpdateNameDocument,
    "\n  mutation SignOutEverywhere { signOut(input: { everywhere: true }) { ok } }\n": typeof types.SignOutEverywhereDocument,
    "\n  mutation CreateApiToken($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret token { id } } }\n": typeof types.CreateApiTokenDocument,
    "\n  mutation RevokeToken($input: RevokeTokenInput!) { revokeToken(input: $input) { token { id } } }\n": typeof types.RevokeTokenDocument,
    "\n  query Users { users(first: 200) { nodes { id name displayName isGlobalAdmin disabledAt } } }\n": typeof types.UsersDocument,
    "\n  mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { signInUrl user { id name } } }\n": typeof types.CreateUserDocument,
    "\n  mutation UpdateUser($input: UpdateUserInput!) { updateUser(input: $input) { user { id isGlobalAdmin disabledAt } } }\n": typeof types.UpdateUserDocument,
    "\n  mutation UpdatePreferences($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { viewer { language theme } }\n  }\n": typeof types.UpdatePreferencesDocument,
    "\n  subscription JobsPulse($project: String!, $after: String) {\n    jobsChanged(project: $project, after: $after) { cursor }\n  }\n": typeof types.JobsPulseDocument,
    "\n  query Viewer {\n    viewer { kind isGlobalAdmin language theme hasPassword user { id name displayName } }\n    projects { id key name role }\n  }\n": typeof types.ViewerDocument,
    "\n  query Server { server { version needsSetup defaultLanguage } }\n": typeof types.ServerDocument,
    "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) { viewer { language theme user { id name displayName } } }\n  }\n": typeof types.SignInDocument,
    "\n  mutation SignOut { signOut(input: {}) { ok } }\n": typeof types.SignOutDocument,
    "\n  query ComputersPage($project: String!) {\n    project(key: $project) {\n      id\n      computers(first: 200) {\n        nodes {\n          id\n          name\n          kind\n          visibility\n          enabled\n          maxJobs\n          workFolder\n          runtimes\n          activeJobs\n          cpuCount\n          memoryMib\n          canManage\n          usable\n          owner { id name displayName }\n          pricePerHour { amount currency }\n          workerState(project: $project)\n          lastSeenAt(project: $project)\n          gpus { id name memoryMib inUse job { id shortId run { id name } } }\n          workers(project: $project) { id name hostname version state draining lastSeenAt }\n        }\n      }\n    }\n  }\n": typeof types.ComputersPageDocument,
    "\n  mutation CreateComputer($input: CreateComputerInput!) {\n    createComputer(input: $input) { computer { id name } }\n  }\n": typeof types.CreateComputerDocument,
    "\n  mutation UpdateComputer($input: UpdateComputerInput!) {\n    updateComputer(input: $input) { computer { id name enabled maxJobs workFolder visibility } }\n  }\n": typeof types.UpdateComputerDocument,
    "\n  mutation CreateWorkerToken($input: CreateWorkerTokenInput!) {\n    createWorkerToken(input: $input) { setupCommands }\n  }\n": typeof types.CreateWorkerTokenDocument,
    "\n  fragment JobRow on Job {\n    id shortId status phase endReason held noResponse stopRequestedAt priority\n    gpuIds gpuCount attempt maxAttempts arrayIndex exitCode errorCode\n    createdAt startedAt endedAt durationSeconds\n    array { id name size }\n    createdBy { id name displayName }\n    computer { id name kind }\n    run { id name kind }\n    progress { percent etaSeconds label }\n    retryOf { id shortId }\n    retriedBy { id shortId }\n    allowedActions deniedReason\n  }\n": typeof types.JobRowFragmentDoc,
    "\n  query JobsPage($project: String!, $filter: JobFilter, $first: Int!, $after: String) {\n    project(key: $project) {\n      id\n      jobs(filter: $filter, first: $first, after: $after) {\n        edges { cursor node { ...JobRow } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.JobsPageDocument,
    "\n  query JobCounts($project: String!, $filter: JobFilter) {\n    project(key: $project) {\n      id\n      jobCounts(filter: $filter) { status count atLeast }\n      blockedQueues { queued workerState lastSeenAt computer { id name canManage } }\n    }\n  }\n": typeof types.JobCountsDocument,
    "\n  subscription JobsChanged($project: String!, $filter: JobFilter, $after: String) {\n    jobsChanged(project: $project, filter: $filter, after: $after) {\n      cursor removedIds resync\n      changed { ...JobRow }\n    }\n  }\n": typeof types.JobsChangedDocument,
    "\n  query JobFilterChoices($project: String!) {\n    project(key: $project) {\n      id\n      people { id name displayName }\n      computers(first: 200) { nodes { id name } }\n    }\n  }\n": typeof types.JobFilterChoicesDocument,
    "\n  fragment JobDetail on Job {\n    ...JobRow\n    command error errorArgs heartbeatAt assignedAt logLineCount\n    cost { amount currency }\n    stopRequestedBy { id name displayName }\n    progress { percent current total etaSeconds label }\n    after { id shortId status run { id name } }\n    waiting {\n      code message args jobsAhead estimatedStart\n      possibleReasons { code args }\n    }\n    run { id shortId name kind parameters tags experiment { id name } }\n    computer { id name kind canManage }\n  }\n": typeof types.JobDetailFragmentDoc,
    "\n  query JobDetail($id: ID!) {\n    job(id: $id) { ...JobDetail project { id key } }\n  }\n": typeof types.JobDetailDocument,
    "\n  query JobSnapshot($id: ID!) {\n    job(id: $id) {\n      id\n      snapshot { command workingDirectory environment secretNames parameters timeLimitSeconds }\n    }\n  }\n": typeof types.JobSnapshotDocument,
    "\n  subscription JobChanged($id: ID!) {\n    jobChanged(id: $id) { ...JobDetail }\n  }\n": typeof types.JobChangedDocument,
    "\n  fragment JobEventItem on JobEvent {\n    id cursor type source severity time durationSeconds attempt args\n    actor { id name displayName }\n  }\n": typeof types.JobEventItemFragmentDoc,
    "\n  query JobEvents($id: ID!, $first: Int!, $after: String) {\n    job(id: $id) {\n      id\n      events(first: $first, after: $after) {\n        nodes { ...JobEventItem }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": typeof types.JobEventsDocument,
    "\n  subscription JobEventsLive($id: ID!, $after: String) {\n    jobEvents(id: $id, after: $after) { ...JobEventItem }\n  }\n": typeof types.JobEventsLiveDocument,
    "\n  mutation RequestStop($input: JobsInput!) {\n    requestStop(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": typeof types.RequestStopDocument,
    "\n  mutation KillJobs($input: JobsInput!) {\n    killJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": typeof types.KillJobsDocument,
    "\n  mutation ForceEndJobs($input: JobsInput!) {\n    forceEndJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": typeof types.ForceEndJobsDocument,
    "\n  mutation HoldJobs($input: JobsInput!) {\n    holdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": typeof types.HoldJobsDocument,
    "\n  mutation UnholdJobs($input: JobsInput!) {\n    unholdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": typeof types.UnholdJobsDocument,
    "\n  mutation SetPriority($input: SetPriorityInput!) {\n    setPriority(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": typeof types.SetPriorityDocument,
    "\n  mutation MoveJobs($input: MoveJobsInput!) {\n    moveJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": typeof types.MoveJobsDocument,
    "\n  mutation RerunJob($input: RerunJobInput!) {\n    rerunJob(input: $input) { existing job { ...JobRow } run { id name } }\n  }\n": typeof types.RerunJobDocument,
    "\n  query LaunchAgain($id: ID!) {\n    job(id: $id) {\n      id gpuIds gpuCount maxAttempts priority\n      computer { id name }\n      run { id name kind parameters tags experiment { id } }\n      snapshot { command workingDirectory environment parameters timeLimitSeconds }\n    }\n  }\n": typeof types.LaunchAgainDocument,
    "\n  mutation LaunchJob($input: LaunchJobInput!) {\n    launchJob(input: $input) { existing job { id } run { id name } }\n  }\n": typeof types.LaunchJobDocument,
    "\n  query LaunchOptions($project: String!) {\n    project(key: $project) {\n      id\n      experiments { id name isDefault }\n      computers(first: 200) {\n        nodes {\n          id\n          name\n          kind\n          enabled\n          usable\n          workerState(project: $project)\n          workFolder\n          gpus { id name memoryMib inUse }\n          pricePerHour { amount currency }\n        }\n      }\n    }\n  }\n": typeof types.LaunchOptionsDocument,
    "\n  query JobLog($id: ID!, $tail: Int, $fromLine: Long, $toLine: Long, $levels: [LogLevel!], $search: String) {\n    job(id: $id) {\n      id\n      log(tail: $tail, fromLine: $fromLine, toLine: $toLine, levels: $levels, search: $search) {\n        lines { number time level stream message partial cut }\n        nextLine\n        totalLines\n        matchingLines\n        truncated\n        ended\n      }\n    }\n  }\n": typeof types.JobLogDocument,
    "\n  subscription JobLogLines($id: ID!, $fromLine: Long) {\n    jobLog(id: $id, fromLine: $fromLine) {\n      lines { number time level stream message partial cut }\n      nextLine\n      totalLines\n      ended\n    }\n  }\n": typeof types.JobLogLinesDocument,
    "\n  query Members($project: String!) {\n    project(key: $project) { id members { role user { id name displayName } } }\n  }\n": typeof types.MembersDocument,
    "\n  mutation SetMember($input: SetMemberInput!) { setMember(input: $input) { member { role user { id name displayName } } } }\n": typeof types.SetMemberDocument,
    "\n  mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { ok } }\n": typeof types.RemoveMemberDocument,
    "\n  query PaletteJobs($project: String!, $text: String!) {\n    project(key: $project) {\n      id\n      jobs(first: 8, filter: { text: $text }) {\n        nodes { id shortId status phase endReason held run { id name } computer { id name } }\n      }\n    }\n  }\n": typeof types.PaletteJobsDocument,
    "\n  query InUse($project: String!) {\n    project(key: $project) {\n      id\n      computers(first: 200) {\n        nodes { id kind activeJobs workerState(project: $project) gpus { id inUse } }\n      }\n    }\n  }\n": typeof types.InUseDocument,
    "\n  mutation CreateProject($input: CreateProjectInput!) {\n    createProject(input: $input) { project { id key name role } }\n  }\n": typeof types.CreateProjectDocument,
};
const documents: Documents = {
    "\n  query Account {\n    viewer {\n      kind\n      isGlobalAdmin\n      language\n      theme\n      hasPassword\n      user { id name displayName }\n      apiTokens { id name prefix scopes createdAt expiresAt lastUsedAt }\n      sessions { id createdAt lastSeenAt expiresAt userAgent current }\n    }\n  }\n": types.AccountDocument,
    "\n  mutation SetPassword($input: SetPasswordInput!) { setPassword(input: $input) { ok } }\n": types.SetPasswordDocument,
    "\n  mutation UpdateName($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { viewer { user { id name displayName } } }\n  }\n": types.UpdateNameDocument,
    "\n  mutation SignOutEverywhere { signOut(input: { everywhere: true }) { ok } }\n": types.SignOutEverywhereDocument,
    "\n  mutation CreateApiToken($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret token { id } } }\n": types.CreateApiTokenDocument,
    "\n  mutation RevokeToken($input: RevokeTokenInput!) { revokeToken(input: $input) { token { id } } }\n": types.RevokeTokenDocument,
    "\n  query Users { users(first: 200) { nodes { id name displayName isGlobalAdmin disabledAt } } }\n": types.UsersDocument,
    "\n  mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { signInUrl user { id name } } }\n": types.CreateUserDocument,
    "\n  mutation UpdateUser($input: UpdateUserInput!) { updateUser(input: $input) { user { id isGlobalAdmin disabledAt } } }\n": types.UpdateUserDocument,
    "\n  mutation UpdatePreferences($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { viewer { language theme } }\n  }\n": types.UpdatePreferencesDocument,
    "\n  subscription JobsPulse($project: String!, $after: String) {\n    jobsChanged(project: $project, after: $after) { cursor }\n  }\n": types.JobsPulseDocument,
    "\n  query Viewer {\n    viewer { kind isGlobalAdmin language theme hasPassword user { id name displayName } }\n    projects { id key name role }\n  }\n": types.ViewerDocument,
    "\n  query Server { server { version needsSetup defaultLanguage } }\n": types.ServerDocument,
    "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) { viewer { language theme user { id name displayName } } }\n  }\n": types.SignInDocument,
    "\n  mutation SignOut { signOut(input: {}) { ok } }\n": types.SignOutDocument,
    "\n  query ComputersPage($project: String!) {\n    project(key: $project) {\n      id\n      computers(first: 200) {\n        nodes {\n          id\n          name\n          kind\n          visibility\n          enabled\n          maxJobs\n          workFolder\n          runtimes\n          activeJobs\n          cpuCount\n          memoryMib\n          canManage\n          usable\n          owner { id name displayName }\n          pricePerHour { amount currency }\n          workerState(project: $project)\n          lastSeenAt(project: $project)\n          gpus { id name memoryMib inUse job { id shortId run { id name } } }\n          workers(project: $project) { id name hostname version state draining lastSeenAt }\n        }\n      }\n    }\n  }\n": types.ComputersPageDocument,
    "\n  mutation CreateComputer($input: CreateComputerInput!) {\n    createComputer(input: $input) { computer { id name } }\n  }\n": types.CreateComputerDocument,
    "\n  mutation UpdateComputer($input: UpdateComputerInput!) {\n    updateComputer(input: $input) { computer { id name enabled maxJobs workFolder visibility } }\n  }\n": types.UpdateComputerDocument,
    "\n  mutation CreateWorkerToken($input: CreateWorkerTokenInput!) {\n    createWorkerToken(input: $input) { setupCommands }\n  }\n": types.CreateWorkerTokenDocument,
    "\n  fragment JobRow on Job {\n    id shortId status phase endReason held noResponse stopRequestedAt priority\n    gpuIds gpuCount attempt maxAttempts arrayIndex exitCode errorCode\n    createdAt startedAt endedAt durationSeconds\n    array { id name size }\n    createdBy { id name displayName }\n    computer { id name kind }\n    run { id name kind }\n    progress { percent etaSeconds label }\n    retryOf { id shortId }\n    retriedBy { id shortId }\n    allowedActions deniedReason\n  }\n": types.JobRowFragmentDoc,
    "\n  query JobsPage($project: String!, $filter: JobFilter, $first: Int!, $after: String) {\n    project(key: $project) {\n      id\n      jobs(filter: $filter, first: $first, after: $after) {\n        edges { cursor node { ...JobRow } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.JobsPageDocument,
    "\n  query JobCounts($project: String!, $filter: JobFilter) {\n    project(key: $project) {\n      id\n      jobCounts(filter: $filter) { status count atLeast }\n      blockedQueues { queued workerState lastSeenAt computer { id name canManage } }\n    }\n  }\n": types.JobCountsDocument,
    "\n  subscription JobsChanged($project: String!, $filter: JobFilter, $after: String) {\n    jobsChanged(project: $project, filter: $filter, after: $after) {\n      cursor removedIds resync\n      changed { ...JobRow }\n    }\n  }\n": types.JobsChangedDocument,
    "\n  query JobFilterChoices($project: String!) {\n    project(key: $project) {\n      id\n      people { id name displayName }\n      computers(first: 200) { nodes { id name } }\n    }\n  }\n": types.JobFilterChoicesDocument,
    "\n  fragment JobDetail on Job {\n    ...JobRow\n    command error errorArgs heartbeatAt assignedAt logLineCount\n    cost { amount currency }\n    stopRequestedBy { id name displayName }\n    progress { percent current total etaSeconds label }\n    after { id shortId status run { id name } }\n    waiting {\n      code message args jobsAhead estimatedStart\n      possibleReasons { code args }\n    }\n    run { id shortId name kind parameters tags experiment { id name } }\n    computer { id name kind canManage }\n  }\n": types.JobDetailFragmentDoc,
    "\n  query JobDetail($id: ID!) {\n    job(id: $id) { ...JobDetail project { id key } }\n  }\n": types.JobDetailDocument,
    "\n  query JobSnapshot($id: ID!) {\n    job(id: $id) {\n      id\n      snapshot { command workingDirectory environment secretNames parameters timeLimitSeconds }\n    }\n  }\n": types.JobSnapshotDocument,
    "\n  subscription JobChanged($id: ID!) {\n    jobChanged(id: $id) { ...JobDetail }\n  }\n": types.JobChangedDocument,
    "\n  fragment JobEventItem on JobEvent {\n    id cursor type source severity time durationSeconds attempt args\n    actor { id name displayName }\n  }\n": types.JobEventItemFragmentDoc,
    "\n  query JobEvents($id: ID!, $first: Int!, $after: String) {\n    job(id: $id) {\n      id\n      events(first: $first, after: $after) {\n        nodes { ...JobEventItem }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n": types.JobEventsDocument,
    "\n  subscription JobEventsLive($id: ID!, $after: String) {\n    jobEvents(id: $id, after: $after) { ...JobEventItem }\n  }\n": types.JobEventsLiveDocument,
    "\n  mutation RequestStop($input: JobsInput!) {\n    requestStop(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": types.RequestStopDocument,
    "\n  mutation KillJobs($input: JobsInput!) {\n    killJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": types.KillJobsDocument,
    "\n  mutation ForceEndJobs($input: JobsInput!) {\n    forceEndJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": types.ForceEndJobsDocument,
    "\n  mutation HoldJobs($input: JobsInput!) {\n    holdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": types.HoldJobsDocument,
    "\n  mutation UnholdJobs($input: JobsInput!) {\n    unholdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": types.UnholdJobsDocument,
    "\n  mutation SetPriority($input: SetPriorityInput!) {\n    setPriority(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": types.SetPriorityDocument,
    "\n  mutation MoveJobs($input: MoveJobsInput!) {\n    moveJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n": types.MoveJobsDocument,
    "\n  mutation RerunJob($input: RerunJobInput!) {\n    rerunJob(input: $input) { existing job { ...JobRow } run { id name } }\n  }\n": types.RerunJobDocument,
    "\n  query LaunchAgain($id: ID!) {\n    job(id: $id) {\n      id gpuIds gpuCount maxAttempts priority\n      computer { id name }\n      run { id name kind parameters tags experiment { id } }\n      snapshot { command workingDirectory environment parameters timeLimitSeconds }\n    }\n  }\n": types.LaunchAgainDocument,
    "\n  mutation LaunchJob($input: LaunchJobInput!) {\n    launchJob(input: $input) { existing job { id } run { id name } }\n  }\n": types.LaunchJobDocument,
    "\n  query LaunchOptions($project: String!) {\n    project(key: $project) {\n      id\n      experiments { id name isDefault }\n      computers(first: 200) {\n        nodes {\n          id\n          name\n          kind\n          enabled\n          usable\n          workerState(project: $project)\n          workFolder\n          gpus { id name memoryMib inUse }\n          pricePerHour { amount currency }\n        }\n      }\n    }\n  }\n": types.LaunchOptionsDocument,
    "\n  query JobLog($id: ID!, $tail: Int, $fromLine: Long, $toLine: Long, $levels: [LogLevel!], $search: String) {\n    job(id: $id) {\n      id\n      log(tail: $tail, fromLine: $fromLine, toLine: $toLine, levels: $levels, search: $search) {\n        lines { number time level stream message partial cut }\n        nextLine\n        totalLines\n        matchingLines\n        truncated\n        ended\n      }\n    }\n  }\n": types.JobLogDocument,
    "\n  subscription JobLogLines($id: ID!, $fromLine: Long) {\n    jobLog(id: $id, fromLine: $fromLine) {\n      lines { number time level stream message partial cut }\n      nextLine\n      totalLines\n      ended\n    }\n  }\n": types.JobLogLinesDocument,
    "\n  query Members($project: String!) {\n    project(key: $project) { id members { role user { id name displayName } } }\n  }\n": types.MembersDocument,
    "\n  mutation SetMember($input: SetMemberInput!) { setMember(input: $input) { member { role user { id name displayName } } } }\n": types.SetMemberDocument,
    "\n  mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { ok } }\n": types.RemoveMemberDocument,
    "\n  query PaletteJobs($project: String!, $text: String!) {\n    project(key: $project) {\n      id\n      jobs(first: 8, filter: { text: $text }) {\n        nodes { id shortId status phase endReason held run { id name } computer { id name } }\n      }\n    }\n  }\n": types.PaletteJobsDocument,
    "\n  query InUse($project: String!) {\n    project(key: $project) {\n      id\n      computers(first: 200) {\n        nodes { id kind activeJobs workerState(project: $project) gpus { id inUse } }\n      }\n    }\n  }\n": types.InUseDocument,
    "\n  mutation CreateProject($input: CreateProjectInput!) {\n    createProject(input: $input) { project { id key name role } }\n  }\n": types.CreateProjectDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Account {\n    viewer {\n      kind\n      isGlobalAdmin\n      language\n      theme\n      hasPassword\n      user { id name displayName }\n      apiTokens { id name prefix scopes createdAt expiresAt lastUsedAt }\n      sessions { id createdAt lastSeenAt expiresAt userAgent current }\n    }\n  }\n"): (typeof documents)["\n  query Account {\n    viewer {\n      kind\n      isGlobalAdmin\n      language\n      theme\n      hasPassword\n      user { id name displayName }\n      apiTokens { id name prefix scopes createdAt expiresAt lastUsedAt }\n      sessions { id createdAt lastSeenAt expiresAt userAgent current }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetPassword($input: SetPasswordInput!) { setPassword(input: $input) { ok } }\n"): (typeof documents)["\n  mutation SetPassword($input: SetPasswordInput!) { setPassword(input: $input) { ok } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateName($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { viewer { user { id name displayName } } }\n  }\n"): (typeof documents)["\n  mutation UpdateName($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { viewer { user { id name displayName } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignOutEverywhere { signOut(input: { everywhere: true }) { ok } }\n"): (typeof documents)["\n  mutation SignOutEverywhere { signOut(input: { everywhere: true }) { ok } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateApiToken($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret token { id } } }\n"): (typeof documents)["\n  mutation CreateApiToken($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret token { id } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeToken($input: RevokeTokenInput!) { revokeToken(input: $input) { token { id } } }\n"): (typeof documents)["\n  mutation RevokeToken($input: RevokeTokenInput!) { revokeToken(input: $input) { token { id } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Users { users(first: 200) { nodes { id name displayName isGlobalAdmin disabledAt } } }\n"): (typeof documents)["\n  query Users { users(first: 200) { nodes { id name displayName isGlobalAdmin disabledAt } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { signInUrl user { id name } } }\n"): (typeof documents)["\n  mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { signInUrl user { id name } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateUser($input: UpdateUserInput!) { updateUser(input: $input) { user { id isGlobalAdmin disabledAt } } }\n"): (typeof documents)["\n  mutation UpdateUser($input: UpdateUserInput!) { updateUser(input: $input) { user { id isGlobalAdmin disabledAt } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdatePreferences($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { viewer { language theme } }\n  }\n"): (typeof documents)["\n  mutation UpdatePreferences($input: UpdateProfileInput!) {\n    updateProfile(input: $input) { viewer { language theme } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobsPulse($project: String!, $after: String) {\n    jobsChanged(project: $project, after: $after) { cursor }\n  }\n"): (typeof documents)["\n  subscription JobsPulse($project: String!, $after: String) {\n    jobsChanged(project: $project, after: $after) { cursor }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    viewer { kind isGlobalAdmin language theme hasPassword user { id name displayName } }\n    projects { id key name role }\n  }\n"): (typeof documents)["\n  query Viewer {\n    viewer { kind isGlobalAdmin language theme hasPassword user { id name displayName } }\n    projects { id key name role }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Server { server { version needsSetup defaultLanguage } }\n"): (typeof documents)["\n  query Server { server { version needsSetup defaultLanguage } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) { viewer { language theme user { id name displayName } } }\n  }\n"): (typeof documents)["\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) { viewer { language theme user { id name displayName } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignOut { signOut(input: {}) { ok } }\n"): (typeof documents)["\n  mutation SignOut { signOut(input: {}) { ok } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ComputersPage($project: String!) {\n    project(key: $project) {\n      id\n      computers(first: 200) {\n        nodes {\n          id\n          name\n          kind\n          visibility\n          enabled\n          maxJobs\n          workFolder\n          runtimes\n          activeJobs\n          cpuCount\n          memoryMib\n          canManage\n          usable\n          owner { id name displayName }\n          pricePerHour { amount currency }\n          workerState(project: $project)\n          lastSeenAt(project: $project)\n          gpus { id name memoryMib inUse job { id shortId run { id name } } }\n          workers(project: $project) { id name hostname version state draining lastSeenAt }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query ComputersPage($project: String!) {\n    project(key: $project) {\n      id\n      computers(first: 200) {\n        nodes {\n          id\n          name\n          kind\n          visibility\n          enabled\n          maxJobs\n          workFolder\n          runtimes\n          activeJobs\n          cpuCount\n          memoryMib\n          canManage\n          usable\n          owner { id name displayName }\n          pricePerHour { amount currency }\n          workerState(project: $project)\n          lastSeenAt(project: $project)\n          gpus { id name memoryMib inUse job { id shortId run { id name } } }\n          workers(project: $project) { id name hostname version state draining lastSeenAt }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateComputer($input: CreateComputerInput!) {\n    createComputer(input: $input) { computer { id name } }\n  }\n"): (typeof documents)["\n  mutation CreateComputer($input: CreateComputerInput!) {\n    createComputer(input: $input) { computer { id name } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateComputer($input: UpdateComputerInput!) {\n    updateComputer(input: $input) { computer { id name enabled maxJobs workFolder visibility } }\n  }\n"): (typeof documents)["\n  mutation UpdateComputer($input: UpdateComputerInput!) {\n    updateComputer(input: $input) { computer { id name enabled maxJobs workFolder visibility } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateWorkerToken($input: CreateWorkerTokenInput!) {\n    createWorkerToken(input: $input) { setupCommands }\n  }\n"): (typeof documents)["\n  mutation CreateWorkerToken($input: CreateWorkerTokenInput!) {\n    createWorkerToken(input: $input) { setupCommands }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment JobRow on Job {\n    id shortId status phase endReason held noResponse stopRequestedAt priority\n    gpuIds gpuCount attempt maxAttempts arrayIndex exitCode errorCode\n    createdAt startedAt endedAt durationSeconds\n    array { id name size }\n    createdBy { id name displayName }\n    computer { id name kind }\n    run { id name kind }\n    progress { percent etaSeconds label }\n    retryOf { id shortId }\n    retriedBy { id shortId }\n    allowedActions deniedReason\n  }\n"): (typeof documents)["\n  fragment JobRow on Job {\n    id shortId status phase endReason held noResponse stopRequestedAt priority\n    gpuIds gpuCount attempt maxAttempts arrayIndex exitCode errorCode\n    createdAt startedAt endedAt durationSeconds\n    array { id name size }\n    createdBy { id name displayName }\n    computer { id name kind }\n    run { id name kind }\n    progress { percent etaSeconds label }\n    retryOf { id shortId }\n    retriedBy { id shortId }\n    allowedActions deniedReason\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobsPage($project: String!, $filter: JobFilter, $first: Int!, $after: String) {\n    project(key: $project) {\n      id\n      jobs(filter: $filter, first: $first, after: $after) {\n        edges { cursor node { ...JobRow } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): (typeof documents)["\n  query JobsPage($project: String!, $filter: JobFilter, $first: Int!, $after: String) {\n    project(key: $project) {\n      id\n      jobs(filter: $filter, first: $first, after: $after) {\n        edges { cursor node { ...JobRow } }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobCounts($project: String!, $filter: JobFilter) {\n    project(key: $project) {\n      id\n      jobCounts(filter: $filter) { status count atLeast }\n      blockedQueues { queued workerState lastSeenAt computer { id name canManage } }\n    }\n  }\n"): (typeof documents)["\n  query JobCounts($project: String!, $filter: JobFilter) {\n    project(key: $project) {\n      id\n      jobCounts(filter: $filter) { status count atLeast }\n      blockedQueues { queued workerState lastSeenAt computer { id name canManage } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobsChanged($project: String!, $filter: JobFilter, $after: String) {\n    jobsChanged(project: $project, filter: $filter, after: $after) {\n      cursor removedIds resync\n      changed { ...JobRow }\n    }\n  }\n"): (typeof documents)["\n  subscription JobsChanged($project: String!, $filter: JobFilter, $after: String) {\n    jobsChanged(project: $project, filter: $filter, after: $after) {\n      cursor removedIds resync\n      changed { ...JobRow }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobFilterChoices($project: String!) {\n    project(key: $project) {\n      id\n      people { id name displayName }\n      computers(first: 200) { nodes { id name } }\n    }\n  }\n"): (typeof documents)["\n  query JobFilterChoices($project: String!) {\n    project(key: $project) {\n      id\n      people { id name displayName }\n      computers(first: 200) { nodes { id name } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment JobDetail on Job {\n    ...JobRow\n    command error errorArgs heartbeatAt assignedAt logLineCount\n    cost { amount currency }\n    stopRequestedBy { id name displayName }\n    progress { percent current total etaSeconds label }\n    after { id shortId status run { id name } }\n    waiting {\n      code message args jobsAhead estimatedStart\n      possibleReasons { code args }\n    }\n    run { id shortId name kind parameters tags experiment { id name } }\n    computer { id name kind canManage }\n  }\n"): (typeof documents)["\n  fragment JobDetail on Job {\n    ...JobRow\n    command error errorArgs heartbeatAt assignedAt logLineCount\n    cost { amount currency }\n    stopRequestedBy { id name displayName }\n    progress { percent current total etaSeconds label }\n    after { id shortId status run { id name } }\n    waiting {\n      code message args jobsAhead estimatedStart\n      possibleReasons { code args }\n    }\n    run { id shortId name kind parameters tags experiment { id name } }\n    computer { id name kind canManage }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobDetail($id: ID!) {\n    job(id: $id) { ...JobDetail project { id key } }\n  }\n"): (typeof documents)["\n  query JobDetail($id: ID!) {\n    job(id: $id) { ...JobDetail project { id key } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobSnapshot($id: ID!) {\n    job(id: $id) {\n      id\n      snapshot { command workingDirectory environment secretNames parameters timeLimitSeconds }\n    }\n  }\n"): (typeof documents)["\n  query JobSnapshot($id: ID!) {\n    job(id: $id) {\n      id\n      snapshot { command workingDirectory environment secretNames parameters timeLimitSeconds }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobChanged($id: ID!) {\n    jobChanged(id: $id) { ...JobDetail }\n  }\n"): (typeof documents)["\n  subscription JobChanged($id: ID!) {\n    jobChanged(id: $id) { ...JobDetail }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment JobEventItem on JobEvent {\n    id cursor type source severity time durationSeconds attempt args\n    actor { id name displayName }\n  }\n"): (typeof documents)["\n  fragment JobEventItem on JobEvent {\n    id cursor type source severity time durationSeconds attempt args\n    actor { id name displayName }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobEvents($id: ID!, $first: Int!, $after: String) {\n    job(id: $id) {\n      id\n      events(first: $first, after: $after) {\n        nodes { ...JobEventItem }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"): (typeof documents)["\n  query JobEvents($id: ID!, $first: Int!, $after: String) {\n    job(id: $id) {\n      id\n      events(first: $first, after: $after) {\n        nodes { ...JobEventItem }\n        pageInfo { hasNextPage endCursor }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobEventsLive($id: ID!, $after: String) {\n    jobEvents(id: $id, after: $after) { ...JobEventItem }\n  }\n"): (typeof documents)["\n  subscription JobEventsLive($id: ID!, $after: String) {\n    jobEvents(id: $id, after: $after) { ...JobEventItem }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RequestStop($input: JobsInput!) {\n    requestStop(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"): (typeof documents)["\n  mutation RequestStop($input: JobsInput!) {\n    requestStop(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation KillJobs($input: JobsInput!) {\n    killJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"): (typeof documents)["\n  mutation KillJobs($input: JobsInput!) {\n    killJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ForceEndJobs($input: JobsInput!) {\n    forceEndJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"): (typeof documents)["\n  mutation ForceEndJobs($input: JobsInput!) {\n    forceEndJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation HoldJobs($input: JobsInput!) {\n    holdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"): (typeof documents)["\n  mutation HoldJobs($input: JobsInput!) {\n    holdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnholdJobs($input: JobsInput!) {\n    unholdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"): (typeof documents)["\n  mutation UnholdJobs($input: JobsInput!) {\n    unholdJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetPriority($input: SetPriorityInput!) {\n    setPriority(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"): (typeof documents)["\n  mutation SetPriority($input: SetPriorityInput!) {\n    setPriority(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation MoveJobs($input: MoveJobsInput!) {\n    moveJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"): (typeof documents)["\n  mutation MoveJobs($input: MoveJobsInput!) {\n    moveJobs(input: $input) { done refusedCount jobs { ...JobRow } refused { jobId code message } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RerunJob($input: RerunJobInput!) {\n    rerunJob(input: $input) { existing job { ...JobRow } run { id name } }\n  }\n"): (typeof documents)["\n  mutation RerunJob($input: RerunJobInput!) {\n    rerunJob(input: $input) { existing job { ...JobRow } run { id name } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LaunchAgain($id: ID!) {\n    job(id: $id) {\n      id gpuIds gpuCount maxAttempts priority\n      computer { id name }\n      run { id name kind parameters tags experiment { id } }\n      snapshot { command workingDirectory environment parameters timeLimitSeconds }\n    }\n  }\n"): (typeof documents)["\n  query LaunchAgain($id: ID!) {\n    job(id: $id) {\n      id gpuIds gpuCount maxAttempts priority\n      computer { id name }\n      run { id name kind parameters tags experiment { id } }\n      snapshot { command workingDirectory environment parameters timeLimitSeconds }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LaunchJob($input: LaunchJobInput!) {\n    launchJob(input: $input) { existing job { id } run { id name } }\n  }\n"): (typeof documents)["\n  mutation LaunchJob($input: LaunchJobInput!) {\n    launchJob(input: $input) { existing job { id } run { id name } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LaunchOptions($project: String!) {\n    project(key: $project) {\n      id\n      experiments { id name isDefault }\n      computers(first: 200) {\n        nodes {\n          id\n          name\n          kind\n          enabled\n          usable\n          workerState(project: $project)\n          workFolder\n          gpus { id name memoryMib inUse }\n          pricePerHour { amount currency }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query LaunchOptions($project: String!) {\n    project(key: $project) {\n      id\n      experiments { id name isDefault }\n      computers(first: 200) {\n        nodes {\n          id\n          name\n          kind\n          enabled\n          usable\n          workerState(project: $project)\n          workFolder\n          gpus { id name memoryMib inUse }\n          pricePerHour { amount currency }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query JobLog($id: ID!, $tail: Int, $fromLine: Long, $toLine: Long, $levels: [LogLevel!], $search: String) {\n    job(id: $id) {\n      id\n      log(tail: $tail, fromLine: $fromLine, toLine: $toLine, levels: $levels, search: $search) {\n        lines { number time level stream message partial cut }\n        nextLine\n        totalLines\n        matchingLines\n        truncated\n        ended\n      }\n    }\n  }\n"): (typeof documents)["\n  query JobLog($id: ID!, $tail: Int, $fromLine: Long, $toLine: Long, $levels: [LogLevel!], $search: String) {\n    job(id: $id) {\n      id\n      log(tail: $tail, fromLine: $fromLine, toLine: $toLine, levels: $levels, search: $search) {\n        lines { number time level stream message partial cut }\n        nextLine\n        totalLines\n        matchingLines\n        truncated\n        ended\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription JobLogLines($id: ID!, $fromLine: Long) {\n    jobLog(id: $id, fromLine: $fromLine) {\n      lines { number time level stream message partial cut }\n      nextLine\n      totalLines\n      ended\n    }\n  }\n"): (typeof documents)["\n  subscription JobLogLines($id: ID!, $fromLine: Long) {\n    jobLog(id: $id, fromLine: $fromLine) {\n      lines { number time level stream message partial cut }\n      nextLine\n      totalLines\n      ended\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Members($project: String!) {\n    project(key: $project) { id members { role user { id name displayName } } }\n  }\n"): (typeof documents)["\n  query Members($project: String!) {\n    project(key: $project) { id members { role user { id name displayName } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetMember($input: SetMemberInput!) { setMember(input: $input) { member { role user { id name displayName } } } }\n"): (typeof documents)["\n  mutation SetMember($input: SetMemberInput!) { setMember(input: $input) { member { role user { id name displayName } } } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { ok } }\n"): (typeof documents)["\n  mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { ok } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaletteJobs($project: String!, $text: String!) {\n    project(key: $project) {\n      id\n      jobs(first: 8, filter: { text: $text }) {\n        nodes { id shortId status phase endReason held run { id name } computer { id name } }\n      }\n    }\n  }\n"): (typeof documents)["\n  query PaletteJobs($project: String!, $text: String!) {\n    project(key: $project) {\n      id\n      jobs(first: 8, filter: { text: $text }) {\n        nodes { id shortId status phase endReason held run { id name } computer { id name } }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InUse($project: String!) {\n    project(key: $project) {\n      id\n      computers(first: 200) {\n        nodes { id kind activeJobs workerState(project: $project) gpus { id inUse } }\n      }\n    }\n  }\n"): (typeof documents)["\n  query InUse($project: String!) {\n    project(key: $project) {\n      id\n      computers(first: 200) {\n        nodes { id kind activeJobs workerState(project: $project) gpus { id inUse } }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateProject($input: CreateProjectInput!) {\n    createProject(input: $input) { project { id key name role } }\n  }\n"): (typeof documents)["\n  mutation CreateProject($input: CreateProjectInput!) {\n    createProject(input: $input) { project { id key name role } }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;