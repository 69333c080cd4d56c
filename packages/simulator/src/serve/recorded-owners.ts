import { podNameOf, type Owner } from '../model/timeline.ts'
import type { World } from '../model/world.ts'

/** Of kube-state-metrics the demo has who owns pods, ReplicaSets and Jobs. */
export const OWNER_METRICS = ['kube_job_owner', 'kube_pod_owner', 'kube_replicaset_owner']

const QUERY = /^last_over_time\((kube_(?:pod|replicaset|job)_owner)\[(\d+)s\]\)$/

type Labels = Readonly<Record<string, string>>

/** Answers `last_over_time(kube_pod_owner[600s])` and its like; undefined for any other query. */
export function ownerSeries(world: World, query: string, at: number): readonly Labels[] | undefined {
  const [, name, seconds] = QUERY.exec(query.trim()) ?? []
  if (name === undefined) return undefined
  const window = { from: at - Number(seconds) * 1000, to: at }
  const found = world.slots.flatMap((slot) =>
    world.occupancies(slot, window).flatMap((one) => SERIES[name]?.(one) ?? []),
  )
  const distinct = new Map(found.map((labels) => [JSON.stringify(labels), labels]))
  return [...distinct.values()]
}

type Occupancy = ReturnType<World['occupancies']>[number]

const ownedBy = (owner: Owner | undefined): Labels => ({
  owner_kind: owner?.kind ?? '<none>',
  owner_name: owner?.name ?? '<none>',
  owner_is_controller: owner === undefined ? '<none>' : 'true',
})

/** Owners of one kind, each with the one above it. */
const linksOf = ({ namespace, owners }: Occupancy, kind: Owner['kind'], label: string): readonly Labels[] =>
  owners.flatMap((owner, order) =>
    owner.kind === kind ? [{ namespace, [label]: owner.name, ...ownedBy(owners[order - 1]) }] : [],
  )

const SERIES: Readonly<Record<string, (of: Occupancy) => readonly Labels[]>> = {
  kube_pod_owner: (of) =>
    of.slot.seats.map((_, index) => ({
      namespace: of.namespace,
      pod: podNameOf(of, index),
      ...ownedBy(of.owners.at(-1)),
    })),
  kube_replicaset_owner: (of) => linksOf(of, 'ReplicaSet', 'replicaset'),
  kube_job_owner: (of) => linksOf(of, 'Job', 'job_name'),
}
