import type { OutputOf, summaryGet } from '@septet/contract'
import type { Problem } from '@septet/domain'

import type { ClusterFacts } from '../facts.ts'

type Status = OutputOf<typeof summaryGet>['status']

/** Whether all is well, and what is not. "All Systems Operational" is said only when it is true. */
export function statusOf(facts: ClusterFacts): Status {
  const connection = facts.connection()
  const problems = unique([...connection.problems, ...facts.problems()])
  if (connection.kind === 'connecting') return { kind: 'connecting', headline: 'Connecting', problems }
  if (connection.kind === 'disconnected') return { kind: 'down', headline: 'Cluster does not answer', problems }
  if (problems.length === 0) return { kind: 'operational', headline: 'All Systems Operational', problems: [] }
  const headline = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return { kind: 'degraded', headline, problems }
}

function unique(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((problem) => [`${problem.code} ${problem.object}`, problem]))
  return [...seen.values()].map(({ code, message, object }) => ({ code, message, object }))
}
