import type { UsageRow } from '../../analyze/usage.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import { UNKNOWN_ROOM } from '../../cluster/scheduling.ts'
import type { PodId, WorkloadId } from '../../cluster/workload.ts'
import { compareText, type Instant, type Window } from '../../units.ts'
import type { RecordedCluster } from './recorded-cluster.ts'
import { schedulingOf, there } from './recorded-snapshot.ts'
import type { ShadowQuestion } from './shadow.ts'

/** A node that would have been gone for a while. */
export type Removed = Window & { readonly node: string }

/** What one pod held on a node: so many devices of each kind, all of them on one node. */
export type Displaced = {
  readonly pod: PodId
  readonly workload: WorkloadId
  readonly on: string
  readonly kinds: ReadonlyMap<string, number>
}

type Hour = {
  /** By node, then kind of device: partitions that nobody held, in order. */
  readonly free: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  readonly pods: readonly Displaced[]
}

/** Where the work of nodes that are gone finds free devices of the same kind. Nothing is cut again or moved for it. */
export class WorkElsewhere {
  readonly #cluster: RecordedCluster
  readonly #today: ShadowQuestion['today']
  readonly #rooms: ReadonlyMap<string, typeof UNKNOWN_ROOM>
  readonly #hours = new Map<number, Hour>()

  constructor(cluster: RecordedCluster, today: ShadowQuestion['today']) {
    this.#cluster = cluster
    this.#today = today
    this.#rooms = new Map(today.nodes.map(({ name, room }) => [name, room]))
  }

  /** Who held something in the bucket that ended at a moment. */
  podsAt = (end: Instant): readonly Displaced[] => this.#at(end).pods

  /**
   * Gives the work of these nodes, and `more`, room in the bucket that ended at a moment, those of the node that went first
   * before others. `taken`: who gets which partition; `left`: who finds none.
   */
  find(
    end: Instant,
    gone: readonly Pick<Removed, 'node'>[],
    more: readonly Displaced[] = [],
  ): { readonly taken: ReadonlyMap<string, WorkloadId>; readonly left: readonly Displaced[] } {
    const { free, pods } = this.#at(end)
    const names = new Set(gone.map(({ node }) => node))
    const taken = new Map<string, WorkloadId>()
    const asking = [...gone.flatMap(({ node }) => pods.filter(({ on }) => on === node)), ...more]
    const left = asking.filter((pod) => {
      const found = this.#roomFor(pod, { free, names, taken })
      for (const partition of found ?? []) taken.set(partition, pod.workload)
      return found === undefined
    })
    return { taken, left }
  }

  #roomFor(pod: Displaced, { free, names, taken }: Looking): readonly string[] | undefined {
    const scheduling = schedulingOf(pod.workload, this.#today)
    for (const [node, kinds] of free) {
      if (names.has(node) || nodeRefusal(scheduling, this.#rooms.get(node) ?? UNKNOWN_ROOM) !== undefined) continue
      const found = [...pod.kinds].map(([kind, count]) =>
        (kinds.get(kind) ?? []).filter((partition) => !taken.has(partition)).slice(0, count),
      )
      const wanted = [...pod.kinds.values()]
      if (found.every((each, order) => each.length === wanted[order])) return found.flat()
    }
    return undefined
  }

  #at(end: Instant): Hour {
    const known = this.#hours.get(end) ?? hourOf(this.#cluster.endingAt(end))
    this.#hours.set(end, known)
    return known
  }
}

type Looking = Pick<Hour, 'free'> & {
  readonly names: ReadonlySet<string>
  readonly taken: ReadonlyMap<string, WorkloadId>
}

function hourOf(all: readonly UsageRow[]): Hour {
  const rows = there(all)
  const held = rows.filter(({ kind }) => kind === 'held')
  const busy = new Set(held.map(({ partition }) => partition))
  const free = rows.filter(
    (row) => row.kind === 'free' && !busy.has(row.partition) && !row.partition.endsWith('/uncut'),
  )
  return {
    free: new Map(
      inTextOrder(Map.groupBy(free, ({ node }) => node)).map(([node, own]) => [
        node,
        new Map(
          inTextOrder(Map.groupBy(own, kindOf)).map(([kind, each]) => [
            kind,
            each.map(({ partition }) => partition).toSorted(compareText),
          ]),
        ),
      ]),
    ),
    pods: inTextOrder(Map.groupBy(held, ({ pod, node }) => `${pod} ${node}`)).flatMap(([, own]) => podOf(own)),
  }
}

function podOf(rows: readonly UsageRow[]): Displaced | [] {
  const [first] = rows
  if (first === undefined) return []
  const kinds = inTextOrder(Map.groupBy(rows, kindOf)).map(([kind, own]) => [kind, own.length] as const)
  return { pod: first.pod, workload: first.workload, on: first.node, kinds: new Map(kinds) }
}

const inTextOrder = <Value>(groups: ReadonlyMap<string, Value>): ReadonlyArray<readonly [string, Value]> =>
  [...groups].toSorted(([a], [b]) => compareText(a, b))

/** Work goes on as before only on the same model and the same part of it. */
const kindOf = ({ model, profile, share }: UsageRow): string => `${model} ${profile} ${Math.round(share * 1000)}`
