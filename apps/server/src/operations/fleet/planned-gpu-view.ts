import type { GpuView, MadePlan } from '@septet/contract'
import { instant, type HeldGpu, type PlannedGpu } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'
import { barContext, gpuView, type BarContext } from './gpu-view.ts'

type Planned = MadePlan['gpus']

/** The GPUs that a plan changes as slice bars: what they hold now, and what they would hold after it. */
export function plannedGpuViews(facts: ClusterFacts, gpus: readonly PlannedGpu[]): Planned {
  const picture = facts.picture()
  const now: BarContext =
    picture === undefined
      ? { holders: new Map(), others: new Set(), samples: facts.samples(), idle: facts.idle(), withheld: new Map() }
      : barContext(facts, picture)
  return gpus.map(({ node, before, after }) => ({
    node,
    before: gpuView(before.gpu, contextOf(before, now)),
    after: after === undefined ? null : laterView(gpuView(after.gpu, laterContext({ before, after }, now))),
  }))
}

function contextOf({ gpu, holders }: HeldGpu, now: BarContext): BarContext {
  const held = Object.entries(holders)
  return {
    ...now,
    holders: new Map(
      held.map(([partition, workload]) => [
        partition,
        { partition, workload, pod: '', since: ZERO, evidence: 'guess' },
      ]),
    ),
    others: new Set([
      ...held.flatMap(([partition, workload]) => (workload === '' ? [partition] : [])),
      ...gpu.partitions.flatMap(({ id }) => (now.others.has(id) ? [id] : [])),
    ]),
  }
}

// A drawing says who holds what, not since when.
const ZERO = instant(0)

type Change = { readonly before: HeldGpu; readonly after: HeldGpu }

/** What goes on where it is keeps its measured busy; nothing is known of what comes. */
function laterContext({ before, after }: Change, now: BarContext): BarContext {
  const stays = new Set(
    Object.entries(after.holders).flatMap(([partition, workload]) =>
      before.holders[partition] === workload ? [partition] : [],
    ),
  )
  return {
    ...contextOf(after, now),
    samples: new Map([...stays].flatMap((id) => [now.samples.get(id) ?? []].flat().map((sample) => [id, sample]))),
    idle: new Set([...now.idle].filter((partition) => stays.has(partition))),
  }
}

const laterView = (view: GpuView): GpuView => ({
  ...view,
  blocks: view.blocks.map((block) => (block.kind === 'unknown' ? { ...block, kind: 'busy', because: LATER } : block)),
})

const LATER = 'How busy it would be there is unknown until it runs.'
