import type { fleetMap, InputOf, OutputOf, OPERATIONS, FiguresOf } from '@septet/contract'
import { compareText, tenantOf, type TenantRule, onceFor, type SettingStore, type Store } from '@septet/domain'
import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { fleetColumns, type FleetColumns } from './fleet-columns.ts'
import { barContext, gpuView, brokenIn } from './gpu-view.ts'
import { answeredFrom, notRead, unlessAway } from '../answering/source.ts'
import { readTenants } from '../../tenants.ts'
import type { AnswersOf } from '../answering/answering.ts'
import { liveGpu } from './fleet-gpu.ts'

type FleetMap = OutputOf<typeof fleetMap>
type Known = InputOf<typeof fleetMap>['known']

/** Every GPU as a slice bar, in columns. Refuses before the first snapshot. */
export function liveFleet(facts: ClusterFacts, known: Known, rules: readonly TenantRule[]): FleetMap {
  const picture = facts.picture()
  if (picture === undefined) throw notRead(facts)
  return { ...answeredFrom(facts, undefined), ...told(columnsOf(facts, picture, rules), known) }
}

/** The columns, and what of them changes seldom only to whom it is new. */
export const told = (
  { revision, frame, now }: FleetColumns,
  known: Known,
): Omit<FleetMap, 'source' | 'asOf' | 'window'> => ({
  revision,
  frame: revision === known ? null : frame,
  now,
})

type Made = { readonly of: readonly unknown[]; readonly columns: FleetColumns }

/** Made once for everybody who looks at the same picture and reading. */
const made = new WeakMap<ClusterPicture, Made>()

function columnsOf(facts: ClusterFacts, picture: ClusterPicture, rules: readonly TenantRule[]): FleetColumns {
  const of = [facts.samples(), facts.idle(), JSON.stringify(rules)]
  const last = made.get(picture)
  if (last?.of.every((part, place) => part === of[place]) === true) return last.columns
  const context = barContext(facts, picture)
  const nodes = picture.nodes
    .toSorted((a, b) => compareText(a.name, b.name))
    .map(({ name, pool, ready, gpus }) => ({
      name,
      pool,
      ready,
      gpus: gpus.toSorted((a, b) => a.index - b.index).map((gpu) => gpuView(gpu, context)),
    }))
  const columns = fleetColumns(nodes, tenantsOf(picture, rules))
  made.set(picture, { of, columns })
  return columns
}

/** Whom a workload belongs to, by its id. */
function tenantsOf(
  { workloads }: ClusterPicture,
  rules: readonly TenantRule[],
): (workload: string) => string | undefined {
  if (rules.length === 0) return () => undefined
  const known = new Map(workloads.map((workload) => [workload.id, tenantOf(workload, rules)]))
  return (workload) => known.get(workload) ?? tenantOf({ namespace: workload.split('/')[0] ?? '' }, rules)
}

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
