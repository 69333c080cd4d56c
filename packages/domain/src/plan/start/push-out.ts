import type { DisruptionBudget } from '../../cluster/scheduling.ts'
import type { Pod } from '../../cluster/workload.ts'
import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import { devicesOf, fits } from '../../fleet/fits.ts'
import { fitsIn } from '../../cluster/node-rules.ts'
import type { OpenNode } from '../../fleet/open-nodes.ts'
import { onceFor } from '../../once-for.ts'
import { compareText } from '../../units.ts'
import type { AskedPods } from './asked-job.ts'

/** The fleet as it would be, and the pods that had to go for it. */
export type PushedOut = { readonly fleet: CountedFleet; readonly evicted: readonly Pod[] }

/** Pods for which places are made one by one: more are left open. */
const MOST_PUSHED = 64

type PushQuestion = { readonly pods: AskedPods; readonly namespace: string; readonly priority: number }

/**
 * Makes room for pods as kube-scheduler's DefaultPreemption does, one pod after the other: of the nodes where pods of lower
 * priority stand in the way the one where the least is lost, and there no more of them than must go. Undefined where that is
 * not enough, or which pods would go is not known.
 */
export function pushOut(fleet: CountedFleet, { pods, namespace, priority }: PushQuestion): PushedOut | undefined {
  const slots = fits(fleet, pods, namespace)
  const missing = pods.count - slots.reduce((sum, { count }) => sum + count, 0)
  if (missing > MOST_PUSHED || pods.spread.length > 0 || pods.claims.length > 0) return undefined
  const nodes = [...fleet.nodes]
  const wanted = slots.map(({ count }) => count + 1)
  const open = slots.flatMap(({ because }, at) => (because === undefined || MAY_GO.has(because.kind) ? [at] : []))
  const lossAt = (at: number): Loss | undefined =>
    victimsOn(nodes[at], pods, { priority, times: wanted[at] ?? 1, fleet })
  const losses = new Map(open.map((at) => [at, lossAt(at)]))
  const evicted: Pod[] = []
  for (let left = missing; left > 0; left -= 1) {
    const [best] = [...losses.values()].filter((loss) => loss !== undefined).toSorted(byLoss)
    if (best === undefined) return undefined
    const at = nodes.indexOf(best.on)
    nodes[at] = withoutPods(fleet, best.on, best.victims)
    wanted[at] = (wanted[at] ?? 0) + 1
    evicted.push(...best.victims)
    losses.set(at, lossAt(at))
  }
  return { fleet: { ...fleet, nodes }, evicted }
}

/** What a pod that goes may have been in the way of. */
const MAY_GO: ReadonlySet<string> = new Set(['device', 'cpu', 'memory'])

type Loss = { readonly on: OpenNode; readonly victims: readonly Pod[]; readonly violations: number }
type Ask = { readonly priority: number; readonly times: number; readonly fleet: CountedFleet }

/** Who must go so that a node takes so many of the pods; undefined where all of lower priority are not enough. */
function victimsOn(on: OpenNode | undefined, pods: AskedPods, { priority, times, fleet }: Ask): Loss | undefined {
  if (on === undefined || on.dra) return undefined
  const lower = on.pods.filter((pod) => pod.scheduling.priority < priority).toSorted(byImportance)
  const takes = (victims: readonly Pod[]): boolean => hasRoom(on, victims, { pods, times })
  if (!takes(lower)) return undefined
  const guarded = violatingIn(lower, fleet.snapshot.budgets)
  // Whoever is guarded by a budget is let stay first, and then the more important.
  const order = [...lower.filter((pod) => guarded.has(pod)), ...lower.filter((pod) => !guarded.has(pod))]
  let victims: readonly Pod[] = order
  for (const pod of order) {
    const fewer = victims.filter((each) => each !== pod)
    if (takes(fewer)) victims = fewer
  }
  return { on, victims, violations: victims.filter((pod) => guarded.has(pod)).length }
}

const startOf = ({ startedAt, createdAt }: Pod): number => startedAt ?? createdAt
const byImportance = (a: Pod, b: Pod): number =>
  b.scheduling.priority - a.scheduling.priority || startOf(a) - startOf(b) || compareText(a.id, b.id)

/** Pods that may not be evicted together with those before them, as their disruption budgets say. */
function violatingIn(pods: readonly Pod[], budgets: readonly DisruptionBudget[]): ReadonlySet<Pod> {
  const left = new Map(budgets.map((budget) => [budget, budget.allowed]))
  return new Set(
    pods.filter(({ id }) => {
      const own = budgets.filter((budget) => budget.pods.includes(id))
      for (const budget of own) left.set(budget, (left.get(budget) ?? 0) - 1)
      return own.some((budget) => (left.get(budget) ?? 0) < 0)
    }),
  )
}

/** The order of kube-scheduler's pickOneNodeForPreemption. */
const byLoss = (a: Loss, b: Loss): number =>
  a.violations - b.violations ||
  highest(a) - highest(b) ||
  worth(a) - worth(b) ||
  a.victims.length - b.victims.length ||
  earliest(b) - earliest(a) ||
  compareText(a.on.node.name, b.on.node.name)

const highest = ({ victims }: Loss): number => Math.max(-Infinity, ...victims.map((pod) => pod.scheduling.priority))
/** Each pod counts for something, of whatever priority. */
const worth = ({ victims }: Loss): number =>
  victims.reduce((sum, { scheduling }) => sum + scheduling.priority + 2 ** 31, 0)
const earliest = (loss: Loss): number =>
  Math.min(...loss.victims.flatMap((pod) => (pod.scheduling.priority === highest(loss) ? startOf(pod) : [])))

function hasRoom(on: OpenNode, victims: readonly Pod[], { pods, times }: { pods: AskedPods; times: number }): boolean {
  const sum = (of: (pod: Pod) => number): number => victims.reduce((all, pod) => all + of(pod), 0)
  const freed = (resource: string): number =>
    sum(({ requests }) => requests.find((each) => each.resource === resource)?.count ?? 0)
  const { cpuMilli, memory } = pods.scheduling
  return (
    devicesOf(pods).every(({ resource, count }) =>
      fitsIn(count * times, (on.free.get(resource) ?? 0) + freed(resource)),
    ) &&
    fitsIn(cpuMilli * times, on.cpuLeft + sum(({ scheduling }) => scheduling.cpuMilli)) &&
    fitsIn(memory * times, on.memoryLeft + sum(({ scheduling }) => scheduling.memory))
  )
}

const partitionsOf = onceFor(({ snapshot }: CountedFleet) => Map.groupBy(snapshot.allocations, ({ pod }) => pod))

/** The node as if some of its pods were gone. */
export function withoutPods(fleet: CountedFleet, on: OpenNode, gone: readonly Pod[]): OpenNode {
  if (gone.length === 0) return on
  const free = new Map(on.free)
  for (const { requests } of gone)
    for (const { resource, count } of requests) free.set(resource, (free.get(resource) ?? 0) + count)
  const left = new Set(gone.flatMap(({ id }) => partitionsOf(fleet).get(id) ?? []).map(({ partition }) => partition))
  return {
    ...on,
    free,
    pods: on.pods.filter((pod) => !gone.includes(pod)),
    isHeld: (id) => !left.has(id) && on.isHeld(id),
    cpuLeft: on.cpuLeft + gone.reduce((sum, { scheduling }) => sum + scheduling.cpuMilli, 0),
    memoryLeft: on.memoryLeft + gone.reduce((sum, { scheduling }) => sum + scheduling.memory, 0),
  }
}
