import type { BlockView, FleetFrame, FleetNow, GpuView, OutputOf, fleetMap } from '@septet/contract'
import { seededChance } from '@septet/domain'

const GPUS_A_NODE = 8
const MODELS = ['H100-80GB-HBM3', 'A100-SXM4-80GB', 'A100-SXM4-40GB', 'H200', 'L40S']
const PROFILES = ['', '3g.40gb', '2g.20gb', '1g.10gb']
/** Block sizes in memory slices; an 8 is a whole GPU. */
const LAYOUTS = [[8], [8], [8], [4, 4], [4, 2, 2], [4, 2, 1, 1], [2, 2, 2, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1]]
const KINDS: readonly BlockView['kind'][] = ['busy', 'idle', 'unknown', 'free', 'stranded', 'others']
const MODES: readonly GpuView['mode'][] = ['whole', 'mig', 'shared']

/** The answer of `fleet.map` for a made-up fleet, drawn by chance from a seed. */
export function drawnFleet(gpus: number, seed: number): OutputOf<typeof fleetMap> & { readonly frame: FleetFrame } {
  const random = seededChance(seed)
  const pick = (many: number): number => Math.floor(random() * many)
  const nodes = Math.ceil(gpus / GPUS_A_NODE)
  const frame: FleetFrame = {
    models: MODELS,
    pools: ['pool-a', 'pool-b', 'pool-c'],
    profiles: PROFILES.slice(1),
    nodes: { name: [], pool: [] },
    gpus: { id: [], node: [], index: [], model: [], mode: [], slots: [], blocks: [] },
    blocks: { start: [], size: [], profile: [], placement: [] },
  }
  const now: FleetNow = {
    holders: Array.from({ length: gpus }, (_, number) => `team-${number % 40}/Job/train-${number}`),
    tenants: ['research', 'search'],
    holderTenant: Array.from({ length: gpus }, (_, number) => number % 2),
    reasons: ['No exporter reports this device.'],
    notReady: [3],
    faults: [],
    blocks: { kind: [], busy: [], holder: [], reason: [] },
  }
  for (let node = 0; node < nodes; node += 1) {
    frame.nodes.name.push(`gpu-node-${String(node).padStart(4, '0')}`)
    frame.nodes.pool.push(node % 3)
  }
  for (let gpu = 0; gpu < gpus; gpu += 1) addGpu({ frame, now }, gpu, pick)
  return {
    source: { id: 'drawn', name: 'Drawn', kind: 'demo' },
    asOf: '2026-11-17T10:41:20.000Z',
    window: null,
    revision: 'drawn',
    frame,
    now,
  }
}

type Columns = { readonly frame: FleetFrame; readonly now: FleetNow }

function addGpu({ frame, now }: Columns, gpu: number, pick: (many: number) => number): void {
  const layout = LAYOUTS[pick(LAYOUTS.length)] ?? [8]
  const whole = layout.length === 1
  frame.gpus.id.push(`GPU-${String(gpu).padStart(8, '0')}-0000-4000-8000-000000000000`)
  frame.gpus.node.push(Math.floor(gpu / GPUS_A_NODE))
  frame.gpus.index.push(gpu % GPUS_A_NODE)
  frame.gpus.model.push(Math.floor(gpu / GPUS_A_NODE) % MODELS.length)
  frame.gpus.mode.push(MODES.indexOf(whole ? 'whole' : 'mig'))
  frame.gpus.slots.push(8)
  frame.gpus.blocks.push(layout.length)
  let start = 0
  for (const size of layout) {
    const kind = ['busy', 'busy', 'busy', 'idle', 'free', 'unknown', 'stranded'][pick(7)] ?? 'busy'
    frame.blocks.start.push(start)
    frame.blocks.size.push(size)
    frame.blocks.profile.push(whole ? -1 : SIZES.indexOf(size))
    frame.blocks.placement.push(0)
    now.blocks.kind.push(KINDS.findIndex((each) => each === kind))
    now.blocks.busy.push(busyOf(kind, pick))
    now.blocks.holder.push(HELD.has(kind) ? gpu : -1)
    now.blocks.reason.push(kind === 'unknown' ? 0 : -1)
    start += size
  }
}

/** Sizes of the profiles, in their order. */
const SIZES = [4, 2, 1]
const HELD: ReadonlySet<string> = new Set(['busy', 'idle', 'unknown'])

function busyOf(kind: string, pick: (many: number) => number): number {
  if (kind === 'busy') return 50 + pick(950)
  return kind === 'idle' ? pick(50) : -1
}
