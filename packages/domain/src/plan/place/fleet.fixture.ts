import * as fc from 'fast-check'

import { mib } from '../../units.ts'
import { GPU_MILLI, type Demand, type GpuDemand } from './demand.ts'
import type { ShareFleet, ShareNode, Spot } from './fleet.ts'

const MODELS = ['A', 'B']

/** Random nodes of two models. */
export const someNodes: fc.Arbitrary<readonly ShareNode[]> = fc
  .array(
    fc.record({
      cpuMilli: fc.integer({ min: 0, max: 32 }).map((cores) => cores * 1000),
      memory: fc.integer({ min: 0, max: 64 }).map((gib) => mib(gib * 1024)),
      model: fc.constantFrom(...MODELS),
      gpus: fc.integer({ min: 0, max: 4 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((nodes) => nodes.map((node, index): ShareNode => ({ ...node, id: `n${index}`, pool: node.model })))

const someGpu: fc.Arbitrary<GpuDemand> = fc.oneof(
  fc.constant<GpuDemand>({ kind: 'none' }),
  fc.integer({ min: 1, max: 4 }).map((count): GpuDemand => ({ kind: 'whole', count })),
  fc.integer({ min: 1, max: 19 }).map((part): GpuDemand => ({ kind: 'share', milli: part * 50 })),
  fc.integer({ min: 1, max: 999 }).map((milli): GpuDemand => ({ kind: 'share', milli })),
)

/** Random pods of two tenants and none. */
export const somePods: fc.Arbitrary<readonly Demand[]> = fc
  .array(
    fc.record({
      cpuMilli: fc.integer({ min: 0, max: 12 }).map((cores) => cores * 1000),
      memory: fc.integer({ min: 0, max: 16 }).map((gib) => mib(gib * 1024)),
      gpu: someGpu,
      models: fc.subarray(MODELS, { maxLength: 1 }),
      tenant: fc.constantFrom(undefined, 'red', 'blue'),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((pods) => pods.map((pod, index): Demand => ({ ...pod, id: `p${index}` })))

/** A pod with little beside what is asked of the GPU. */
export const podOf = (gpu: GpuDemand, more: Partial<Demand> = {}): Demand => ({
  id: 'p',
  cpuMilli: 1000,
  memory: mib(1),
  gpu,
  models: [],
  tenant: undefined,
  ...more,
})

export type PlacedDemand = { readonly demand: Demand; readonly spot: Spot }

/** The limits that are broken, added up from the pods themselves and not from the fleet's own books. */
export function overCommitted(fleet: ShareFleet, placed: readonly PlacedDemand[]): readonly string[] {
  return [
    ...fleet.nodes.flatMap((node, index) =>
      nodeFlaws(
        node,
        placed.filter(({ spot }) => spot.node === index),
      ),
    ),
    ...[...fleet.milliFree].flatMap((free, gpu) =>
      gpuFlaws(
        { gpu, free },
        placed.filter(({ spot }) => spot.gpus.includes(gpu)),
      ),
    ),
    ...placed.flatMap(({ demand: { id, gpu }, spot }) => [
      ...(spot.gpus.length === gpusOf(gpu) ? [] : [`${id} is on ${spot.gpus.length} GPUs`]),
      ...(spot.gpus.every((each) => fleet.nodeOfGpu[each] === spot.node) ? [] : [`${id} is on a GPU of another node`]),
    ]),
  ]
}

function nodeFlaws({ id, cpuMilli, memory, model }: ShareNode, here: readonly PlacedDemand[]): string[] {
  const cpu = here.reduce((sum, { demand }) => sum + demand.cpuMilli, 0)
  const held = here.reduce((sum, { demand }) => sum + demand.memory, 0)
  const strange = here.filter(({ demand: { models } }) => models.length > 0 && !models.includes(model))
  return [
    ...(cpu <= cpuMilli ? [] : [`${id} gives ${cpu} of ${cpuMilli} CPU`]),
    ...(held <= memory ? [] : [`${id} gives ${held} of ${memory} memory`]),
    ...strange.map(({ demand }) => `${demand.id} does not want ${model}`),
  ]
}

function gpuFlaws({ gpu, free }: { gpu: number; free: number }, here: readonly PlacedDemand[]): string[] {
  const used = here.reduce((sum, { demand }) => sum + (demand.gpu.kind === 'share' ? demand.gpu.milli : GPU_MILLI), 0)
  return [
    ...(used <= GPU_MILLI && free === GPU_MILLI - used
      ? []
      : [`GPU ${gpu} gives ${used} and says that ${free} is free`]),
    ...(new Set(here.map(({ demand }) => demand.tenant)).size <= 1 ? [] : [`GPU ${gpu} has two tenants`]),
  ]
}

const gpusOf = (gpu: GpuDemand): number => (gpu.kind === 'none' ? 0 : gpu.kind === 'whole' ? gpu.count : 1)
