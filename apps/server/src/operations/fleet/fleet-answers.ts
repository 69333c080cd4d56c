import type { OPERATIONS, FiguresOf, OutputOf } from '@septet/contract'
import { compareText, onceFor, type SettingStore, type Store, type TenantRule } from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { readTenants } from '../../tenants.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { liveGpu } from './fleet-gpu.ts'
import { liveFleet } from './fleet-map.ts'
import { brokenIn } from './gpu-view.ts'
import { answeredFrom, notRead, unlessAway } from '../answering/source.ts'

type Needs = { readonly store: Store; readonly now: () => number }

/** Every GPU at once, one of them, and those that cannot be used. */
export const fleetAnswers = ({ store, now }: Needs): AnswersOf<'fleet'> => ({
  fleetMap: async (facts, { known }) => liveFleet(facts, known, await rulesOf(store.settings)),
  fleetGpu: async (facts, input, { caller: { namespaces } }) =>
    liveGpu(facts, input, { store, rules: await rulesOf(store.settings), namespaces, now: now() }),
  fleetBroken: liveBroken,
})

/** What is broken now, whoever holds it. */
export function liveBroken(facts: ClusterFacts): FiguresOf<typeof OPERATIONS.fleetBroken> {
  const picture = facts.picture()
  if (picture === undefined) throw notRead(facts)
  return { ...answeredFrom(facts, undefined), gpus: brokenViews(picture) }
}

const brokenViews = onceFor((picture: ClusterPicture): OutputOf<typeof OPERATIONS.fleetBroken>['gpus'] => {
  const broken = brokenIn(picture)
  const parts = new Set(broken.flatMap(({ gpu }) => gpu.partitions.map(({ id }) => id)))
  // Most of a fleet is whole, and most of what is held is not looked at twice.
  const held = picture.allocations.filter(({ partition }) => parts.has(partition))
  const holders = Map.groupBy(held, ({ partition }) => partition)
  const gpus = broken.map(({ gpu: { id, index, model = 'unknown board', partitions }, node: { name }, problem }) => {
    const workloads = partitions.flatMap((part) => holders.get(part.id)?.map(({ workload }) => workload) ?? [])
    return { id, node: name, index, model, problem, workloads: [...new Set(workloads)].toSorted() }
  })
  return gpus.toSorted((a, b) => compareText(a.node, b.node) || a.index - b.index)
})

/** The map is live: without the database it is still shown, with nobody's tenant. */
const rulesOf = async (settings: SettingStore): Promise<readonly TenantRule[]> =>
  (await unlessAway(readTenants(settings))) ?? []
