import type { Instant, Window } from '../../units.ts'
import { nameOfWorkload } from '../../words.ts'
import { adviceOf, type ActionRun, type RecordedWrite, type RunState, type Transition } from '../action-run.ts'
import { classOf } from '../policy/act-policy.ts'

/**
 * What a sentence of the journal can be checked by. `id`: of a workload `namespace/Kind/name`, of a node its name, of a plan
 * its digest, of a step or a write its number within the run, of a policy the class, of a saving the run, of a reading its time in milliseconds.
 */
export const EVIDENCE_KINDS = [
  'recommendation',
  'plan',
  'policy',
  'reading',
  'step',
  'write',
  'workload',
  'node',
  'saving',
] as const
export type JournalEvidence = {
  readonly kind: (typeof EVIDENCE_KINDS)[number]
  readonly id: string
  /** The time that it speaks of; undefined: it speaks of none. */
  readonly window: Window | undefined
}

/** A sentence with what it can be checked by, the nearest first; never empty. */
export type Evidenced<Said> = Said & { readonly evidence: readonly [JournalEvidence, ...JournalEvidence[]] }

export type Journal = {
  readonly transitions: readonly Evidenced<Transition>[]
  readonly writes: readonly Evidenced<RecordedWrite>[]
}

/** All that a run says of itself, each sentence with its evidence: every face tells these. */
export const journalLines = (run: ActionRun, writes: readonly RecordedWrite[]): Journal => ({
  transitions: run.transitions.map((transition) => ({
    ...transition,
    evidence: orWhatItIsAbout(EVIDENCE[transition.state]({ run, writes, transition }), run),
  })),
  writes: writes.map((write) => ({ ...write, evidence: orWhatItIsAbout(evidenceOfWrite(write, run), run) })),
})

type Told = { readonly run: ActionRun; readonly writes: readonly RecordedWrite[]; readonly transition: Transition }
type EvidenceOf = (told: Told) => readonly JournalEvidence[]

const of = (kind: JournalEvidence['kind'], id: string, window?: Window): JournalEvidence => ({ kind, id, window })

/** What is planned is in the recommendation; of what a person asked for there is the plan alone. */
function orWhatItIsAbout([first, ...rest]: readonly JournalEvidence[], run: ActionRun): Evidenced<object>['evidence'] {
  if (first !== undefined) return [first, ...rest]
  return [cause(run)]
}

function cause(run: ActionRun): JournalEvidence {
  const advice = adviceOf(run)
  return advice === undefined ? plan({ run }) : of('recommendation', advice.id)
}

const plan = ({ run }: Pick<Told, 'run'>): JournalEvidence => of('plan', run.digest)
/** What it was estimated to save is measured afterwards. */
const saving = ({ run }: Told): readonly JournalEvidence[] =>
  adviceOf(run)?.saving.kind === 'estimated' ? [of('saving', run.id)] : []
const policy = ({ run }: Pick<Told, 'run'>): JournalEvidence => of('policy', classOf(run))

/** Its objects over the hours on which it was recommended. */
const basis: EvidenceOf = ({ run }) => [cause(run), ...objectsOf(run, adviceOf(run)?.evidence.window)]

/** Its objects from when it was last decided on to this sentence. */
const since =
  (states: readonly RunState[]): EvidenceOf =>
  ({ run, transition }) => {
    const from = run.transitions.findLast(({ state, number }) => number < transition.number && states.includes(state))
    return objectsOf(run, { from: from?.at ?? run.proposedAt, to: transition.at })
  }

const verified = since(['applied', 'applying'])
const watched = since(['applied', 'verified'])
const decided = since(['approved', 'warned'])

/** What was written since the sentence before, as this one says what came of it; the step where nothing had to be. */
const written: EvidenceOf = ({ run, writes, transition }) => {
  const before = run.transitions.find(({ number }) => number === transition.number - 1)
  const own = writes.filter(({ at }) => at >= (before?.at ?? run.proposedAt) && at <= transition.at)
  return [...own.map(({ number }) => of('write', String(number))), ...stepBy(run, transition)]
}

