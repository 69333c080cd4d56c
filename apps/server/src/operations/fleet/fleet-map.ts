import type { fleetMap, InputOf, OutputOf } from '@septet/contract'
import { compareText, tenantOf, type TenantRule } from '@septet/domain'

import type { ClusterFacts, ClusterPicture } from '../../facts.ts'
import { fleetColumns, type FleetColumns } from './fleet-columns.ts'
import { barContext, gpuView } from './gpu-view.ts'
import { answeredFrom, notRead } from '../answering/source.ts'

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
