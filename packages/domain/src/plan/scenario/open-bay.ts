import { boardFor } from '../../gpu/known-boards.ts'
import type { Demand } from '../place/demand.ts'
import { typicalDemands } from '../policy/typical-demands.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import type { Bay, BayNodes } from './bay.ts'
import { migPolicy, sharePolicy, staticCut, type Contestant } from './contestants.ts'
import { fixedBay } from './fixed-bay.ts'
import { migBay } from './mig-bay.ts'
import type { Need } from './needs.ts'
import type { GpuCut, ScenarioGroup } from './scenario.ts'
import { shareBay, shareDemand } from './share-bay.ts'

export type BayQuestion = {
  readonly model: string
  readonly groups: readonly ScenarioGroup[]
  readonly contestant: Contestant
  /** What comes to this model, with how often: what is typical, and how much of it wants a part of a GPU. */
  readonly needs: ReadonlyArray<{ readonly need: Need; readonly count: number; readonly gpuSeconds: number }>
  readonly seed: number
}

/** Opens the GPUs of one model as a contestant shares them. Where its way to share needs MIG, other boards stay whole or shared as they are. */
export function openBay({ model, groups, contestant, needs, seed }: BayQuestion): Bay {
  const own = groups.filter((group) => group.model === model)
  const nodes: BayNodes = own.flatMap(({ nodes: count, gpusPerNode }) => Array<number>(count).fill(gpusPerNode))
  const board = boardFor(model)
  const random = seededChance(seed)
  const { mode, policy } = contestant
  const shared = (replicas: number) =>
    shareBay({ nodes, policy: sharePolicy(policy), random, replicas, typical: typicalOf(needs, replicas) })
  if (mode.kind === 'whole') return shared(1)
  if (mode.kind === 'slices') return shared(mode.replicas)
  if (mode.kind === 'mig' && board !== undefined) return migBay({ board, nodes, policy: migPolicy(policy), random })
  const cuts = mode.kind === 'static' ? staticCuts({ model, layout: mode.layout, nodes, needs, own }) : cutsOf(own)
  return fixedBay({ board, nodes, cuts })
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
  readonly nodes: BayNodes
  readonly needs: BayQuestion['needs']
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

function typicalOf(needs: BayQuestion['needs'], replicas: number) {
  // Each kind as often as it comes, thinned out evenly where there are very many.
  const total = needs.reduce((sum, { count }) => sum + count, 0)
  const per = Math.max(1, total / 2000)
  const demands = needs.flatMap(({ need, count }): Demand[] =>
    Array<Demand>(Math.max(1, Math.round(count / per))).fill(shareDemand(need, replicas, 0)),
  )
  return typicalDemands(demands)
}
