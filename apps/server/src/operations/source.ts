import type { Window } from '@septet/domain'

import type { ClusterFacts, Facts, RangeAnalysis } from '../facts.ts'
import type { Range } from '@septet/contract'
import { Refusal } from './refusal.ts'
import { isoOrNull, windowView } from './view.ts'

/** Id of the fixed figures of the specification: a source that is not a cluster. */
export const SAMPLE_ID = 'sample'

/** The cluster that was asked for, or the first one. Undefined when sample data was asked for, or nothing else exists. */
export function chooseCluster(facts: Facts, id: string | undefined): ClusterFacts | undefined {
  const clusters = facts.clusters()
  if (id === SAMPLE_ID || (id === undefined && clusters.length === 0)) return undefined
  const chosen = id === undefined ? clusters[0] : clusters.find((cluster) => cluster.record.id === id)
  if (chosen !== undefined) return chosen
  const known = [...clusters.map((cluster) => cluster.record.id), SAMPLE_ID].join(', ')
  throw new Refusal('unknown-cluster', `There is no cluster "${id}".`, `Ask for one of: ${known}.`)
}

/** The same where sample data will not do: it is fixed, so there is nothing to look into or to change. */
export function needCluster(facts: Facts, id: string | undefined): ClusterFacts {
  const chosen = chooseCluster(facts, id)
  if (chosen !== undefined) return chosen
  throw new Refusal(
    'not-found',
    'Sample data has fixed recommendations: there is nothing behind them and nothing to dismiss.',
    'Choose a cluster; /api/v1/clusters lists them.',
  )
}

/** Which source, of when, over which window: the head of every answer. */
export function answeredFrom(
  facts: ClusterFacts,
  window: Window | undefined,
): {
  source: { id: string; name: string; kind: 'cluster' | 'demo' }
  asOf: string | null
  window: { from: string; to: string } | null
} {
  const { id, name, kind } = facts.record
  return { source: { id, name, kind }, asOf: isoOrNull(facts.asOf()), window: windowView(window) }
}

/** The analysis, or a refusal that says why there is none yet. */
export async function needAnalysis(facts: ClusterFacts, range: Range): Promise<RangeAnalysis> {
  const analysis = await facts.analysis(range)
  if (analysis !== undefined) return analysis
  const problem = [...facts.connection().problems, ...facts.problems()][0]
  throw new Refusal(
    'not-ready',
    problem?.message ?? `Septet is reading ${facts.record.name} for the first time; there is nothing to show yet.`,
    problem === undefined
      ? 'Ask again in a few seconds.'
      : 'Other sources still work; choose one, or mend this one and wait.',
  )
}
