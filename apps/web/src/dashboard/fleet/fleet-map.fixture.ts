import type { FleetFrame, FleetNow } from '@septet/contract'
import * as fc from 'fast-check'

import { fleetPicture, HOLDING_KINDS, type FleetPicture } from './fleet-picture.ts'

type DrawnGpu = { readonly node: number; readonly model: number; readonly blocks: readonly DrawnBlock[] }
type DrawnBlock = {
  readonly kind: (typeof HOLDING_KINDS)[number]
  readonly size: number
  readonly busy: number
  readonly holder: number
}

const HOLDERS = ['team-a/Job/train-1', 'team-a/Deployment/serve', 'team-b/Job/مهمة', 'team-c/Pod/<b>x</b>']

/** A fleet as a test writes it: GPUs by the node they are on, blocks by what they are. */
export function drawnPicture(
  gpus: readonly DrawnGpu[],
  more: { readonly notReady?: readonly number[]; readonly faults?: readonly number[] } = {},
): FleetPicture {
  const blocks = gpus.flatMap((gpu) => gpu.blocks)
  const nodes = Math.max(0, ...gpus.map(({ node }) => node + 1))
  const frame: FleetFrame = {
    models: ['H100-80GB-HBM3', 'A100-SXM4-80GB'],
    pools: ['pool-a', ''],
    profiles: ['1g.10gb'],
    nodes: {
      name: Array.from({ length: nodes }, (_, node) => `node-${String(node).padStart(3, '0')}`),
      pool: Array.from({ length: nodes }, (_, node) => node % 2),
    },
    gpus: {
      id: gpus.map((_gpu, place) => `GPU-${place}`),
      node: gpus.map(({ node }) => node),
      index: gpus.map((_gpu, place) => place),
      model: gpus.map(({ model }) => model),
      mode: gpus.map((gpu) => (gpu.blocks.length > 1 ? 1 : 0)),
      slots: gpus.map(() => 8),
      blocks: gpus.map((gpu) => gpu.blocks.length),
    },
    blocks: {
      start: gpus.flatMap((gpu) => gpu.blocks.map((_block, place) => place)),
      size: blocks.map(({ size }) => size),
      profile: blocks.map(() => -1),
      placement: blocks.map(() => 0),
    },
  }
  const now: FleetNow = {
    holders: HOLDERS,
    tenants: ['research', 'search'],
    holderTenant: [0, 0, 1, -1],
    reasons: ['No exporter reports this device.'],
    notReady: [...(more.notReady ?? [])],
    faults: (more.faults ?? []).map((gpu) => ({ gpu, code: 'gpu-fault', message: 'XID 79', object: `gpu/GPU-${gpu}` })),
    blocks: {
      kind: blocks.map(({ kind }) => HOLDING_KINDS.indexOf(kind)),
      busy: blocks.map(({ busy }) => busy),
      holder: blocks.map(({ holder }) => holder),
      reason: blocks.map(() => -1),
    },
  }
  return fleetPicture(frame, now)
}

const block = fc.record({
  kind: fc.constantFrom(...HOLDING_KINDS),
  size: fc.constantFrom(1, 2, 4),
  busy: fc.integer({ min: -1, max: 1000 }),
  holder: fc.integer({ min: -1, max: HOLDERS.length - 1 }),
})

/** Fleets of nodes with 0 to 20 GPUs each, in the order of the wire: node by node. */
export const drawnFleets: fc.Arbitrary<FleetPicture> = fc
  .array(
    fc.array(fc.record({ model: fc.nat({ max: 1 }), blocks: fc.array(block, { maxLength: 4 }) }), { maxLength: 20 }),
    {
      minLength: 1,
      maxLength: 25,
    },
  )
  .map((nodes) => drawnPicture(nodes.flatMap((gpus, node) => gpus.map((gpu) => ({ ...gpu, node })))))
