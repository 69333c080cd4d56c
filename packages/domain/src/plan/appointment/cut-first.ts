import { agree, grouped, listed } from '../../words.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { compareText } from '../../units.ts'
import { countedFleet } from '../../fleet/counted-fleet.ts'
import { isModel } from '../../fleet/askable-gpus.ts'
import { recutPlaces } from '../../fleet/recut-places.ts'
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
  const nodes = countedFleet(snapshot).nodes.filter(
    ({ node, dra }) => !dra && isMeant(node, ask) && ask.except?.includes(node.name) !== true,
  )
  const places = recutPlaces(nodes, profile).filter(({ gpu }) => gpu.migEnabled && isModel(ask.model, gpu.model))
  const cuts = [...Map.groupBy(places, ({ node }) => node.name)]
    .map(([node, own]) => ({
      node,
      gpus: own.map(({ gpu }) => gpu.index).toSorted((a, b) => a - b),
      each: Math.max(...own.map(({ now, recut }) => now + recut)),
      gives: own.reduce((sum, { recut }) => sum + recut, 0),
    }))
    .toSorted((a, b) => b.gives - a.gives || compareText(a.node, b.node))
  const chosen: CutFirst[] = []
  for (let gives = 0, next = cuts.shift(); gives < missing && next !== undefined; next = cuts.shift()) {
    chosen.push(next)
    gives += next.gives
  }
  return chosen
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
