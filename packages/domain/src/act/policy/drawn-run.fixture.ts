import { DRAWN_AT } from '../../cluster/draw.fixture.ts'
import type { ClusterSnapshot } from '../../cluster/inventory.ts'
import { DAY_MS, instant, type Instant, ratio, seconds, usd, usdPerGpuHour } from '../../units.ts'
import type { PriceOf } from '../../cost/prices-of.ts'
import { plannedGpus } from '../../plan/steps/planned-gpus.ts'
import { SHOWN_POLICY } from '../../plan/recommend/proposal.ts'
import { makePlan } from '../../plan/steps/make-plan.ts'
import type { Wish } from '../../plan/words/wish.ts'
import { RECOMMENDATION_KINDS, type ActionClass } from '../../plan/words/action-class.ts'
import type { Recommendation } from '../../plan/recommend/recommendation.ts'
import { adviceOf, type ActionRun, type RunCause, type RunState, type Transition } from '../action-run.ts'

/** When drawn clusters were read, and so many milliseconds later. */
export const later = (milliseconds: number): Instant => instant(DRAWN_AT + milliseconds)

type Told = {
  readonly id?: string
  readonly class?: ActionClass
  /** States after `proposed`, with when they were reached and by whom; the run was proposed when the cluster was read. */
  readonly states?: ReadonlyArray<readonly [state: RunState, at: number, by?: string]>
}

/** A run whose plan brings the wish about on the cluster as it is drawn. */
export function runFor(
  snapshot: ClusterSnapshot,
  wish: Wish,
  { id = 'run-1', class: kind = classFor(wish), states = [] }: Told = {},
): ActionRun {
  const plan = makePlan({ snapshot, wishes: [wish], policy: SHOWN_POLICY, title: 'A drawn change' })
  const [refused] = plan.refused
  if (refused !== undefined) throw new Error(refused.message)
  const object = 'workload' in wish ? `workload/${wish.workload}` : 'node' in wish ? `node/${wish.node}` : 'pool/'
  const recommendation = {
    ...ADVICE,
    id: `advice-${id}`,
    cluster: snapshot.cluster,
    kind: RECOMMENDATION_KINDS.find((each) => each === kind) ?? 'repartition',
    object,
    madeAt: snapshot.takenAt,
    plan,
    gpus: plannedGpus(plan, snapshot, SHOWN_POLICY),
  } satisfies Recommendation
  const proposed: Transition = { number: 1, at: DRAWN_AT, state: 'proposed', by: 'septet', because: 'It is idle.' }
  return {
    id,
    cluster: snapshot.cluster,
    class: kind,
    object,
    title: plan.title,
    cause: kind === 'appointment' ? WISH : { kind: 'advice', recommendation },
    plan,
    digest: `digest-of-${plan.id}`,
    proposedAt: DRAWN_AT,
    proposedBy: 'septet',
    proposer: 'septet',
    transitions: [
      proposed,
      ...states.map(([state, at, by = 'septet'], index) => ({
        number: index + 2,
        at: later(at),
        state,
        by,
        because: `It is ${state}.`,
      })),
    ],
  }
}

const CLASSES = {
  layout: 'repartition',
  share: 'share',
  resize: 'right-size',
  scale: 'reclaim-idle',
  'remove-node': 'remove-node',
  reschedule: 'reschedule',
} as const satisfies Record<Wish['kind'], ActionClass>
const classFor = ({ kind }: Wish): ActionClass => CLASSES[kind]

const WISH: RunCause = { kind: 'wish', wants: '1 GPU tomorrow', costs: '1 GPU-hour sits idle.' }

/** The recommendation that a run comes from; throws where a person asked for it. */
export function adviceIn(run: ActionRun): Recommendation {
  const advice = adviceOf(run)
  if (advice === undefined) throw new Error(`${run.id} comes from no recommendation`)
  return advice
}

/** The run as if its recommendation said something else. */
export const withAdvice = (run: ActionRun, change: Partial<Recommendation>): ActionRun => ({
  ...run,
  cause: { kind: 'advice', recommendation: { ...adviceIn(run), ...change } },
})

/** Every GPU of a known model costs 2 dollars an hour. */
export const twoDollars: PriceOf = ({ model }) =>
  model === ''
    ? { kind: 'unknown', because: 'No price.' }
    : {
        kind: 'known',
        price: usdPerGpuHour(2),
        source: 'drawn',
        asOf: DRAWN_AT,
        origin: 'operator',
        scope: 'default',
      }

const ADVICE = {
  title: 'A drawn change',
  message: 'It is idle. Stop it.',
  rule: { name: 'drawn', version: 1 },
  evidence: {
    query: 'up',
    window: { from: later(-7 * DAY_MS), to: DRAWN_AT },
    samples: 168,
    coverage: ratio(1),
    figures: {},
  },
  saving: {
    kind: 'estimated',
    gpuHoursPerMonth: 730,
    usdPerMonth: usd(1460),
    price: twoDollars({ pool: '', model: 'T4' }),
    effect: 'capacity-freed',
  },
  risk: {
    level: 'low',
    displaced: [],
    duration: { low: seconds(1), high: seconds(60), source: 'assumed' },
    overrun: undefined,
    confidence: ratio(0.9),
  },
  rank: 1,
} as const
