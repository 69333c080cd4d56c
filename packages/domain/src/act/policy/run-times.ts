import { stateOf, type ActionRun, type RunState, type Transition } from '../action-run.ts'
import type { Plan } from '../../plan/words/action.ts'
import type { Instant } from '../../units.ts'

/** States that a run only comes to by writing to the cluster, or while it does. */
const WRITES: ReadonlySet<RunState> = new Set(['applying', 'applied', 'reverting', 'reverted'])

/** When it last changed the cluster, or began to; undefined where it never did. */
const changedAt = ({ transitions }: Pick<ActionRun, 'transitions'>): Instant | undefined =>
  transitions.findLast(({ state }) => WRITES.has(state))?.at

/** The same, where one that was judged fit and is about to begin counts from then on: others are judged before it has written. */
export function countsFrom(run: Pick<ActionRun, 'transitions'>): Instant | undefined {
  const { state, at } = stateOf(run)
  return ABOUT_TO.has(state) ? at : changedAt(run)
}

/** Whether it writes to the cluster now or next, or what it wrote was not looked at yet. */
export const isUnderWay = (run: Pick<ActionRun, 'transitions'>): boolean => {
  const { state } = stateOf(run)
  return ABOUT_TO.has(state) || state === 'applying' || state === 'applied' || state === 'reverting'
}

/** States between the judgement and the first write; one whose owner was warned is judged again after that. */
const ABOUT_TO: ReadonlySet<RunState> = new Set(['checked', 'rehearsed'])

/** Whether it failed half-way, so that nobody knows how the cluster is where it wrote. */
export const isRunStuck = (run: Pick<ActionRun, 'transitions'>): boolean =>
  stateOf(run).state === 'failed' && changedAt(run) !== undefined

/** Whether somebody else applies it, so that Septet neither makes the change nor takes it back. */
export const wasHandedOver = ({ transitions }: Pick<ActionRun, 'transitions'>): boolean =>
  transitions.some(({ state }) => state === 'handed-over')

/** Whether Septet approved it itself. */
export const wasAutomatic = ({ transitions }: Pick<ActionRun, 'transitions'>): boolean =>
  transitions.some(({ state, by }) => state === 'approved' && by === 'septet')

/** The transitions by which it was taken back, or failed after it had written. */
export const setbacksOf = ({ transitions }: Pick<ActionRun, 'transitions'>): readonly Transition[] => {
  const began = transitions.findIndex(({ state }) => WRITES.has(state))
  return began < 0
    ? []
    : transitions.filter(({ state }, index) => index >= began && (state === 'reverting' || state === 'failed'))
}

const WAITING = 'Waiting: '
export const waitingWords = (because: string): string => `${WAITING}${because}`
/** Whether it says what holds a run up where it stands, and nothing else. */
export const saysWait = ({ because }: Pick<Transition, 'because'>): boolean => because.startsWith(WAITING)

/** The transitions since a run came to the step at which it stands, first to last; never empty. */
export function ofThisStep(run: Pick<ActionRun, 'transitions'>): readonly [Transition, ...Transition[]] {
  const now = stateOf(run)
  const before = run.transitions.findLastIndex(({ state, step }) => state !== now.state || step !== now.step)
  const [first = now, ...rest] = run.transitions.slice(before + 1)
  return [first, ...rest]
}

/** When the first step of a plan is due; undefined: as soon as it is approved. */
export const firstDue = ({ steps }: Pick<Plan, 'steps'>): Instant | undefined => steps[0]?.notBefore

/** Nodes that appointments have spoken for, whether they are closed yet or not. */
export const spokenFor = (runs: readonly Pick<ActionRun, 'plan'>[]): readonly string[] => [
  ...new Set(
    runs.flatMap(({ plan }) =>
      plan.steps.flatMap(({ action }) => (action.kind === 'keep-free' ? action.nodes.map(({ node }) => node) : [])),
    ),
  ),
]
