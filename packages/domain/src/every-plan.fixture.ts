import type { ClusterSnapshot } from './cluster/inventory.ts'
import type { GpuId } from './cluster/node.ts'
import { shippedPrices } from './cost/shipped-prices.ts'
import type { FleetGoal } from './plan/fleet-plan/plan-fleet-answer.ts'
import { planFleet } from './plan/fleet-plan/plan-fleet.ts'
import { sourcesOf } from './plan/recommend/drawn-past.fixture.ts'
import { recommend } from './plan/recommend/recommend.ts'
import type { Action, Plan } from './plan/words/action.ts'
import { HOUR_MS, instant, seconds } from './units.ts'

const PROFILES = ['1g.10gb', '3g.40gb', '7g.80gb'] as const
const COMMON = { prices: shippedPrices, maxDisplaced: 10 }

/** A plan of every kind that Septet makes, of everything that could be asked of this cluster. */
export const everyPlan = (snapshot: ClusterSnapshot): readonly Plan[] => [
  ...proposedPlans(snapshot),
  ...drawnPlans(snapshot),
]

/** Of everything that somebody could ask for without naming a layout: what to change is Septet's own choice. */
export function proposedPlans(snapshot: ClusterSnapshot): readonly Plan[] {
  const goals: readonly FleetGoal[] = [
    { kind: 'fit' },
    { kind: 'cost' },
    { kind: 'free-node' },
    ...snapshot.nodes.map(({ name }) => ({ kind: 'free-node', node: name }) as const),
    ...PROFILES.map((profile) => ({ kind: 'room-for', profile }) as const),
  ]
  return [
    ...recommend({
      ...sourcesOf(snapshot),
      window: { from: instant(snapshot.takenAt - 168 * HOUR_MS), to: snapshot.takenAt },
    }).recommendations.map(({ plan }) => plan),
    ...goals.map((goal) => planFleet({ ...COMMON, snapshot, goal }).plan),
    planFleet({ ...COMMON, snapshot, goal: reservation(snapshot), mayWait: true }).plan,
  ]
}

/** A person draws each GPU's layout. */
function drawnPlans(snapshot: ClusterSnapshot): readonly Plan[] {
  const gpus = snapshot.nodes.flatMap((node) => node.gpus)
  const layouts = gpus.flatMap(({ id }) => [
    { gpu: id, migEnabled: false, layout: [] },
    { gpu: id, migEnabled: true, layout: [{ profile: '7g.80gb', placement: { start: 0, size: 8 } }] },
  ])
  return layouts.map(
    (target) => planFleet({ ...COMMON, snapshot, goal: { kind: 'layout', targets: [target] }, mayWait: true }).plan,
  )
}

const reservation = ({ takenAt }: ClusterSnapshot) =>
  ({
    kind: 'appointment',
    ask: { gpus: 1, perNode: 1, at: instant(takenAt + HOUR_MS), length: seconds(3600) },
  }) as const

/** GPUs that a plan cuts again, shares, takes away, or sends a pod to. */
export const touchedBy = (
  { steps, moves }: Pick<Plan, 'steps' | 'moves'>,
  snapshot: ClusterSnapshot,
): ReadonlySet<GpuId> =>
  new Set([...moves.flatMap(({ to }) => to?.gpu ?? []), ...steps.flatMap(({ action }) => changedBy(action, snapshot))])

function changedBy(action: Action, { nodes }: ClusterSnapshot): readonly GpuId[] {
  if (action.kind === 'create-instance' || action.kind === 'delete-instance') return [action.gpu]
  if (action.kind === 'share' || action.kind === 'remove-node') {
    return nodes.flatMap(({ name, gpus }) => (name === action.node ? gpus.map(({ id }) => id) : []))
  }
  if (action.kind !== 'repartition') return []
  return action.gpus.flatMap(({ gpu, from, to }) => {
    const before = from.layout.map(({ profile }) => profile)
    const after = Object.entries(to.geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
    const isSame = from.migEnabled === to.migEnabled && before.toSorted().join() === after.toSorted().join()
    return isSame ? [] : gpu
  })
}
