import type { GpuNode } from '../cluster/node.ts'
import { machineOf } from '../cluster/node-offer.ts'
import { type Instant, instant, type Window } from '../units.ts'
import type { UsageRow } from './usage.ts'

/** GPUs of one node and model, and the time in which they were known to be there. */
export type KnownGpus = Pick<UsageRow, 'node' | 'pool' | 'machine' | 'model'> & {
  readonly gpus: readonly string[]
  readonly from: Instant
  /** When they were last seen; undefined while they are there. */
  readonly to?: Instant | undefined
}

/** One look at a cluster; `before` is the look before it, undefined for the first of all. */
type Look = {
  readonly at: Instant
  readonly before: Instant | undefined
  readonly nodes: readonly GpuNode[]
}

/**
 * The inventory after one more look: what is new was there since the look before, or since its node was made; what is gone,
 * until the look before. After a clock went back that look is of the future, and nothing came or went later than now. The
 * same object where nothing changed, as nearly always.
 */
export function followInventory(known: readonly KnownGpus[], look: Look): readonly KnownGpus[] {
  const { at, before } = look
  if (before === undefined || before <= at) return following(known, look)
  const upToNow = known.map((group) => ({
    ...group,
    from: instant(Math.min(group.from, at)),
    to: group.to && instant(Math.min(group.to, at)),
  }))
  return following(upToNow, { ...look, before: at })
}

function following(known: readonly KnownGpus[], look: Look): readonly KnownGpus[] {
  const now = new Map(gpusOf(look.nodes).map((group) => [nameOf(group), group]))
  const open = new Map(known.flatMap((group) => (group.to === undefined ? [[nameOf(group), group] as const] : [])))
  const gone = [...open].filter(([name]) => !now.has(name)).map(([, group]) => group)
  const fresh = [...now].filter(([name]) => !open.has(name)).map(([, group]) => group)
  if (gone.length === 0 && fresh.length === 0) return known
  return [
    ...known.map((group) => (gone.includes(group) ? { ...group, to: look.before ?? look.at } : group)),
    ...fresh.map(({ createdAt, ...group }) => ({ ...group, from: since(createdAt, look), to: undefined })),
  ]
}

const since = (createdAt: Instant, { before }: Look): Instant =>
  before === undefined ? createdAt : instant(Math.max(createdAt, before))

type Group = Omit<KnownGpus, 'from' | 'to'> & { readonly createdAt: Instant }

const gpusOf = (nodes: readonly GpuNode[]): Group[] =>
  nodes.flatMap((node) =>
    [...Map.groupBy(node.gpus, ({ model = node.model ?? node.product }) => model)].map(([model, gpus]) => ({
      node: node.name,
      pool: node.pool,
      machine: machineOf(node),
      model,
      gpus: gpus.map(({ id }) => id).toSorted(),
      createdAt: node.createdAt,
    })),
  )

const nameOf = ({ node, pool, machine, model, gpus }: Omit<KnownGpus, 'from' | 'to'>): string =>
  [node, pool, machine, model, ...gpus].join('\u0000')

/** One known GPU, and for how many seconds of a window it was there. */
export type GpuThere = Omit<KnownGpus, 'gpus' | 'from' | 'to'> & { readonly gpu: string; readonly seconds: number }

/** The known GPUs of a window: inventory × time. */
export function inventoryWithin(known: readonly KnownGpus[], window: Window): readonly GpuThere[] {
  const there = new Map<string, GpuThere>()
  for (const { gpus, from, to, ...place } of known) {
    const seconds = (Math.min(to ?? window.to, window.to) - Math.max(from, window.from)) / 1000
    if (seconds <= 0) continue
    for (const gpu of gpus) {
      const before = there.get(gpu)?.seconds ?? 0
      there.set(gpu, { ...place, gpu, seconds: before + seconds })
    }
  }
  return [...there.values()]
}

/** Without what was gone before a moment that nobody asks behind any more. */
export const forgetInventory = (known: readonly KnownGpus[], before: Instant): readonly KnownGpus[] =>
  known.some(({ to }) => to !== undefined && to < before)
    ? known.filter(({ to }) => to === undefined || to >= before)
    : known
