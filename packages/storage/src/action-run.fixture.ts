import {
  instant,
  ratio,
  seconds,
  type ActionRun,
  type Recommendation,
  type Fence,
  type RecordedWrite,
  type RunState,
  type Transition,
} from '@septet/domain'

const NOW = Date.UTC(2026, 10, 23, 9)
/** Minutes after nine. */
export const minute = (minutes: number) => instant(NOW + minutes * 60_000)

/** Plain words to be told apart by what a test is about. */
export function actionRun(id: string, rest: Partial<ActionRun> = {}): ActionRun {
  const cluster = rest.cluster ?? 'c'
  return {
    id,
    cluster,
    class: 'right-size',
    object: 'workload/ml/Deployment/vllm',
    title: 'Give ml/vllm a 2g.20gb',
    cause: { kind: 'advice', recommendation: RECOMMENDATION },
    plan: PLAN,
    digest: 'd1',
    proposedAt: minute(0),
    proposedBy: 'a@x',
    proposer: 'person',
    transitions: [transition(1, 'proposed')],
    ...rest,
  }
}

export const transition = (number: number, state: RunState, rest: Partial<Transition> = {}): Transition => ({
  number,
  at: minute(number),
  state,
  by: 'septet',
  because: `It is ${state}.`,
  ...rest,
})

/** The way to the first write. */
export const TO_APPLYING = (['approved', 'checked', 'rehearsed', 'applying'] as const).map((state, index) =>
  transition(index + 2, state),
)

export const intention = (
  run: string,
  rest: Partial<RecordedWrite> = {},
): Omit<RecordedWrite, 'number' | 'outcome'> => ({
  run,
  at: minute(9),
  step: 1,
  isUndo: false,
  key: 'k',
  what: 'patch deployments/vllm',
  says: 'Ask for a 2g.20gb.',
  ...rest,
})

export const fenceOf = (cluster: string, token: number): Fence => ({ cluster, token })

const PLAN: ActionRun['plan'] = {
  id: 'p',
  cluster: 'c',
  madeFrom: minute(-5),
  title: 'Give ml/vllm a 2g.20gb',
  steps: [],
  moves: [],
  refused: [],
  bound: undefined,
}

export const RECOMMENDATION: Recommendation = {
  id: 'r',
  cluster: 'c',
  kind: 'right-size',
  object: 'workload/ml/Deployment/vllm',
  title: PLAN.title,
  message: 'It uses little. Give it less.',
  rule: { name: 'right-size', version: 1 },
  madeAt: minute(-5),
  evidence: {
    query: 'usage',
    window: { from: minute(-600), to: minute(-5) },
    samples: 100,
    coverage: ratio(1),
    figures: { peak: 0.2 },
  },
  saving: { kind: 'none', brings: 'room', because: 'nothing is freed' },
  risk: {
    level: 'low',
    displaced: [],
    duration: { low: seconds(1), high: seconds(9), source: 'assumed' },
    overrun: ratio(0.01),
    confidence: ratio(0.9),
  },
  plan: PLAN,
  rank: 1,
}
