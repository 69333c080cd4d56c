import {
  AccessRefused,
  instant,
  judgeApproval,
  judgeRun,
  lookAtObjects,
  outlookOf,
  stateOf,
  waitingWords,
  whyHandedOver,
  type ActionRun,
  type Instant,
  type Outlook,
  isProgram,
  pricesOf,
  pricingOf,
  type ActQuestion,
  type Approval,
  type ClusterSnapshot,
  type ObjectFacts,
} from '@septet/domain'
import { planDigest } from '../content-digest.ts'
import type { ActingTurn, ActParts } from './act-parts.ts'
import type { ActingMove } from './move.ts'
import { rightsWords, type Hand } from './hand.ts'
import type { History } from './history.ts'

/** Whether the plan that was approved still holds on the cluster as it is now; undefined while nothing new can be told. */
export async function judgeAgain(turn: ActingTurn, run: ActionRun): Promise<ActingMove | undefined> {
  if (planDigest(run.plan) !== run.digest) {
    return { state: 'failed', because: 'Nothing was changed: the plan that is kept is not the one that was approved.' }
  }
  const snapshot = turn.snapshot()
  if (snapshot === undefined) return undefined
  const approval = await approvalOf(turn, run)
  const refusals = await refusalsOf(turn, run, { snapshot, approval, moment: 'start' })
  const { refused, waits, git } = outlookOf(refusals)
  if (refused !== undefined) return { state: 'failed', because: `Nothing was changed: ${refused}` }
  if (git !== undefined) return handedOver(turn.clock(), git)
  if (waits !== undefined) return waiting(run, waitingWords(waits))
  const others = whyHandedOver(run.plan)
  if (others !== undefined) return handedOver(turn.clock(), others)
  return { state: 'checked', because: 'The plan is still valid and passes every guardrail.' }
}

/** What would come of an approval now; without a reading by what can be told of the run alone. */
export async function outlookOn(
  parts: Judging & Looking & Pick<ActingTurn, 'snapshot'>,
  run: ActionRun,
): Promise<Outlook> {
  const snapshot = parts.snapshot()
  if (snapshot === undefined) {
    return outlookOf(judgeApproval({ run, policy: await parts.policy(), now: parts.clock(), approval: undefined }))
  }
  const judged = (hand: Looking['hand']) =>
    refusalsOf({ ...parts, hand }, run, { snapshot, approval: undefined, moment: 'approval' })
  // Of a cluster that does not answer it is told what is known.
  const { refused, waits, git } = outlookOf(await judged(parts.hand).catch(() => judged(undefined)))
  return { refused, waits: git ?? waits ?? whyHandedOver(run.plan) }
}

/** A pull request may lie for some days, milliseconds. */
const HANDED_MS = 7 * 86_400_000

const handedOver = (now: Instant, because: string): ActingMove => ({
  state: 'handed-over',
  because: `${because} Download its directory and apply what it says: Septet notices, verifies and measures it.`,
  until: instant(now + HANDED_MS),
})

type Looking = { readonly hand: Pick<Hand, 'look'> | undefined }
type Judged = Omit<Parameters<typeof questionOf>[2], 'objects'> & { readonly moment: 'approval' | 'start' }

/** The cluster is asked last, once nothing else speaks against it. */
export async function refusalsOf(
  parts: Judging & Looking,
  run: ActionRun,
  { moment, ...of }: Judged,
): Promise<ReturnType<typeof judgeRun>> {
  const { hand } = parts
  const known = judgeRun(await questionOf(parts, run, { ...of, objects: [] }), moment)
  const isDecided = moment === 'start' ? known.length > 0 : outlookOf(known).refused !== undefined
  if (hand === undefined || isDecided) return known
  try {
    const objects = await hand.look(lookAtObjects(run.plan, of.snapshot))
    return judgeRun(await questionOf(parts, run, { ...of, objects }), moment)
  } catch (error) {
    if (!(error instanceof AccessRefused)) throw error
    return [...known, { kind: 'refuse', code: 'rights', because: rightsWords(error, run) }]
  }
}

export const gist = (text: string): string => text.replaceAll(/\d+/gu, '')

/** Said once for each reason, not again each time that a number in it moves. */
function waiting(run: ActionRun, because: string): ActingMove | undefined {
  const { state, because: said, until } = stateOf(run)
  if (gist(said) === gist(because)) return undefined
  return { state, because, ...(until === undefined ? {} : { until }) }
}

/** What it takes to judge runs of a cluster. */
type Judging = Pick<ActParts, 'store' | 'cluster' | 'clock' | 'samples' | 'policy' | 'plans' | 'prices'> & {
  readonly history: Pick<History, 'runs'>
}

/** All that the guardrails judge by, as it is now. Throws what store and cluster throw. */
export async function questionOf(
  parts: Judging,
  run: ActionRun,
  of: {
    readonly snapshot: ClusterSnapshot
    readonly approval: Approval | undefined
    readonly objects: readonly ObjectFacts[]
  },
): Promise<ActQuestion> {
  const { store, cluster, clock, samples } = parts
  const [policy, plans, book, history, stops] = await Promise.all([
    parts.policy(),
    parts.plans(),
    parts.prices(),
    parts.history.runs(),
    store.stops(),
  ])
  const own = stops.filter(({ cluster: on }) => on === undefined || on === cluster)
  const priceOf = pricesOf(book, pricingOf(of.snapshot))
  return { ...of, run, policy, plans, priceOf, history, stops: own, samples: samples(), now: clock() }
}

/** Who approved a run, with what they may do now. Throws what the store throws. */
async function approvalOf({ roleOf }: Pick<ActParts, 'roleOf'>, run: ActionRun): Promise<Approval | undefined> {
  const approved = run.transitions.find(({ state }) => state === 'approved')
  if (approved === undefined) return undefined
  const { by: name, at, party } = approved
  const kind = name === 'septet' ? 'septet' : isProgram(name) ? 'token' : 'person'
  const role = kind === 'septet' ? undefined : await roleOf(approved)
  return { kind, name, party, at, role, digest: run.digest }
}
