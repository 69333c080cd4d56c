import {
  asPlanned,
  decideStep,
  END_MACHINE,
  instant,
  ofThisStep,
  saysWait,
  stateOf,
  undoActions,
  unverified,
  waitingWords,
  type Action,
  type ActionRun,
  type ClusterSnapshot,
  type Instant,
  type RunState,
  type Transition,
} from '@septet/domain'
import { classRow } from '@septet/domain/action-classes'
import type { ActingTurn } from './act-parts.ts'
import { begunAt, evictAlongside, isDue, judgeInTime, leftUndone, nextStep } from './due-steps.ts'
import { gist, judgeAgain } from './judge-again.ts'
import { leftToOthers, revertedWords } from './left-to-others.ts'
import type { ActingMove } from './move.ts'
import { decideKept, decideWarning, stoppedWorkload } from './warn.ts'
import { verify, watch } from './watch-change.ts'
import { sayShort, watchFence } from './watch-fence.ts'
import { workDecision, workStep, type StepTurn, type StepWork, writeOnce } from './work-step.ts'
import { stepContext } from './step-context.ts'

/** Looks whether somebody has made the change that Septet leaves to them; nothing is written. */
async function awaitOthers(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const { until } = stateOf(run)
  if (until !== undefined && turn.clock() >= until) {
    return {
      state: 'expired',
      because: 'It was not applied in time, and the cluster may have changed since. Propose it again.',
    }
  }
  if (!turn.mayLook(run.id) || !(await isThere(turn, run))) return undefined
  return { state: 'applied', because: 'Someone applied the change; Septet is verifying it.' }
}

/** Devices are told by the newest reading, and work by its live object: what is wanted is there, whoever did it. */
async function isThere(turn: ActingTurn, run: ActionRun): Promise<boolean> {
  const { plan } = run
  const snapshot = turn.snapshot()
  if (snapshot === undefined || unverified(plan, snapshot, instant(0)) !== undefined) return false
  const context = {
    ...(await stepContext(turn, { run, isUndo: false })),
    written: new Map<string, number>(),
    plannedAt: plan.madeFrom,
  }
  for (const { action } of plan.steps) {
    if (WORK.has(action.kind) && (await turn.hand.decide(decideStep(action, context), run)).kind !== 'done')
      return false
  }
  return true
}

const WORK: ReadonlySet<Action['kind']> = new Set(['scale', 'resize', 'create-instance', 'delete-instance'])

/** Brings one run as far as it goes now, and tells how far. Each state that it reaches is a row before anything else is done. */
export async function advanceRun(turn: ActingTurn, run: ActionRun): Promise<ActionRun> {
  let at = run
  for (;;) {
    const next = await onward(turn, at)
    if (next === undefined) return at
    // It was looked at a moment ago.
    if (saysWait(stateOf(next))) return next
    at = next
  }
}

/** States in which it is judged whether a run may begin: of two at once the second has to see that the first does. */
const JUDGED: ReadonlySet<RunState> = new Set(['approved', 'warned'])

/** One transition; undefined when nothing is to be done now, or somebody else was first. */
function onward(turn: ActingTurn, run: ActionRun): Promise<ActionRun | undefined> {
  const { state } = stateOf(run)
  const once = async (): Promise<ActionRun | undefined> => {
    const move = await NEXT[state]?.(turn, run)
    return move === undefined ? undefined : moved(turn, run, move)
  }
  return JUDGED.has(state) ? turn.inOrder(once) : once()
}

type Next = (turn: ActingTurn, run: ActionRun) => Promise<ActingMove | undefined>

async function moved(turn: ActingTurn, run: ActionRun, move: ActingMove): Promise<ActionRun | undefined> {
  const { store, clock, fence, history, changed } = turn
  const transition: Transition = { ...move, number: run.transitions.length + 1, at: clock(), by: 'septet' }
  const after = await store.advance(run.id, transition, fence)
  if (after === undefined) return undefined
  history.moved(after)
  changed()
  return after
}

