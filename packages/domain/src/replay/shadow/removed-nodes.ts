import { partsOfSnapshot } from '../../analyze/gpu-parts.ts'
import type { UsageRow } from '../../analyze/usage.ts'
import type { Pod, PodId } from '../../cluster/workload.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { FreeRoom, type FreePartition } from '../../fleet/free-room.ts'
import { outcomeAmounts } from '../../plan/recommend/recorded-work.ts'
import { isRecorded } from '../../plan/recommend/stopped-work.ts'
import { compareText, HOUR_MS, instant, type Instant } from '../../units.ts'
import { recordedSnapshot, there } from './recorded-snapshot.ts'
import type { ShadowOutcome } from './shadow.ts'
import type { After, ShadowSources } from './shadow-rule.ts'

/**
 * Nodes that would have been removed, first to last. Each hour their recorded work looks for room on the nodes that are
 * left, by what decides whether a node can be removed; nothing is cut again or moved for it.
 */
export class RemovedNodes {
  readonly #sources: ShadowSources
  #gone: readonly RemovedNode[] = []
  /** Who found no room in the hour before. */
  #waiting: readonly Pod[] = []

  constructor(sources: ShadowSources) {
    this.#sources = sources
  }

  remove(node: string): After {
    const removed = new RemovedNode(node, this.#sources)
    this.#gone = [...this.#gone, removed]
    return removed
  }

  /** Takes what was recorded of the hour up to now, and gives what it would have been without these nodes. */
  take(recorded: readonly UsageRow[], now: Instant): readonly UsageRow[] {
    const at = instant(now - HOUR_MS)
    const byNode = Map.groupBy(recorded, ({ node }) => node)
    for (const removed of this.#gone) {
      if (byNode.has(removed.node)) continue
      if (isRecorded(this.#sources.recorded, at, now)) removed.back('ended', at)
      else removed.pass([], false)
      this.#waiting = this.#waiting.filter(({ node }) => node !== removed.node)
    }
    this.#leaveOut()
    const rows = there(recorded)
    let seated = this.#seat(rows, now)
    for (let node = this.#wrong(seated.left); node !== undefined; node = this.#wrong(seated.left)) {
      node.back('no-room', at)
      this.#leaveOut()
      seated = this.#seat(rows, now)
    }
    this.#waiting = seated.left
    for (const removed of this.#gone) {
      const own = byNode.get(removed.node)
      if (own !== undefined)
        removed.pass(
          own,
          seated.left.some(({ node }) => node === removed.node),
        )
    }
    return seated.rows
  }

  #leaveOut(): void {
    this.#gone = this.#gone.filter(({ backAt }) => backAt === undefined)
  }

  /** The first node of which somebody has waited for longer than an hour: for two buckets in a row. */
  #wrong(left: readonly Pod[]): RemovedNode | undefined {
    const before = new Set(this.#waiting.map(({ id }) => id))
    const nodes = new Set(left.flatMap(({ id, node }) => (before.has(id) ? node : [])))
    return this.#gone.find(({ node }) => nodes.has(node))
  }

  /** Gives room to the work of nodes that are gone, that of the first of them before others, and last to who waits and has ended since. */
  #seat(
    rows: readonly UsageRow[],
    now: Instant,
  ): { readonly rows: readonly UsageRow[]; readonly left: readonly Pod[] } {
    const { question, began } = this.#sources
    const names = new Set(this.#gone.map(({ node }) => node))
    if (names.size === 0) return { rows, left: [] }
    const whole = recordedSnapshot({ rows, now, since: began }, question)
    const isGone = ({ node = '' }: Pod): boolean => names.has(node)
    const running = new Set(whole.pods.map(({ id }) => id))
    const asking = [
      ...this.#gone.flatMap(({ node }) => whole.pods.filter((pod) => pod.node === node)),
      ...this.#waiting.filter((pod) => isGone(pod) && !running.has(pod.id)),
    ]
    const parts = Map.groupBy(partsOfSnapshot(whole), ({ pod }) => pod)
    const room = new FreeRoom({
      fleet: countedFleet({
        ...whole,
        nodes: whole.nodes.filter(({ name }) => !names.has(name)),
        pods: whole.pods.filter((pod) => !isGone(pod)),
      }),
    })
    const seats = new Map<PodId, readonly FreePartition[]>()
    const left = asking.filter((pod) => {
      const [part] = parts.get(pod.id) ?? []
      const found = room.find({ pod, model: part?.model, share: part?.share })
      if (found === undefined) return true
      room.take(found, pod)
      seats.set(pod.id, found)
      return false
    })
    return { rows: seatedElsewhere(rows, names, seats), left }
  }
}

/** What was recorded, with the work of nodes that are gone where it found room. */
function seatedElsewhere(
  rows: readonly UsageRow[],
  gone: ReadonlySet<string>,
  seats: ReadonlyMap<PodId, readonly FreePartition[]>,
): readonly UsageRow[] {
  const taken = new Set([...seats.values()].flatMap((found) => found.map(({ partition }) => partition.id)))
  const [away, kept] = [rows.filter(({ node }) => gone.has(node)), rows.filter(({ node }) => !gone.has(node))]
  const moved = [...Map.groupBy(away, ({ pod }) => pod)].flatMap(([pod, own]) => {
    const found = seats.get(pod) ?? []
    // In the order in which requests are made of what was held.
    const held = own.filter(({ kind }) => kind === 'held').toSorted((a, b) => compareText(a.profile, b.profile))
    return held.flatMap((row, order): UsageRow | [] => {
      const seat = found[order]
      if (seat === undefined) return []
      const { node, partition } = seat
      return { ...row, node: node.name, pool: node.pool, gpu: partition.gpu, partition: partition.id }
    })
  })
  return [...kept.filter(({ kind, partition }) => kind !== 'free' || !taken.has(partition)), ...moved]
}

/** One of them, and what the record has said of it so far. */
class RemovedNode implements After {
  readonly node: string
  backAt: Instant | undefined
  readonly #sources: ShadowSources
  readonly #rows: UsageRow[] = []
  #ended: ShadowOutcome['kind'] = 'not-known'
  #unknownHours = 0

  constructor(node: string, sources: ShadowSources) {
    this.node = node
    this.#sources = sources
  }

  get outcome(): ShadowOutcome {
    return { kind: this.#ended, at: this.backAt ?? this.#sources.question.window.to }
  }

  get freed(): After['freed'] {
    return { ...outcomeAmounts(this.#rows, this.#sources.priceOf), unknownHours: this.#unknownHours }
  }

  /** An hour in which it was not missed, unless some of its work waits; with no rows nothing is known of it. */
  pass(rows: readonly UsageRow[], waits: boolean): void {
    this.#rows.push(...rows)
    this.#unknownHours += rows.length === 0 ? 1 : 0
    this.#ended = this.#rows.length === 0 || waits ? 'not-known' : 'held-up'
  }

  /** All is as recorded again. */
  back(because: 'ended' | 'no-room', at: Instant): void {
    this.#ended = because
    this.backAt = at
  }
}
