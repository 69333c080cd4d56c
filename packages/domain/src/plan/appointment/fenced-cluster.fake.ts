import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { UNCONSTRAINED, UNKNOWN_ROOM } from '../../cluster/scheduling.ts'
import type { Pod } from '../../cluster/workload.ts'
import { instant, seconds, type Instant, type Seconds } from '../../units.ts'
import { lastStart } from '../../fleet/known-ends.ts'

/** Work that comes to the make-believe cluster. */
export type Job = {
  readonly id: string
  readonly gpus: number
  /** How long it would run. */
  readonly runs: Seconds
  /** Its activeDeadlineSeconds. */
  readonly limit: Seconds | undefined
  readonly grace: Seconds
  readonly managed: boolean
  readonly budget: string | undefined
  /** It ran and was evicted: until it runs again its budget allows one fewer. */
  readonly evicted?: true
}

export type Running = Job & {
  readonly node: FencedNode
  readonly startedAt: number
  readonly gpusHeld: readonly number[]
  /** Let in behind a fence, or what the fence is for. */
  readonly role: 'work' | 'backfill' | 'beneficiary'
}

export type FencedNode = {
  readonly name: string
  /** Who holds each GPU. */
  readonly holders: (string | undefined)[]
  /** The instant for which it is closed; undefined: it is open. */
  closedFor: number | undefined
}

/** The kubelet takes a pod on so long after it is bound, at most. */
const LAG = 20

/**
 * Nodes of whole GPUs under a scheduler that spreads: waiting work is tried in the order in which it came, on the node with
 * most free GPUs. What is closed takes only work that is surely gone before.
 */
export class FencedCluster {
  readonly nodes: readonly FencedNode[]
  readonly running = new Map<string, Running>()
  waiting: Job[] = []
  readonly #allowed: ReadonlyMap<string, number>

  constructor(nodes: number, gpusPerNode: number, allowed: ReadonlyMap<string, number>) {
    this.nodes = Array.from({ length: nodes }, (_, index) => ({
      name: `node-${String(index).padStart(2, '0')}`,
      holders: Array.from({ length: gpusPerNode }, () => undefined),
      closedFor: undefined,
    }))
    this.#allowed = allowed
  }

  /** Starts what fits; returns what began. */
  schedule(now: number): readonly Running[] {
    const begun: Running[] = []
    this.waiting = this.waiting.filter((job) => {
      const node = this.#nodeFor(job, now)
      if (node === undefined) return true
      begun.push(this.start(job, node, { now, role: node.closedFor === undefined ? 'work' : 'backfill' }))
      return false
    })
    return begun
  }

  start(job: Job, node: FencedNode, { now, role }: { readonly now: number; readonly role: Running['role'] }): Running {
    const gpusHeld = free(node).slice(0, job.gpus)
    for (const gpu of gpusHeld) node.holders[gpu] = job.id
    const running = { ...job, node, startedAt: now, gpusHeld, role }
    this.running.set(job.id, running)
    return running
  }

  stop({ id, node, gpusHeld }: Running): void {
    for (const gpu of gpusHeld) node.holders[gpu] = undefined
    this.running.delete(id)
  }

  /** Evictions that a disruption budget allows now; nobody but appointments takes from it. */
  allowedNow(budget: string): number {
    const away = this.waiting.filter((job) => job.evicted === true && job.budget === budget).length
    return (this.#allowed.get(budget) ?? 0) - away
  }

  /** What Septet would read. `reserved`: evictions that are planned already, by budget. */
  snapshot(now: number, reserved: ReadonlyMap<string, number>): ClusterSnapshot {
    const pods = [...this.running.values()].map(podOf)
    return {
      cluster: 'fenced',
      takenAt: instant(now),
      serverVersion: 'v1.34.0',
      nodes: this.nodes.map(nodeOf),
      pods,
      workloads: [],
      allocations: [...this.running.values()].flatMap(({ id, node, gpusHeld, startedAt }) =>
        gpusHeld.map((gpu) => ({
          partition: `${node.name}-${gpu}`,
          pod: id,
          workload: workloadOf(id),
          since: instant(startedAt),
          evidence: 'label' as const,
        })),
      ),
      queues: [],
      budgets: [...this.#allowed.keys()].map((id) => ({
        id,
        pods: [...this.running.values()].flatMap((pod) => (pod.budget === id ? pod.id : [])),
        allowed: Math.max(0, this.allowedNow(id) - (reserved.get(id) ?? 0)),
      })),
      quotas: [],
      problems: [],
    }
  }

  #nodeFor(job: Job, now: number): FencedNode | undefined {
    const fits = this.nodes.filter((node) => free(node).length >= job.gpus && mayStart(job, node, now))
    return fits.toSorted((a, b) => free(b).length - free(a).length)[0]
  }
}

/** GPUs that nobody holds. */
export const free = ({ holders }: FencedNode): readonly number[] =>
  holders.flatMap((holder, gpu) => (holder === undefined ? gpu : []))

function mayStart({ limit, grace }: Job, { closedFor }: FencedNode, now: number): boolean {
  if (closedFor === undefined) return true
  return limit !== undefined && now <= lastStart(instant(closedFor), seconds(limit + grace + LAG))
}

/** When it stops holding its GPUs: at its end or its deadline, late by what the kubelet and its stopping take. */
export function endOf({ startedAt, runs, limit, grace }: Running, chance: () => number): number {
  const taken = startedAt + LAG * 1000 * chance()
  const told = limit !== undefined && limit < runs ? limit + grace * chance() : runs
  return taken + told * 1000
}

const workloadOf = (pod: string): string => pod.replace('/', '/Job/')

function podOf({ id, node, gpus, startedAt, limit, grace, managed }: Running): Pod {
  const [namespace = '', name = ''] = id.split('/')
  const endsBy: { readonly endsBy?: Instant } =
    limit === undefined ? {} : { endsBy: instant(startedAt + (LAG + limit + grace) * 1000) }
  return {
    id,
    uid: id,
    namespace,
    name,
    node: node.name,
    phase: 'Running',
    requests: [{ resource: WHOLE_GPU_RESOURCE, count: gpus }],
    scheduling: { ...UNCONSTRAINED, managed },
    workload: workloadOf(id),
    createdAt: instant(startedAt),
    startedAt: instant(startedAt),
    waiting: undefined,
    grace,
    ...endsBy,
  }
}

const nodeOf = ({ name, holders, closedFor }: FencedNode): ClusterSnapshot['nodes'][number] => ({
  name,
  pool: '',
  ready: true,
  schedulable: closedFor === undefined,
  createdAt: instant(0),
  model: 'H100-80GB-HBM3',
  product: 'H100-80GB-HBM3',
  mig: { strategy: 'none', config: undefined, state: undefined },
  sharing: { kind: 'none' },
  allocatable: { [WHOLE_GPU_RESOURCE]: holders.length },
  room: UNKNOWN_ROOM,
  gpus: holders.map((_, index) => ({
    id: `${name}-${index}`,
    node: name,
    index,
    model: 'H100-80GB-HBM3',
    identified: 'telemetry',
    migEnabled: false,
    partitions: [{ kind: 'whole', id: `${name}-${index}`, gpu: `${name}-${index}` }],
    fault: undefined,
  })),
  problems: [],
})
