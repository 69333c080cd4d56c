import { plural } from '@septet/domain/words'
import type { OutputOf, summaryGet } from '@septet/contract'
import type { Problem } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'

type Status = OutputOf<typeof summaryGet>['status']

/** Whether all is well, and what is not. "All Systems Operational" is said only when it is true. */
export function statusOf(facts: ClusterFacts): Status {
  const connection = facts.connection()
  const problems = unique([...connection.problems, ...facts.problems()])
  if (connection.kind === 'connecting') return { kind: 'connecting', headline: 'Connecting', problems }
  if (connection.kind === 'disconnected') return { kind: 'down', headline: 'Cluster does not answer', problems }
  if (problems.length === 0) return { kind: 'operational', headline: 'All Systems Operational', problems: [] }
  return { kind: 'degraded', headline: headlineOf(problems), problems }
}

/** What is wrong in a few words where all of it is of one kind, else how many problems there are. */
function headlineOf(problems: readonly Problem[]): string {
  const codes = new Set(problems.map(({ code }) => code))
  const [code] = codes
  const words = codes.size === 1 && code !== undefined ? WORDS.get(code) : undefined
  if (words === undefined) return plural(problems.length, 'problem')
  return problems.length === 1 ? words : `${words}, ${problems.length} times`
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['telemetry-unavailable', 'No telemetry'],
  ['telemetry-not-configured', 'No telemetry configured'],
  ['target-discovery-failed', 'Exporters not found'],
  ['target-failed', 'Exporter does not answer'],
  ['stale-target', 'Exporter does not answer'],
  ['no-telemetry', 'Node without telemetry'],
  ['missing-instance', 'MIG devices not exported'],
  ['stuck-at-zero', 'Counters stuck at 0'],
  ['busy-vanished', 'Busy no longer exported'],
  ['busy-not-exported', 'Busy not exported'],
  ['gpu-vanished', 'GPU vanished'],
  ['gpu-fault', 'GPU fault'],
  ['clock-skew', 'Clocks differ'],
  ['forbidden', 'Permission missing'],
  ['unreadable-resource', 'Resource not readable'],
  ['history-unavailable', 'Past usage missing'],
])

function unique(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((problem) => [`${problem.code} ${problem.object}`, problem]))
  return [...seen.values()].map(({ code, message, object }) => ({ code, message, object }))
}