/** The step that is done, taken back, or begun by a sentence. */
function stepBy(run: ActionRun, { state, step, number }: Transition): readonly JournalEvidence[] {
  if (step === undefined) return []
  const before = run.transitions.find((each) => each.number === number - 1)
  const isGoingOn = before?.state === state && before.step !== step
  const about = isGoingOn ? (state === 'reverting' ? step + 1 : step - 1) : step
  return about >= 1 && about <= run.plan.steps.length ? [of('step', String(about))] : []
}

const EVIDENCE: Readonly<Record<RunState, EvidenceOf>> = {
  proposed: basis,
  // One that Septet gave, or that waits, is by the rules; a person's is of the plan that they saw.
  approved: (told) => (told.transition.by === 'septet' ? [policy(told), plan(told), ...decided(told)] : [plan(told)]),
  checked: (told) => [reading(told.transition.at), policy(told), plan(told)],
  rehearsed: ({ run }) => run.plan.steps.map(({ number }) => of('step', String(number))),
  'handed-over': (told) => [policy(told), plan(told), ...objectsOf(told.run, undefined)],
  warned: (told) => [...written(told), ...objectsOf(told.run, undefined)],
  applying: written,
  applied: (told) => [...told.run.plan.steps.map(({ number }) => of('step', String(number))), plan(told)],
  verified: (told) => [reading(told.transition.at), ...verified(told)],
  kept: (told) => [...watched(told), ...saving(told)],
  reverting: (told) => [...written(told), ...watched(told)],
  reverted: (told) => [reading(told.transition.at), ...watched(told)],
  rejected: basis,
  expired: (told) => [plan(told), ...decided(told)],
  cancelled: (told) => [...decided(told), policy(told)],
  failed: (told) => [...written(told), ...decided(told), policy(told)],
}

/** The newest reading of the cluster at that moment: it is judged by no older one than a minute. */
const reading = (at: Instant): JournalEvidence => of('reading', String(at), { from: at, to: at })

/** What it is about, and what its steps change. */
function objectsOf({ object, plan: { steps } }: ActionRun, window: Window | undefined): readonly JournalEvidence[] {
  const named = steps.flatMap(({ action }) => [
    ...('workload' in action ? [`workload/${action.workload}`] : []),
    ...('node' in action ? [`node/${action.node}`] : []),
  ])
  return [...new Set([object, ...named])].flatMap((each) => {
    const cut = each.indexOf('/')
    const [kind, id] = [each.slice(0, cut), each.slice(cut + 1)]
    return (kind === 'workload' || kind === 'node') && id !== '' ? of(kind, id, window) : []
  })
}

/** The step that it is of; a warning is of none, and stands on the object. */
function evidenceOfWrite({ step, at }: RecordedWrite, run: ActionRun): readonly JournalEvidence[] {
  const action = run.plan.steps.find(({ number }) => number === step)?.action
  if (action === undefined) return objectsOf(run, undefined)
  const changed = objectsOf(
    { ...run, object: '', plan: { ...run.plan, steps: run.plan.steps.filter(({ number }) => number === step) } },
    undefined,
  )
  return [of('step', String(step)), ...changed.map((each) => ({ ...each, window: { from: at, to: at } }))]
}

/** Evidence in a few words, the same on every face. */
export function evidenceWords({ kind, id }: JournalEvidence): string {
  return WORDS[kind](id)
}

const WORDS: Readonly<Record<JournalEvidence['kind'], (id: string) => string>> = {
  recommendation: () => 'recommendation',
  plan: (id) => `plan ${id.slice(0, 8)}`,
  policy: () => 'what Septet may do',
  reading: () => 'reading of the cluster',
  step: (id) => `step ${id}`,
  write: (id) => `write ${id}`,
  workload: nameOfWorkload,
  node: (id) => id,
  saving: () => 'measured saving',
}
