import {
  appointmentOf,
  gapInSnapshot,
  gapWords,
  freeWords,
  holdsWords,
  lookAtFence,
  shortfallOf,
  shortWords,
  type ActionRun,
  type FenceGap,
  type KeepFree,
  type PlanStep,
} from '@septet/domain'

import type { Turn } from './act-parts.ts'
import type { Move } from './move.ts'

/**
 * Looks every few seconds whether an appointment still has what it keeps, from the closing of its nodes until they are opened,
 * and says it where that has changed: a node that is gone or was opened, a GPU that is withheld or broken, and once they were
 * seen to be free, whoever has got them since.
 */
export async function watchFence(turn: Turn, run: ActionRun, next: PlanStep): Promise<Move | undefined> {
  const watched = watchedOf(run, next)
  if (watched === undefined || !turn.mayLook(run.id)) return undefined
  const { action, isFree } = watched
  const gap = await gapNow(turn, action, isFree)
  const said = shortfallOf(run)?.because
  const because = gap === undefined ? fineWords(action, isFree) : badWords(action, gap, isFree)
  // One bad look may pass.
  const isLasting = turn.isLasting(run.id, gap === undefined ? undefined : because)
  const isNew = gap === undefined ? said !== undefined : isLasting && said?.startsWith(because) !== true
  return isNew ? staying(next, because) : undefined
}

/** What is kept once every node is closed, and whether it was seen to be free. */
function watchedOf({ plan }: ActionRun, { number }: PlanStep) {
  const action = appointmentOf(plan)
  if (action === undefined || kindsOf(plan.steps.slice(number - 1)).has('cordon')) return undefined
  return { action, isFree: kindsOf(plan.steps.slice(0, number - 1)).has('keep-free') }
}

const kindsOf = (steps: ActionRun['plan']['steps']) => new Set(steps.map((step) => step.action.kind))

const staying = ({ number, notBefore }: PlanStep, because: string): Move => ({
  state: 'applying',
  step: number,
  because,
  ...(notBefore === undefined ? {} : { until: notBefore }),
})

async function gapNow({ hand, snapshot }: Turn, action: KeepFree, isFree: boolean): Promise<FenceGap | undefined> {
  const read = snapshot()
  const gap = await hand.look(lookAtFence(action, { isFree }))
  return gap ?? (read === undefined ? undefined : gapInSnapshot(action, read))
}

const fineWords = (action: KeepFree, isFree: boolean): string => (isFree ? freeWords(action) : holdsWords(action))
const badWords = (action: KeepFree, gap: FenceGap, isFree: boolean): string =>
  isFree ? shortWords(action, gap) : gapWords(action, gap)
