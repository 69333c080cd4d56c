import { instant, type Caller, type Instant, type TimeRange, type Window } from '@septet/domain'
import type { ClusterFacts, Facts, RangeAnalysis } from '../../facts.ts'
import { ageWords, lookedBack, unreadWords, type LookedBack } from '../../freshness.ts'
import { Refusal, notReady } from '@septet/contract'
import { inSentences, isoOrNull, windowView } from './view.ts'
import { factsOfNamespaces } from './namespace-facts.ts'

/**
 * The cluster that was asked for, or the first one that the caller may see. Undefined when sample data was asked for, or
 * nothing else is there for them. One that they may not see is refused as one that does not exist.
 */
export function chooseCluster(facts: VisibleFacts, id: string | undefined): ClusterFacts | undefined {
  const clusters = facts.clusters()
  const wantsSample = id === SAMPLE_ID || (id === undefined && clusters.length === 0)
  if (wantsSample && facts.sample) return undefined
  const chosen = id === undefined ? clusters[0] : clusters.find((cluster) => cluster.record.id === id)
  if (chosen !== undefined) return chosen
  const known = sourceIds(facts)
  throw new Refusal(
    'unknown-cluster',
    id === undefined ? 'You have no access to any cluster.' : `There is no cluster "${id}".`,
    known.length === 0 ? 'Ask an admin which clusters are yours.' : `Choose one of: ${known.join(', ')}.`,
  )
}

/** Everything that the caller may ask for by id. */
export const sourceIds = (facts: VisibleFacts): string[] => [
  ...facts.clusters().map(({ record }) => record.id),
  ...(facts.sample ? [SAMPLE_ID] : []),
]

type Head = {
  source: { id: string; name: string; kind: 'cluster' | 'demo' }
  asOf: string | null
  window: { from: string; to: string } | null
  age?: string
  unknownDays?: number
}

/**
 * Which source, of when, over which window: the head of every answer. While `reach`, the time that its figures are of, holds
 * a past that is not read yet, it says how much of that is.
 */
export function answeredFrom(facts: ClusterFacts, window: Window | undefined, reach = window): Head {
  return headOf(facts, window, reach && unreadWords(facts.history(), reach))
}

/** The same of what was looked back on, which says how old it is. */
export function answeredOver(facts: ClusterFacts, found: LookedBack, reach = found.window): Head {
  const asOf = facts.asOf()
  const unread = unreadWords(found.history ?? facts.history(), reach)
  return headOf(facts, found.window, inSentences([unread, asOf && ageWords(found, asOf)]))
}

function headOf(facts: ClusterFacts, window: Window | undefined, age: string | undefined): Head {
  const { id, name, kind } = facts.record
  return {
    source: { id, name, kind },
    asOf: isoOrNull(facts.asOf()),
    window: windowView(window),
    ...(age !== undefined && { age }),
  }
}

/** What of a window is over. */
export const upTo = ({ from, to }: Window, now: Instant): Window => ({
  from,
  to: instant(Math.max(from, Math.min(to, now))),
})

type Found = RangeAnalysis & {
  readonly answered: Head
  /** That its figures reach into a past that is not read yet, in sentences. */
  readonly unread: string | undefined
}

/** The analysis with the head of its answer, or a refusal that says why there is none yet; `reach` as of its head. */
export async function needAnalysis(facts: ClusterFacts, range: TimeRange, reach?: Window): Promise<Found> {
  const found = await facts.analysis(range)
  if (found !== undefined) {
    const { window } = found.analysis
    return {
      ...found,
      answered: { ...answeredOver(facts, lookedBack(range, found), reach), unknownDays: unknownDays(found.analysis) },
      unread: unreadWords(found.history ?? facts.history(), reach ?? window),
    }
  }
  if (facts.asOf() === undefined) throw notRead(facts)
  throw notReady(
    `Septet is still analyzing ${facts.record.name} over this range; there are no figures to show yet. Other ranges still work.`,
    'Try again in a few seconds.',
  )
}

/** Days of a window, as far as it is over, in which nobody looked; to a hundredth, as the newest minutes are always missing. */
function unknownDays({ window, asOf, observedSeconds }: RangeAnalysis['analysis']): number {
  const { from, to } = upTo(window, asOf)
  return Math.max(0, Math.round(((to - from) / 1000 - observedSeconds) / 864) / 100)
}

/** The refusal of what nothing is known of yet: what keeps it, or that it is on its way. */
export function notRead(facts: ClusterFacts): Refusal {
  const problem = [...facts.connection().problems, ...facts.problems()][0]
  return notReady(
    problem?.message ?? `Septet is reading ${facts.record.name} for the first time; there is nothing to show yet.`,
    problem === undefined
      ? 'Try again in a few seconds.'
      : 'Other sources still work; choose one, or fix this one and wait.',
  )
}

/** Undefined while the database is away: what is live is told without it. */
export async function unlessAway<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError') return undefined
    throw error
  }
}

/** Id of the fixed figures of the specification: a source that is not a cluster. */
export const SAMPLE_ID = 'sample'
/** The fixed figures of the product's specification, as a source that is not a cluster. */
export const SAMPLE_SOURCE = { id: SAMPLE_ID, name: 'Sample data', kind: 'sample' as const }
/** The head of every answer of sample data: of no time, over no window. */
export const SAMPLE_ANSWERED = { source: SAMPLE_SOURCE, asOf: null, window: null }

/** What there is for one caller: their clusters and, unless it is kept from them, the sample data. */
export type VisibleFacts = Facts & {
  readonly sample: boolean
  /** Whether they may know of a cluster, also of one that is no longer watched. */
  mayKnow(cluster: string): boolean
}

/**
 * Leaves out the clusters that a caller may not see: to them those do not exist. Where they are limited to namespaces,
 * nothing else is in the ones that are left.
 */
export function visibleFacts(
  facts: Facts,
  { clusters, namespaces }: Pick<Caller, 'clusters' | 'namespaces'>,
): VisibleFacts {
  const known = (): readonly ClusterFacts[] =>
    namespaces === undefined ? facts.clusters() : facts.clusters().map((one) => factsOfNamespaces(one, namespaces))
  if (clusters === undefined) return { clusters: known, sample: true, mayKnow: () => true }
  const wanted = new Set(clusters)
  return {
    clusters: () => known().filter(({ record }) => wanted.has(record.id)),
    sample: wanted.has(SAMPLE_ID),
    mayKnow: (cluster) => wanted.has(cluster),
  }
}
