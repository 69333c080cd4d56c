import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import type { Quota, QuotaFlavor } from '../../cluster/scheduling.ts'
import type { Workload } from '../../cluster/workload.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { devicesLeft } from '../../fleet/fits.ts'
import { isClosed } from '../../fleet/open-nodes.ts'
import type { CohortRoom } from './cohort-room.ts'

/** A change of a cluster queue's manifest. How much a queue is promised is decided by people, most often in git. */
export type QueuePatch = {
  /** A file name. */
  readonly name: string
  /** A JSON patch (RFC 6902) as YAML, which kubectl and Kustomize take. It fails on any other quota than the one it was made for. */
  readonly text: string
}

type Tight = {
  readonly quota: Quota
  readonly asked: number
  readonly workload: Pick<Workload, 'id'>
  readonly room: CohortRoom
}

/**
 * Raises what a cluster queue may use by what waiting work lacks, where as many GPUs as it asks for are free: otherwise it would
 * only wait elsewhere. Where the cohort has enough and the queue may not take it, the borrowing limit is raised, which promises
 * the queue nothing; else its quota. With several flavors it is not known which of them the work is to get, so then there is
 * none.
 */
export function queuePatch({ quota, asked, workload, room }: Tight, free: ClusterSnapshot): QueuePatch | undefined {
  const { queue, resource, flavors = [] } = quota
  const [flavor] = flavors
  const count = freeOf(resource, free)
  if (queue === undefined || flavor === undefined || flavors.length > 1 || count < asked) return undefined
  const { field, before, wanted, says } = changeOf({ quota, flavor, asked, room })
  const at = `${flavor.path}${flavor.resourcePath}`
  const name = `clusterqueue-${queue}.yaml`
  return {
    name,
    text: [
      `# ClusterQueue ${queue} ${says}, so that`,
      `# ${workload.id} may start, which asks for ${asked}. ${count} are free in the cluster now; whether the`,
      `# nodes of this flavor have them, and who else waits in the queue, was not looked at.`,
      `# kubectl patch clusterqueues.kueue.x-k8s.io ${queue} --type json --patch-file ${name}`,
      `# In a kustomization: patches: [{path: ${name}, target: {kind: ClusterQueue, name: ${queue}}}]`,
      ...operation('test', `${flavor.path}/name`, flavor.name),
      ...operation('test', `${at}/name`, resource),
      ...operation('test', `${at}/${field}`, before),
      ...operation('replace', `${at}/${field}`, wanted),
      '',
    ].join('\n'),
  }
}

type Change = {
  readonly field: 'nominalQuota' | 'borrowingLimit'
  readonly before: string
  readonly wanted: string
  readonly says: string
}

function changeOf({
  quota: { resource, hard, cohort },
  flavor,
  asked,
  room,
}: Pick<Tight, 'quota' | 'asked' | 'room'> & { readonly flavor: QuotaFlavor }): Change {
  const lacks = asked - room.available
  const { borrowing, name } = flavor
  if (borrowing !== undefined && room.unlimited >= asked) {
    const wanted = String(Number(borrowing) + lacks)
    const says = `may borrow ${wanted} ${resource} of flavor ${name} from the cohort ${cohort} instead of ${borrowing}`
    return { field: 'borrowingLimit', before: borrowing, wanted, says }
  }
  const wanted = String(hard + lacks)
  const says = `gets ${wanted} ${resource} of flavor ${name} instead of ${flavor.nominal}`
  return { field: 'nominalQuota', before: flavor.nominal, wanted, says }
}

const operation = (op: string, path: string, value: string): readonly string[] => [
  `- op: ${op}`,
  `  path: ${path}`,
  `  value: ${JSON.stringify(value)}`,
]

/** Devices that a pod which asks for the resource could get now, on nodes that take pods. */
export const freeOf = (resource: string, snapshot: ClusterSnapshot): number =>
  countedFleet(snapshot).nodes.reduce((sum, on) => (isClosed(on) ? sum : sum + devicesLeft(on, resource).sure), 0)
