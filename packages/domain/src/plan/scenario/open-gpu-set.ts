import { boardFor } from '../../gpu/known-boards.ts'
import type { Demand } from '../place/demand.ts'
import { typicalDemands } from '../policy/typical-demands.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import type { GpuSet, GpuSetNodes } from './gpu-set.ts'
import { migPolicy, sharePolicy, staticCut, type Alternative } from './alternatives.ts'
import { fixedGpuSet } from './fixed-gpu-set.ts'
import { migGpuSet } from './mig-gpu-set.ts'
import type { Need } from './needs.ts'
import type { GpuCut, ScenarioGroup } from './scenario.ts'
import { shareGpuSet, shareDemand } from './share-gpu-set.ts'

export type GpuSetQuestion = {
  readonly model: string
  readonly groups: readonly ScenarioGroup[]
  readonly alternative: Alternative
  /** What comes to this model, with how often: what is typical, and how much of it wants a part of a GPU. */
  readonly needs: ReadonlyArray<{ readonly need: Need; readonly count: number; readonly gpuSeconds: number }>
  readonly seed: number
}

/** Opens the GPUs of one model as an alternative shares them. Where its way to share needs MIG, other boards stay whole or shared as they are. */
export function openGpuSet({ model, groups, alternative, needs, seed }: GpuSetQuestion): GpuSet {
  const own = groups.filter((group) => group.model === model)
  const nodes: GpuSetNodes = own.flatMap(({ nodes: count, gpusPerNode }) => Array<number>(count).fill(gpusPerNode))
  const board = boardFor(model)
  const random = seededChance(seed)
  const { mode, policy } = alternative
  const shared = (replicas: number) =>
    shareGpuSet({ nodes, policy: sharePolicy(policy), random, replicas, typical: typicalOf(needs, replicas) })
  if (mode.kind === 'whole') return shared(1)
  if (mode.kind === 'slices') return shared(mode.replicas)
  if (mode.kind === 'mig' && board !== undefined) return migGpuSet({ board, nodes, policy: migPolicy(policy), random })
  const cuts = mode.kind === 'static' ? staticCuts({ model, layout: mode.layout, nodes, needs, own }) : cutsOf(own)
  return fixedGpuSet({ board, nodes, cuts })
}

/** The cuts of groups one after the other; what a group does not tell of its GPUs, new nodes say, is whole. */
const cutsOf = (groups: readonly ScenarioGroup[]): readonly GpuCut[] =>
  groups.flatMap(({ cuts, nodes, gpusPerNode }) => {
    const gpus = nodes * gpusPerNode
    let left = gpus
    const kept = cuts.flatMap((cut) => {
      const count = Math.min(left, cut.gpus)
      left -= count
      return count > 0 ? [{ ...cut, gpus: count }] : []
    })
    return left > 0 ? [...kept, { gpus: left, profiles: [], replicas: 1 }] : kept
  })

type StaticQuestion = {
  readonly model: string
  readonly layout: string
  readonly nodes: GpuSetNodes
  readonly needs: GpuSetQuestion['needs']
  readonly own: readonly ScenarioGroup[]
}

/** As many GPUs cut by the layout as the part of GPU time that wants less than a GPU. Boards without it stay as they are. */
function staticCuts({ model, layout, nodes, needs, own }: StaticQuestion): readonly GpuCut[] {
  const profiles = staticCut(model, layout)
  if (profiles === undefined) return cutsOf(own)
  const gpus = nodes.reduce((sum, count) => sum + count, 0)
  const timeOf = (kind: Need['kind']): number =>
    needs.reduce((sum, { need, gpuSeconds }) => (need.kind === kind ? sum + gpuSeconds : sum), 0)
  const [parts, wholes] = [timeOf('part'), timeOf('whole')]
  if (parts === 0) return []
  return [{ gpus: Math.min(gpus, Math.max(1, Math.round((gpus * parts) / (parts + wholes)))), profiles, replicas: 1 }]
}

function typicalOf(needs: GpuSetQuestion['needs'], replicas: number) {
  // Each kind as often as it comes, thinned out evenly where there are very many.
  const total = needs.reduce((sum, { count }) => sum + count, 0)
  const per = Math.max(1, total / 2000)
  const demands = needs.flatMap(({ need, count }): Demand[] =>
    Array<Demand>(Math.max(1, Math.round(count / per))).fill(shareDemand(need, replicas, 0)),
  )
  return typicalDemands(demands)
}
