import { graphql } from '@/api/generated';

export const JobLogQuery = graphql(`
  query JobLog($id: ID!, $tail: Int, $fromLine: Long, $toLine: Long, $levels: [LogLevel!], $search: String) {
    job(id: $id) {
      id
      log(tail: $tail, fromLine: $fromLine, toLine: $toLine, levels: $levels, search: $search) {
        lines { number time level stream message partial cut }
        nextLine
        totalLines
        matchingLines
        truncated
        ended
      }
    }
  }
`);

export const JobLogSubscription = graphql(`
  subscription JobLogLines($id: ID!, $fromLine: Long) {
    jobLog(id: $id, fromLine: $fromLine) {
      lines { number time level stream message partial cut }
      nextLine
      totalLines
      ended
    }
  }
`);