const NEXT: Partial<Record<RunState, Next>> = {
  proposed: async ({ clock }, run) => lapsed(clock(), run),
  approved: async (turn, run) => lapsed(turn.clock(), run) ?? (await unlessStopped(turn, () => judgeInTime(turn, run))),
  checked: async (turn, run) => unapproved(turn.clock(), run) ?? (await unlessStopped(turn, () => tryOut(turn, run))),
  rehearsed: async (turn, run) => unapproved(turn.clock(), run) ?? (await warnOrBegin(turn, run)),
  'handed-over': awaitOthers,
  warned: waitForOwner,
  applying: applyStep,
  applied: verify,
  verified: watch,
  reverting: takeBack,
}

async function tryOut(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const result = await rehearse(turn, run)
  if (result.kind === 'halted') return undefined
  return result.kind === 'accepted'
    ? { state: 'rehearsed', because: 'The API server accepted the dry run of this plan.' }
    : { state: 'failed', because: `Nothing was changed: this plan cannot be applied. ${result.because}` }
}

const lapsed = (now: Instant, run: ActionRun): ActingMove | undefined => expired(now, stateOf(run))

/** A stop order may have lasted longer than the approval. */
const unapproved = (now: Instant, run: ActionRun): ActingMove | undefined =>
  expired(now, run.transitions.findLast(({ state }) => state === 'approved') ?? {})

function expired(now: Instant, { until }: Pick<Transition, 'until'>): ActingMove | undefined {
  return until === undefined || now < until
    ? undefined
    : {
        state: 'expired',
        because: 'It was not applied in time, and the cluster may have changed since. Propose it again.',
      }
}

async function unlessStopped(
  turn: ActingTurn,
  next: () => Promise<ActingMove | undefined>,
): Promise<ActingMove | undefined> {
  return (await turn.stopped()) === undefined ? next() : undefined
}

const BEGIN: ActingMove = { state: 'applying', because: 'Starting the first step.', step: 1 }

/** Whose work is stopped is told before, on the object itself, and may say no. */
async function warnOrBegin(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const { warning } = await turn.policy()
  const object = classRow(run.class).stopsWork && warning > 0 ? stoppedWorkload(run) : undefined
  if (object === undefined) return BEGIN
  const until = instant(turn.clock() + warning * 1000)
  const result = await untilIdle(() =>
    workDecision(turn, atStepNone(run), () => decideWarning(object, { run: run.id, until })),
  )
  if (result.kind === 'failed') return { state: 'failed', because: `Nothing was changed: ${result.because}` }
  if (result.kind !== 'done') return undefined
  return { state: 'warned', because: 'Its owner was notified on the object and can keep it until then.', until }
}

async function waitForOwner(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const object = stoppedWorkload(run)
  if (object === undefined) return BEGIN
  const { until } = stateOf(run)
  const isOver = until === undefined || turn.clock() >= until
  if (!isOver && !turn.mayLook(run.id)) return undefined
  const kept = await turn.hand.decide(decideKept(object, turn.clock()), run)
  if (kept.kind === 'failed' || (kept.kind === 'no-right' && isOver)) {
    return { state: 'cancelled', because: kept.because }
  }
  if (!isOver) return undefined
  // It may be used again since: what is no longer advised is not done.
  const advised = await turn.advised()
  if (!advised.some(({ plan }) => plan.id === run.plan.id)) {
    return { state: 'cancelled', because: 'It is in use again, or has changed, since its owner was notified.' }
  }
  return unlessStopped(turn, async () => {
    const verdict = await judgeAgain(turn, run)
    return verdict?.state === 'checked'
      ? BEGIN
      : verdict?.state === 'failed' || verdict?.state === 'handed-over'
        ? { ...verdict, state: 'cancelled' }
        : undefined
  })
}

const atStepNone = (run: ActionRun): Omit<StepWork, 'action'> => ({
  run,
  step: 0,
  isUndo: false,
  since: stateOf(run).at,
})

