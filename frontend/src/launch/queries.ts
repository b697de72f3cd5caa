import { graphql } from '@/api/generated';

export const LaunchJobMutation = graphql(`
  mutation LaunchJob($input: LaunchJobInput!) {
    launchJob(input: $input) { existing job { id } run { id name } }
  }
`);
