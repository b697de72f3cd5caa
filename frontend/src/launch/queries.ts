import { graphql } from '@/api/generated';

export const LaunchJobMutation = graphql(`
  mutation LaunchJob($input: LaunchJobInput!) {
    launchJob(input: $input) { existing job { id } run { id name } }
  }
`);

export const LaunchOptionsQuery = graphql(`
  query LaunchOptions($project: String!) {
    project(key: $project) {
      id
      experiments { id name isDefault }
      computers(first: 200) {
        nodes {
          id
          name
          kind
          enabled
          usable
          workerState(project: $project)
          workFolder
          gpus { id name memoryMib inUse }
          pricePerHour { amount currency }
        }
      }
    }
  }
`);
