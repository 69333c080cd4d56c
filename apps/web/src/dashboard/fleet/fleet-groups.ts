import { agree, grouped, plural } from '@septet/domain/words'
import { compareText } from '@septet/domain'

import { DOWN_BIT, FAULT_BIT, shownHolders, pictureModel, picturePool, type FleetPicture } from './fleet-picture.ts'
import { MEANING_BITS } from './fleet-filter.ts'

export const GROUPINGS = ['node', 'model', 'pool', 'tenant', 'health'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** GPUs that belong together, node by node, and how many of them there are of what. */
export type FleetGroup = {
  /** Empty where nothing is grouped. */
  readonly name: string
  readonly gpus: Int32Array
  readonly nodes: number
  /** How many of them have a part that is held, and so on; a GPU can count in several. */
  readonly counts: Readonly<
    Record<'held' | 'idle' | 'free' | 'uncut' | 'stranded' | 'unknown' | 'fault' | 'down', number>
  >
}

/**
 * All GPUs in groups, which come by name, those without one last. Every GPU is in exactly one. Within a group nodes come
 * by their rank, the lowest first, where one is given.
 */
export function fleetGroups(picture: FleetPicture, by: Grouping, rank?: Int32Array): readonly FleetGroup[] {
  const members = new Map<string, number[]>()
  const nameOf = NAME_OF[by]
  for (let gpu = 0; gpu < picture.gpus; gpu += 1) {
    const name = nameOf(picture, gpu)
    const list = members.get(name)
    if (list === undefined) members.set(name, [gpu])
    else list.push(gpu)
  }
  return [...members]
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b) || compareText(a, b))
    .map(([name, gpus]) => groupOf(picture, name, Int32Array.from(ranked(picture, gpus, rank))))
}

function ranked({ node }: FleetPicture, gpus: readonly number[], rank: Int32Array | undefined): readonly number[] {
  if (rank === undefined) return gpus
  const rankAt = (gpu: number): number => rank[node[gpu] ?? -1] ?? 0
  return gpus.toSorted((a, b) => rankAt(a) - rankAt(b))
}

const NAME_OF = {
  node: () => '',
  model: (picture, gpu) => pictureModel(picture, gpu) || NAMELESS.model,
  pool: (picture, gpu) => picturePool(picture, gpu) || NAMELESS.pool,
  tenant: tenantOf,
  health: healthOf,
} satisfies Record<Grouping, (picture: FleetPicture, gpu: number) => string>

/** What groups are called that have no name of their own. */
const NAMELESS = {
  model: 'Unknown board',
  pool: 'No pool',
  nobody: 'Free',
  several: 'Shared by tenants',
  untold: 'No tenant rule matches',
} as const

/** Whose GPU it is: of one tenant, of several, of nobody, or of someone that no rule speaks of. */
function tenantOf(picture: FleetPicture, gpu: number): string {
  const { tenants, holderTenant } = picture.now
  const found = new Set(
    shownHolders(picture, gpu).map((holder) => tenants[holderTenant[holder] ?? -1] ?? NAMELESS.untold),
  )
  if (found.size > 1) return NAMELESS.several
  const [only] = found
  return only ?? NAMELESS.nobody
}

/** The worst that can be said of a GPU. */
function healthOf({ has }: FleetPicture, gpu: number): string {
  const bits = has[gpu] ?? 0
  if ((bits & FAULT_BIT) !== 0) return HEALTH.fault
  if ((bits & DOWN_BIT) !== 0) return HEALTH.down
  return (bits & MEANING_BITS.unknown) === 0 ? HEALTH.well : HEALTH.unknown
}

const HEALTH = {
  fault: 'Fault',
  down: 'Node not ready',
  unknown: 'Held, not measured',
  well: 'No fault known',
} as const

/** The worst health first; names of our own after those that people gave. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ...Object.values(HEALTH).map((name, order) => [name, order] as const),
  ...Object.values(NAMELESS).map((name, order) => [name, 100 + order] as const),
])
const rankOf = (name: string): number => RANKS.get(name) ?? 50

function groupOf(picture: FleetPicture, name: string, gpus: Int32Array): FleetGroup {
  const nodes = new Set<number>()
  const counts = { held: 0, idle: 0, free: 0, uncut: 0, stranded: 0, unknown: 0, fault: 0, down: 0 }
  for (const gpu of gpus) {
    nodes.add(picture.node[gpu] ?? -1)
    const bits = picture.has[gpu] ?? 0
    if ((bits & HELD) !== 0) counts.held += 1
    for (const meaning of COUNTED) if ((bits & MEANING_BITS[meaning]) !== 0) counts[meaning] += 1
  }
  return { name, gpus, nodes: nodes.size, counts }
}

const HELD = MEANING_BITS.busy | MEANING_BITS.idle | MEANING_BITS.unknown | MEANING_BITS.others
const COUNTED = ['idle', 'free', 'uncut', 'stranded', 'unknown', 'fault', 'down'] as const

/** A group's sums in words: "412 GPUs on 52 nodes · 389 held · 12 idle-held · 23 with a free part". */
export function groupWords({ gpus, nodes, counts }: FleetGroup): string {
  return [
    `${plural(gpus.length, 'GPU')} on ${plural(nodes, 'node')}`,
    ...some(counts.held, 'held'),
    ...some(counts.idle, 'idle-held'),
    ...some(counts.free, 'with a free part'),
    ...some(counts.uncut, 'with unpartitioned memory'),
    ...some(counts.stranded, 'with stranded memory'),
    ...some(counts.unknown, 'not measured'),
    ...some(counts.fault, agree(counts.fault, 'fault')),
    ...some(counts.down, 'on nodes that are not ready'),
  ].join(' · ')
}

const some = (count: number, words: string): readonly string[] => (count === 0 ? [] : [`${grouped(count)} ${words}`])
