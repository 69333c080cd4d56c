import { HARDWARE, cut, migBoard, type Hardware, type HardwareKey, type CloudInstance } from './hardware.ts'
import { draw, mix, pickWeighted, seedOf, uuidOf } from './hash.ts'
import { STAGED_LAYOUTS } from './stage.ts'
import { cutsOf, FRAGMENTED, SINGLE } from './layouts.ts'

export type Scale = 'small' | 'large' | 'huge'

/** How a node offers its GPUs. */
type Offer =
  | { readonly kind: 'whole' }
  | { readonly kind: 'mixed' }
  | { readonly kind: 'single'; readonly profile: string }
  | { readonly kind: 'time-sliced'; readonly replicas: number }

/** What is wrong with a node, for good. */
type Defect = 'stuck-counter' | 'missing-instance' | 'exporter-down' | 'failed-gpu' | 'not-ready' | 'mig-failed'

export type GpuSpec = {
  readonly index: number
  readonly uuid: string
  readonly busId: string
  /** Instances at the beginning; undefined when the GPU is not in MIG mode. */
  readonly layout: readonly CloudInstance[] | undefined
  /** XID that took the GPU out of service. */
  readonly xid: number | undefined
}

export type NodeSpec = {
  readonly name: string
  readonly index: number
  readonly seed: number
  readonly hardware: Hardware
  readonly offer: Offer
  readonly gpus: readonly GpuSpec[]
  readonly defect: Defect | undefined
  readonly driver: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** The nodes of a demo cluster: the same for the same seed and scale. */
export function makeFleet(seed: number, scale: Scale): readonly NodeSpec[] {
  const plans = scale === 'small' ? SMALL : largePlans(seed, NODES[scale])
  const counts = new Map<string, number>()
  return plans.map((plan, index) => {
    const number = (counts.get(plan.hardware) ?? 0) + 1
    counts.set(plan.hardware, number)
    const width = scale === 'small' ? 2 : 3
    return makeNode(plan, { seed, index, name: `gpu-${plan.hardware}-${String(number).padStart(width, '0')}` })
  })
}

type Plan = {
  readonly hardware: HardwareKey
  readonly gpus: number
  readonly offer: Offer
  readonly defect?: Defect
}

const WHOLE: Offer = { kind: 'whole' }
const MIXED: Offer = { kind: 'mixed' }
const times = (count: number, plan: Plan): readonly Plan[] => Array.from({ length: count }, () => plan)

// 40 nodes, 204 GPUs.
const SMALL: readonly Plan[] = [
  ...times(4, { hardware: 'h100', gpus: 8, offer: WHOLE }),
  { hardware: 'h100', gpus: 8, offer: WHOLE, defect: 'failed-gpu' },
  { hardware: 'h100', gpus: 8, offer: WHOLE },
  ...times(2, { hardware: 'h100', gpus: 8, offer: MIXED }),
  ...times(2, { hardware: 'h200', gpus: 8, offer: WHOLE }),
  { hardware: 'a100', gpus: 8, offer: WHOLE },
  { hardware: 'a100', gpus: 8, offer: WHOLE, defect: 'stuck-counter' },
  { hardware: 'a100', gpus: 8, offer: MIXED },
  { hardware: 'a100', gpus: 8, offer: MIXED, defect: 'missing-instance' },
  { hardware: 'a100', gpus: 8, offer: MIXED },
  { hardware: 'a100', gpus: 8, offer: { kind: 'single', profile: '1g.10gb' } },
  ...times(2, { hardware: 'a100-40', gpus: 4, offer: WHOLE }),
  { hardware: 'a100-40', gpus: 4, offer: MIXED },
  { hardware: 'a100-40', gpus: 4, offer: { kind: 'single', profile: '3g.20gb' } },
  ...times(5, { hardware: 'l40s', gpus: 4, offer: WHOLE }),
  { hardware: 'l40s', gpus: 4, offer: WHOLE, defect: 'not-ready' },
  ...times(2, { hardware: 'a30', gpus: 4, offer: MIXED }),
  { hardware: 'a30', gpus: 4, offer: MIXED, defect: 'mig-failed' },
  { hardware: 'a30', gpus: 4, offer: WHOLE },
  ...times(4, { hardware: 't4', gpus: 2, offer: { kind: 'time-sliced', replicas: 4 } }),
  ...times(5, { hardware: 't4', gpus: 2, offer: WHOLE }),
  { hardware: 't4', gpus: 2, offer: WHOLE, defect: 'exporter-down' },
]

const LARGE_HARDWARE = [
  { key: 'h100', weight: 40 },
  { key: 'a100', weight: 32 },
  { key: 'h200', weight: 12 },
  { key: 'a100-40', weight: 8 },
  { key: 'l40s', weight: 8 },
] satisfies readonly { key: HardwareKey; weight: number }[]
const LARGE_OFFERS = [
  { offer: WHOLE, weight: 64 },
  { offer: MIXED, weight: 24 },
  { offer: { kind: 'single', profile: '' }, weight: 8 },
  { offer: { kind: 'time-sliced', replicas: 4 }, weight: 4 },
] satisfies readonly { offer: Offer; weight: number }[]
const LARGE_DEFECTS = [
  { defect: undefined, weight: 970 },
  { defect: 'stuck-counter', weight: 8 },
  { defect: 'missing-instance', weight: 6 },
  { defect: 'exporter-down', weight: 4 },
  { defect: 'failed-gpu', weight: 8 },
  { defect: 'not-ready', weight: 4 },
] satisfies readonly { defect: Defect | undefined; weight: number }[]

/** Nodes of 8 GPUs: 10,000 and 100,000 GPUs. */
const NODES = { large: 1250, huge: 12_500 }

function largePlans(seed: number, nodes: number): readonly Plan[] {
  return Array.from({ length: nodes }, (_, index): Plan => {
    const from = mix(seed, index)
    const hardware = pickWeighted(LARGE_HARDWARE, draw(from, 1)).key
    const { offer } = pickWeighted(LARGE_OFFERS, draw(from, 2))
    const { defect } = pickWeighted(LARGE_DEFECTS, draw(from, 3))
    const profile = SINGLE[hardware]
    const plan: Plan = { hardware, gpus: 8, offer: WHOLE, ...(defect === undefined ? {} : { defect }) }
    if (hardware === 'l40s') return { ...plan, offer: offer.kind === 'time-sliced' ? offer : WHOLE }
    if (offer.kind === 'single') return profile === undefined ? plan : { ...plan, offer: { kind: 'single', profile } }
    return { ...plan, offer }
  }).toSorted((a, b) => ORDER.indexOf(a.hardware) - ORDER.indexOf(b.hardware))
}
const ORDER: readonly HardwareKey[] = ['h100', 'h200', 'a100', 'a100-40', 'l40s', 'a30', 't4']

function makeNode(plan: Plan, at: { seed: number; index: number; name: string }): NodeSpec {
  const seed = mix(at.seed, seedOf(at.name))
  const hardware = HARDWARE[plan.hardware]
  return {
    name: at.name,
    index: at.index,
    seed,
    hardware,
    offer: plan.offer,
    defect: plan.defect,
    driver: '580.105.08',
    createdAt: Date.UTC(2025, 1, 3, 8) + Math.floor(draw(seed, 1) * 90 * 86_400) * 1000,
    gpus: Array.from({ length: plan.gpus }, (_, index) => ({
      index,
      uuid: `GPU-${uuidOf(mix(seed, 100 + index))}`,
      busId: `00000000:${(0x1a + index * 0x11).toString(16).toUpperCase().padStart(2, '0')}:00.0`,
      layout: stagedLayout(plan, at.name, index) ?? layoutOf(plan, mix(seed, 200 + index), index),
      xid: plan.defect === 'failed-gpu' && index === 3 ? 94 : undefined,
    })),
  }
}

function layoutOf(plan: Plan, seed: number, index: number): readonly CloudInstance[] | undefined {
  const hardware: Hardware = HARDWARE[plan.hardware]
  if (plan.offer.kind === 'single') return singleLayout(hardware, plan.offer.profile)
  if (plan.offer.kind !== 'mixed') return undefined
  const choices = FRAGMENTED[plan.hardware]
  if (choices === undefined) return undefined
  // The first GPUs of a node walk through the list, so that even a small fleet shows every shape.
  const choice = choices[index < 2 ? (index + (seed % 3)) % choices.length : seed % choices.length]
  return choice === undefined ? undefined : cut(migBoard(hardware), choice)
}

function stagedLayout(plan: Plan, node: string, index: number): readonly CloudInstance[] | undefined {
  const staged = STAGED_LAYOUTS[`${node}/${index}`]
  return staged === undefined ? undefined : cut(migBoard(HARDWARE[plan.hardware]), cutsOf(staged))
}

function singleLayout(hardware: Hardware, profile: string): readonly CloudInstance[] {
  const board = migBoard(hardware)
  const found = board.profiles.find(({ name }) => name === profile)
  if (found === undefined) throw new Error(`${board.key} has no profile ${profile}`)
  return cut(
    board,
    found.starts.slice(0, found.max).map((start) => [profile, start] as const),
  )
}
