import {
  AccessRefused,
  changedSince,
  goneNodes,
  instant,
  regression,
  stateOf,
  unverified,
  wasHandedOver,
  type ActionRun,
  type ChangedSince,
  type ClusterSnapshot,
  type Instant,
  type Transition,
} from '@septet/domain'
import type { ActingTurn } from './act-parts.ts'
import { keptWords } from './left-to-others.ts'
import type { ActingMove } from './move.ts'
import type { WorkFound } from './work-setbacks.ts'

/** How long the cluster may take to look as the plan says, milliseconds. */
const VERIFY_MS = 300_000

/** Whether the cluster looks as the plan says. */
export async function verify(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const snapshot = turn.snapshot()
  const { at } = stateOf(run)
  const theirs = await lookForOthers(turn, run)
  if (theirs?.isGone === true) return backward(run, theirs.because)
  const because = snapshot === undefined ? 'The cluster has not been read yet.' : unverified(run.plan, snapshot, at)
  const now = turn.clock()
  if (because === undefined) {
    const { watch: watched } = await turn.policy()
    return {
      state: 'verified',
      because: 'The cluster matches the plan.',
      until: after(now, watched * 1000),
    }
  }
  if (now - at <= VERIFY_MS) return undefined
  return backward(run, `It could not be verified: ${because}`)
}

/** Whether anything gets worse, or is changed by somebody else, while a change is watched. */
export async function watch(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const theirs = await lookForOthers(turn, run)
  if (theirs?.isGone === true) return backward(run, theirs.because)
  return (theirs && noted(run, theirs)) ?? setbackOrEnd(turn, run)
}

async function setbackOrEnd(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  const snapshot = turn.snapshot()
  const { at } = stateOf(run)
  const now = turn.clock()
  const applied = run.transitions.findLast(({ state }) => state === 'applied')?.at ?? at
  const seen = snapshot === undefined ? undefined : regression(run.plan, snapshot, applied)
  const work = seen === undefined ? await turn.workSetbacks?.(run, now, snapshot) : undefined
  const worse = work?.kind === 'worse' ? work.because : seen
  if (worse !== undefined) {
    // One bad reading is no reason to disturb everybody a second time.
    return turn.isLasting(run.id, worse) ? backward(run, `It got worse: ${worse}`) : undefined
  }
  turn.isLasting(run.id, undefined)
  return endOfWatch(run, { now, snapshot, work })
}

const after = (now: Instant, milliseconds: number): Instant => instant(now + milliseconds)

/** What somebody has changed since, looked for every few seconds; who may not look sees it in the readings. */
async function lookForOthers(
  { mayLook, hand }: ActingTurn,
  { id, plan }: ActionRun,
): Promise<ChangedSince | undefined> {
  if (!mayLook(id)) return undefined
  return hand.look(changedSince(plan)).catch((error: unknown) => {
    if (error instanceof AccessRefused) return undefined
    throw error
  })
}

/** Said once: what comes of it is seen in the readings. */
function noted(run: ActionRun, { because }: ChangedSince): ActingMove | undefined {
  if (wasHandedOver(run) || run.transitions.some((said) => said.because.startsWith(because))) return undefined
  return { state: 'verified', because: `${because} Septet keeps monitoring.`, until: stateOf(run).until }
}

/** Not what was only noted while it was watched. */
const isWatchBegun = ({ state, until }: Transition, index: number, all: readonly Transition[]): boolean =>
  state === 'verified' && all[index - 1]?.until !== until

/** What others have made is theirs to take back; undefined where Septet made it. */
const notTakenBack = (run: ActionRun, because: string): ActingMove | undefined =>
  wasHandedOver(run)
    ? {
        state: 'failed',
        because: `${because} Septet did not make this change, so it does not revert it: the rollback is under undo/ in its directory.`,
      }
    : undefined

/** Back to what was before, unless that is gone with its machine. */
function backward(run: ActionRun, because: string): ActingMove {
  const [gone] = goneNodes(run)
  const left = notTakenBack(run, because)
  if (left !== undefined) return left
  return gone === undefined
    ? { state: 'reverting', because: `${because} It is being reverted.`, step: run.plan.steps.length }
    : {
        state: 'failed',
        because: `${because} The machine of ${gone} is gone, so this cannot be undone; it needs manual attention.`,
      }
}

type Seen = {
  readonly now: Instant
  readonly snapshot: ClusterSnapshot | undefined
  /** Undefined where no metrics engine counts work. */
  readonly work: WorkFound | undefined
}

/**
 * What becomes of a change of which nothing got worse. Where nobody can tell how its work goes it is watched once more as
 * long; then it stays, and is called what it is: not verified.
 */
export function endOfWatch(run: ActionRun, { now, snapshot, work }: Seen): ActingMove | undefined {
  const [first, ...longer] = run.transitions.filter(isWatchBegun)
  if (first?.until === undefined || now < first.until) return undefined
  if (work?.kind !== 'unknown') return { state: 'kept', because: keptWords(run, snapshot) }
  const { because, since } = work
  if (longer.length === 0) {
    return {
      state: 'verified',
      because: `It is unclear whether the work runs as before: ${because} Septet keeps monitoring.`,
      until: instant(now + (first.until - first.at)),
    }
  }
  return now < (stateOf(run).until ?? now)
    ? undefined
    : {
        state: 'kept',
        because: `Not verified: no metrics since ${dayAndMinute(since)}. ${because} Apart from its work nothing got worse.`,
      }
}

/** `2026-11-25 21:04 UTC` */
const dayAndMinute = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