async function applyStep(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const { step: number = 1 } = stateOf(run)
  const [{ at: since }] = ofThisStep(run)
  const step = run.plan.steps[number - 1]
  if (step === undefined) return { state: 'applied', because: 'Every step is done.' }
  if (!isDue(turn, run, step)) return watchFence(turn, run, step)
  const result = await untilIdle(() =>
    workStep(turn, { run, step: number, action: asPlanned(step), isUndo: false, since: begunAt(step, since) }),
  )
  if (result.kind === 'done') return { ...nextStep(run, number), because: result.because }
  if (result.kind === 'waits') {
    await evictAlongside(turn, run, number)
    // There is still time to evict by hand who is in the way.
    return step.action.kind === 'keep-free'
      ? sayShort(turn, run, { step, because: result.because })
      : heldUp(turn, run, result.because)
  }
  if (result.kind !== 'failed') return undefined
  const left = leftUndone(run, number, result.because)
  if (left !== undefined) return left
  const because = `Step ${number} failed: ${ended(result.because)}`
  return { state: 'reverting', because: `${because} Completed steps are being reverted.`, step: number }
}

/** Steps are taken back from the last that was begun to the first. */
async function takeBack(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  // Whoever calls it off after the last step was done, and before that was said, stands one step further.
  const number = Math.min(stateOf(run).step ?? Infinity, run.plan.steps.length)
  const [{ at: since }] = ofThisStep(run)
  const step = run.plan.steps[number - 1]
  if (step === undefined) return takenBack(turn, run)
  const snapshot = readSince(turn, since)
  if (snapshot === undefined) return undefined
  const left = leftToOthers(run, snapshot)
  if (left !== undefined) return left
  const actions = undoActions(step, snapshot)
  const again = await whoComesAgain(turn, run, { number, actions, snapshot, since })
  if (again !== undefined) return notTakenBack(number, again)
  for (const action of actions) {
    const result = await untilIdle(() => workStep(turn, { run, step: number, action, isUndo: true, since }))
    if (result.kind !== 'done') return heldUpBack(turn, run, { number, result })
  }
  const due = await whatIsDue(turn, run, number)
  if (due !== undefined) return heldUp(turn, run, due)
  return { state: 'reverting', because: `Step ${number} is reverted.`, step: number - 1 }
}

function heldUpBack(
  turn: ActingTurn,
  run: ActionRun,
  { number, result }: { readonly number: number; readonly result: StepTurn },
): ActingMove | undefined {
  if (result.kind === 'failed') return notTakenBack(number, result.because)
  return result.kind === 'waits' ? heldUp(turn, run, result.because) : undefined
}

/** An API server carries out a request within a minute or not at all, milliseconds. */
const ARRIVES_MS = 60_000

/**
 * A write of the way forward whose answer is not there may still arrive. Where the way back has written nothing after it, it
 * would find the object as it was decided by, and change it when all is over.
 */
async function whatIsDue({ store, clock }: ActingTurn, run: ActionRun, number: number): Promise<string | undefined> {
  const writes = (await store.writes(run.id)).filter(({ step }) => step === number)
  if (writes.some(({ isUndo, outcome }) => isUndo && outcome?.kind === 'done')) return undefined
  const due = writes.find(
    ({ isUndo, outcome, at }) => !isUndo && outcome === undefined && Math.abs(clock() - at) < ARRIVES_MS,
  )
  return due && `“${due.says}” was sent and may still arrive.`
}

const notTakenBack = (number: number, because: string): ActingMove => ({
  state: 'failed',
  because: `Step ${number} could not be reverted: ${ended(because)} Cordoned nodes stay cordoned; this needs manual attention.`,
})

type TakingBack = {
  readonly number: number
  readonly actions: readonly Action[]
  readonly snapshot: ClusterSnapshot
  readonly since: Instant
}

/** For so long pods may come to a cordoned node again and again, milliseconds. */
const COMES_MS = 600_000

