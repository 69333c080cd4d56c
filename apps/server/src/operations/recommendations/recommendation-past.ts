import type { OutputOf, recommendationsGet } from '@septet/contract'
import type { Recommendation, UsageStore, Window } from '@septet/domain'
import { CLASSES } from '@septet/domain/action-classes'

import type { ClusterFacts } from '../../facts.ts'
import { sizeView } from '../workloads/workload-size.ts'
import { shareHeldOver, usageOver } from '../workloads/workload-use.ts'

type Past = OutputOf<typeof recommendationsGet>['past']

export type PastNeeds = {
  readonly usage: Pick<UsageStore, 'totals'>
  /** The only ones that the caller sees; undefined: all. */
  readonly namespaces: readonly string[] | undefined
}

/** What was measured over the time that a recommendation is concluded from; null where it is not concluded from use. */
export async function recommendationPast(facts: ClusterFacts, made: Recommendation, needs: PastNeeds): Promise<Past> {
  const { window } = made.evidence
  if (window === undefined || typeof pastOf(made) !== 'string') return null
  const [kind, name] = cut(made.object)
  if (kind === 'workload') return pastOfWorkload(facts, { made, window, id: name }, needs)
  return kind === 'node' ? pastOfNode(facts, { made, window, node: name }, needs) : null
}

const pastOf = ({ kind }: Recommendation) => CLASSES[kind].advice.past

type OfWorkload = { readonly made: Recommendation; readonly window: Window; readonly id: string }

async function pastOfWorkload(
  facts: ClusterFacts,
  { made, window, id }: OfWorkload,
  { usage }: PastNeeds,
): Promise<Past> {
  const [use, detail] = await Promise.all([
    usageOver(usage, { cluster: facts.record.id, window, of: { workloads: [id] } }),
    pastOf(made) === 'size' ? facts.workload(id) : undefined,
  ])
  const study = detail?.size
  return {
    use: use ?? null,
    idleBelow: pastOf(made) === 'idle' ? percentOf(made, 'idle is busy at most, %') : null,
    shareHeld: null,
    size: study === undefined || typeof study === 'string' ? null : sizeView(study),
  }
}

type OfNode = { readonly made: Recommendation; readonly window: Window; readonly node: string }

async function pastOfNode(facts: ClusterFacts, { made, window, node }: OfNode, needs: PastNeeds): Promise<Past> {
  const gpus = gpusOf(facts, node)
  if (gpus.length === 0) return null
  const of = { gpus, ...(needs.namespaces === undefined ? {} : { namespaces: needs.namespaces }) }
  const asked = { cluster: facts.record.id, window, of }
  const empty = { use: null, idleBelow: null, shareHeld: null, size: null }
  if (pastOf(made) === 'use') return { ...empty, use: (await usageOver(needs.usage, asked)) ?? null }
  // How much others hold is not told to those who see namespaces alone.
  if (pastOf(made) !== 'held' || needs.namespaces !== undefined) return null
  return { ...empty, shareHeld: (await shareHeldOver(needs.usage, asked)) ?? null }
}

const gpusOf = (facts: ClusterFacts, node: string): string[] =>
  facts
    .picture()
    ?.nodes.find(({ name }) => name === node)
    ?.gpus.map(({ id }) => id) ?? []

const percentOf = ({ evidence }: Recommendation, figure: string): number | null => {
  const value = evidence.figures[figure]
  return typeof value === 'number' ? value / 100 : null
}

const cut = (object: string): readonly [kind: string, name: string] => {
  const at = object.indexOf('/')
  return [object.slice(0, at), object.slice(at + 1)]
}
