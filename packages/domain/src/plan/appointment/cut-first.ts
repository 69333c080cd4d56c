import { agree, grouped, listed } from '../../words.ts'
import { unsoundGpu, unsoundNode } from '../../cluster/soundness.ts'
import type { Gpu, GpuNode } from '../../cluster/node.ts'
import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { compareText } from '../../units.ts'
import { instancesOf, isModel } from '../../fleet/askable-gpus.ts'
import { boardOf, isServedByDra } from '../../fleet/gpu-state.ts'
import type { AppointmentQuestion, CutFirst } from './appointment.ts'
import { isMeant } from './supply.ts'

/**
 * What has to be cut again before so many more instances can be kept, on as few nodes as do: GPUs in MIG mode alone,
 * since a change of mode may restart a node. Empty where whole GPUs are wanted, or nothing that is free can be cut so.
 */
export function cutFirst(question: AppointmentQuestion, missing: number): readonly CutFirst[] {
  const { ask, snapshot } = question
  const { profile } = ask
  if (profile === undefined) return []
  const held = new Set(snapshot.allocations.map(({ partition }) => partition))
  const isFree = (gpu: Gpu): boolean => gpu.partitions.every(({ id }) => !held.has(id))
  const cuts = snapshot.nodes
    .filter((node) => isMeant(node, ask) && ask.except?.includes(node.name) !== true && mayBeCut(node))
    .flatMap((node) => cutOn(node, profile, (gpu) => isModel(ask.model, gpu.model) && isFree(gpu)))
    .toSorted((a, b) => b.gives - a.gives || compareText(a.node, b.node))
  const chosen: CutFirst[] = []
  for (let gives = 0, next = cuts.shift(); gives < missing && next !== undefined; next = cuts.shift()) {
    chosen.push(next)
    gives += next.gives
  }
  return chosen
}

const mayBeCut = (node: GpuNode): boolean =>
  node.schedulable && unsoundNode(node) === undefined && !isServedByDra(node) && node.mig.strategy === 'mixed'

function cutOn(node: GpuNode, profile: ProfileName, isMeantGpu: (gpu: Gpu) => boolean): readonly CutFirst[] {
  const gains = node.gpus.flatMap((gpu) => {
    const board = boardOf(gpu)
    const most = (board && profileOf(board, profile)?.max) ?? 0
    const gain = most - instancesOf(gpu, profile).length
    const isOne = gpu.migEnabled && unsoundGpu(gpu) === undefined && isMeantGpu(gpu)
    return isOne && gain > 0 ? [{ index: gpu.index, most, gain }] : []
  })
  const [first] = gains
  if (first === undefined) return []
  const gives = gains.reduce((sum, { gain }) => sum + gain, 0)
  return [{ node: node.name, gpus: gains.map(({ index }) => index), each: first.most, gives }]
}

/** Which Repartition comes first, in sentences; empty where whole GPUs are wanted. */
export function cutFirstWords(cuts: readonly CutFirst[], profile: ProfileName | undefined): string {
  if (profile === undefined) return ''
  if (cuts.length === 0) return ` No GPU that is free now and in MIG mode could be partitioned into more ${profile}.`
  const parts = cuts.map(
    ({ node, gpus, each, gives }) =>
      `GPU ${listed(gpus.map(String))} of ${node} into ${grouped(each)} × ${profile}${gpus.length > 1 ? ' each' : ''} (${grouped(gives)} more)`,
  )
  return ` An appointment uses existing instances, so approve ${agree(cuts.length, 'a Repartition', 'Repartitions')} first: ${parts.join('; ')}. ${agree(cuts.flatMap(({ gpus }) => gpus).length, 'That GPU is', 'All of these GPUs are')} unallocated now.`
}