/** Whoever is evicted for the way back and starts on the node again would be evicted for ever, at once where the node is open. */
async function whoComesAgain(
  { store, clock }: ActingTurn,
  { id, plan }: ActionRun,
  { number, actions, snapshot, since }: TakingBack,
): Promise<string | undefined> {
  const holders = new Set(actions.flatMap((action) => (action.kind === 'evict' ? action.pod : [])))
  if (holders.size === 0) return undefined
  const changed = plan.steps[number - 1]?.action
  const node = snapshot.nodes.find(({ name }) => changed !== undefined && 'node' in changed && name === changed.node)
  if (node?.schedulable !== true && clock() - since <= COMES_MS) return undefined
  const evicted = (await store.writes(id)).find(
    ({ step, isUndo, key, at }) => step === number && isUndo && at >= since && key.startsWith('evict '),
  )
  const again = snapshot.pods.find((pod) => evicted !== undefined && holders.has(pod.id) && pod.createdAt > evicted.at)
  return (
    again && `${again.id} started on ${node?.name} after others were evicted from there. Cordon it, then undo again.`
  )
}

/** Who holds what is given back is told by a reading of since; a clock may jump back. */
function readSince({ snapshot, clock }: ActingTurn, since: Instant): ClusterSnapshot | undefined {
  const read = snapshot()
  return read !== undefined && (read.takenAt > since || since > clock()) ? read : undefined
}

/** What holds a step up for so long is said, milliseconds. */
const HELD_UP_MS = 15_000

/** Once for each reason, so that whoever looks at it knows what to do, or that there is nothing to do. */
function heldUp({ clock }: ActingTurn, run: ActionRun, because: string): ActingMove | undefined {
  const [first, ...later] = ofThisStep(run)
  if (clock() - (later.at(-1) ?? first).at < HELD_UP_MS) return undefined
  const words = waitingWords(because)
  if (later.some((said) => gist(said.because) === gist(words))) return undefined
  return { state: first.state, because: words, step: first.step }
}

async function takenBack({ store }: ActingTurn, run: ActionRun): Promise<ActingMove> {
  const writes = await store.writes(run.id)
  return writes.some(({ key, outcome }) => key === END_MACHINE && outcome?.kind !== 'refused')
    ? { state: 'failed', because: 'The machine was already being ended, and is not brought back.' }
    : { state: 'reverted', because: revertedWords(run, writes) }
}

/** What an API server says need not end in a period. */
const ended = (sentence: string): string => (/[.!?]$/u.test(sentence) ? sentence : `${sentence}.`)

async function untilIdle(work: () => Promise<StepTurn>): Promise<StepTurn> {
  let result = await work()
  while (result.kind === 'again') result = await work()
  return result
}

type Rehearsed =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly because: string }
  /** A stop order, or another actor: what is left of it is not sent. */
  | { readonly kind: 'halted' }

/**
 * Sends the first write of every step as a dry run: what the API server would refuse is known before anything is changed.
 * What a step writes only once an earlier one is done cannot be tried so.
 */
async function rehearse(turn: ActingTurn, run: ActionRun): Promise<Rehearsed> {
  const context = {
    ...(await stepContext(turn, { run, isUndo: false, isRehearsal: true })),
    written: new Map<string, number>(),
  }
  for (const { number: step, action } of run.plan.steps) {
    // What a later step opens again is closed by then.
    const decision = await turn.hand.decide(decideStep(action, context), run)
    if (decision.kind === 'failed' || decision.kind === 'no-right') {
      return { kind: 'refused', because: `Step ${step}: ${decision.because}` }
    }
    if (decision.kind !== 'write') continue
    const sent = await writeOnce(turn, { run, step, isUndo: false, isRehearsal: true }, decision)
    if (sent.kind === 'halted') return sent
    if (sent.kind === 'failed') return { kind: 'refused', because: `Step ${step}, ${sent.because}` }
  }
  return { kind: 'accepted' }
}
