import { graphql } from '@/api/generated';

export const ComputersQuery = graphql(`
  query ComputersPage($project: String!) {
    project(key: $project) {
      id
      computers(first: 200) {
        nodes {
          id
          name
          kind
          visibility
          enabled
          maxJobs
          workFolder
          runtimes
          activeJobs
          cpuCount
          memoryMib
          canManage
          usable
          owner { id name displayName }
          pricePerHour { amount currency }
          workerState(project: $project)
          lastSeenAt(project: $project)
          gpus { id name memoryMib inUse job { id shortId run { id name } } }
          workers(project: $project) { id name hostname version state draining lastSeenAt }
        }
      }
    }
  }
`);

export const CreateComputerMutation = graphql(`
  mutation CreateComputer($input: CreateComputerInput!) {
    createComputer(input: $input) { computer { id name } }
  }
`);

export const UpdateComputerMutation = graphql(`
  mutation UpdateComputer($input: UpdateComputerInput!) {
    updateComputer(input: $input) { computer { id name enabled maxJobs workFolder visibility } }
  }
`);

export const CreateWorkerTokenMutation = graphql(`
  mutation CreateWorkerToken($input: CreateWorkerTokenInput!) {
    createWorkerToken(input: $input) { setupCommands }
  }
`);
