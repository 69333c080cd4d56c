import {
  appointmentOf,
  freeWords,
  gapInSnapshot,
  gapWords,
  holdsWords,
  lookAtFence,
  shortfallOf,
  shortWords,
  takenGpus,
  takenWords,
  type ActionRun,
  type KeepFree,
  type PlanStep,
} from '@septet/domain'

import type { ActingTurn } from './act-parts.ts'
import type { ActingMove } from './move.ts'

/**
 * Looks every few seconds whether an appointment still has what it keeps, from the closing of its nodes until they are opened,
 * and says it where that has changed: a node that is gone or was opened, a GPU that is withheld or broken, and whoever has got
 * one who is not to leave.
 */
export async function watchFence(turn: ActingTurn, run: ActionRun, next: PlanStep): Promise<ActingMove | undefined> {
  const watched = watchedOf(run, next)
  if (watched === undefined || !turn.mayLook(run.id)) return undefined
  const lack = await lackNow(turn, run.plan, watched)
  if (lack !== undefined) return sayShort(turn, run, { step: next, because: lack })
  turn.isLasting(run.id, undefined)
  return shortfallOf(run) === undefined ? undefined : staying(next, fineWords(watched))
}

/** Says what an appointment lacks, unless that was said last; a step that looks whether it is there goes on looking. */
export function sayShort(
  turn: Pick<ActingTurn, 'isLasting'>,
  run: ActionRun,
  { step, because }: { readonly step: PlanStep; readonly because: string },
): ActingMove | undefined {
  // One bad look may pass.
  const isLasting = turn.isLasting(run.id, because)
  const isNew = shortfallOf(run)?.because.startsWith(because) !== true
  return isLasting && isNew ? staying(step, because) : undefined
}

type Watched = { readonly action: KeepFree; readonly isFree: boolean }

/** What is kept once every node is closed, and whether it was seen to be free. */
function watchedOf({ plan }: ActionRun, { number }: PlanStep): Watched | undefined {
  const action = appointmentOf(plan)
  if (action === undefined || kindsOf(plan.steps.slice(number - 1)).has('cordon')) return undefined
  return { action, isFree: kindsOf(plan.steps.slice(0, number - 1)).has('keep-free') }
}

const kindsOf = (steps: ActionRun['plan']['steps']) => new Set(steps.map((step) => step.action.kind))

const staying = ({ number, notBefore }: PlanStep, because: string): ActingMove => ({
  state: 'applying',
  step: number,
  because,
  ...(notBefore === undefined ? {} : { until: notBefore }),
})

async function lackNow(
  { hand, snapshot }: ActingTurn,
  plan: ActionRun['plan'],
  { action, isFree }: Watched,
): Promise<string | undefined> {
  const read = snapshot()
  const seen = await hand.look(lookAtFence(action, { isFree }))
  const gap = seen ?? (read === undefined ? undefined : gapInSnapshot(action, read))
  if (gap !== undefined) return isFree ? shortWords(action, gap) : gapWords(action, gap)
  // Who is to be evicted is still there: who else is, is in the way.
  const taken = isFree || read === undefined ? undefined : takenGpus(action, plan, read)
  return taken && takenWords(action, taken)
}

const fineWords = ({ action, isFree }: Watched): string => (isFree ? freeWords(action) : holdsWords(action))
