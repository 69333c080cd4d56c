import {
  DAY_MS,
  decideStep,
  type Action,
  type ActionRun,
  type StepDecision,
  type Deciding,
  type Instant,
  type RecordedWrite,
} from '@septet/domain'

import type { ActingTurn } from './act-parts.ts'
import { lacksRight, rightsWords } from './hand.ts'
import { stepContext } from './step-context.ts'

/** What one look at a step came to. `again`: something was written, and the cluster is to be looked at again. */
export type StepTurn =
  | { readonly kind: 'done' | 'failed' | 'waits'; readonly because: string }
  | { readonly kind: 'again' }
  /** Nothing may be written now: a stop order, or another actor. */
  | { readonly kind: 'halted' }

export type StepWork = {
  readonly run: ActionRun
  /** Number of the plan's step. */
  readonly step: number
  readonly action: Action
  readonly isUndo: boolean
  /** When the step was begun. */
  readonly since: Instant
}

/** A write that is refused for now is tried for so long, milliseconds. */
const TRY_MS = 600_000
/**
 * A right that is missing may be back once roles are synchronized. What is half changed is taken back then, however long that
 * takes a person, milliseconds.
 */
const RIGHT_MS = { forth: TRY_MS, back: 7 * DAY_MS }

/** Looks at the cluster, decides, and writes at most once. */
export async function workStep(turn: ActingTurn, work: StepWork): Promise<StepTurn> {
  const context = await stepContext(turn, work)
  return workDecision(turn, work, (written) => decideStep(work.action, { ...context, written }))
}

/** The same for any decision, made from how often each key was written as far as the API server said so. */
export async function workDecision(
  turn: ActingTurn,
  work: Omit<StepWork, 'action'>,
  deciding: (written: ReadonlyMap<string, number>) => Deciding,
): Promise<StepTurn> {
  const { clock, hand, store } = turn
  const { run, step, isUndo } = work
  const begun = isUndo ? undoBegunAt(run) : 0
  const writes = (await store.writes(run.id)).filter(
    (write) => write.step === step && write.isUndo === isUndo && write.at >= begun,
  )
  const now = clock()
  const done = countsOf(writes.filter(({ outcome }) => outcome?.kind === 'done'))
  const looked = await hand.decide(deciding(done), run)
  const rightMs = isUndo ? RIGHT_MS.back : RIGHT_MS.forth
  const decision: StepDecision = looked.kind === 'no-right' ? { ...looked, kind: 'wait', atMostMs: rightMs } : looked
  if (decision.kind === 'wait') return waited(decision, { now, since: lastOf(writes, work.since) })
  if (decision.kind !== 'write') return decision
  const first = writes.find(({ key }) => key === decision.key)
  const said = lastSaid(writes)
  const tryMs = lacksRight(said) ? rightMs : TRY_MS
  if (first !== undefined && now - first.at > tryMs) {
    return { kind: 'failed', because: `${decision.says} was tried for ${tryMs / 60_000} minutes: ${said}` }
  }
  const again = pauseBefore(writes, { key: decision.key, now })
  return again ? { kind: 'waits', because: saidOf(decision, said, run) } : writeOnce(turn, work, decision)
}

type Write = Extract<StepDecision, { readonly kind: 'write' }>
type Written = Pick<StepWork, 'run' | 'step' | 'isUndo'> & { readonly isRehearsal?: true }

/** Sends a decided write, or the rehearsal of one. */
export async function writeOnce(
  turn: ActingTurn,
  { run, step, isUndo, isRehearsal }: Written,
  decision: Write,
): Promise<StepTurn> {
  const { key, write, says, stops } = decision
  const intent = {
    run: run.id,
    step,
    isUndo,
    ...(isRehearsal ? { isRehearsal } : {}),
    key,
    says,
    ...(stops === undefined ? {} : { stops }),
  }
  const outcome = await turn.hand.write(write, { ...turn, intent })
  if (outcome.kind === 'done') return { kind: 'again' }
  const because = 'because' in outcome ? saidOf(decision, outcome.because, run) : ''
  if (outcome.kind === 'later') return { kind: 'waits', because }
  // What is only tried out has changed nothing yet, and its person is still there to hear of it.
  if (outcome.kind === 'refused') {
    return { kind: lacksRight(outcome.because) && isRehearsal !== true ? 'waits' : 'failed', because }
  }
  return { kind: 'halted' }
}

function waited(
  { because, atMostMs }: Extract<StepDecision, { readonly kind: 'wait' }>,
  { now, since }: { readonly now: Instant; readonly since: Instant },
): StepTurn {
  if (now - since <= atMostMs) return { kind: 'waits', because }
  return { kind: 'failed', because: `Given up after ${Math.round(atMostMs / 60_000)} minutes: ${because}` }
}

function countsOf(writes: readonly RecordedWrite[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { key } of writes) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** A write with what the API server said to it. */
const saidOf = ({ says }: Write, because: string, run: ActionRun): string =>
  lacksRight(because) ? rightsWords({ message: because }, run) : `${says}: ${because}`

/** From when on the writes of a way back count: what one that failed before has tried is tried again. */
function undoBegunAt({ transitions }: ActionRun): Instant | 0 {
  const begins = transitions.filter(
    ({ state }, index) => state === 'reverting' && transitions[index - 1]?.state !== 'reverting',
  )
  return begins.length < 2 ? 0 : (begins.at(-1)?.at ?? 0)
}

const lastOf = (writes: readonly RecordedWrite[], since: Instant): Instant => writes.at(-1)?.at ?? since
const lastSaid = (writes: readonly RecordedWrite[]): string =>
  writes.findLast(({ outcome }) => outcome?.kind === 'refused')?.outcome?.because ?? 'no answer came'

/** After each try that came to nothing it rests twice as long, from half a second to ten. */
function pauseBefore(
  writes: readonly RecordedWrite[],
  { key, now }: { readonly key: string; readonly now: Instant },
): boolean {
  const same = writes.filter((write) => write.key === key)
  const last = same.at(-1)
  if (last === undefined || last.outcome?.kind === 'done') return false
  return now - last.at < Math.min(10_000, 250 * 2 ** same.length)
}
