import { changeGpus, copyDraft, draftCost, openShare, type DraftLayout } from './draft-layout.ts'
import type { LayoutModel } from './layout-model.ts'
import { giveBack, isBetter, repackAll, serveOpen } from './round-layout.ts'
import { seatWorkloads, unseatExcess } from './seat-workloads.ts'

/** When to stop: at this cost, with this little unplaced, there is nothing left to gain. */
export type Target = { readonly cost: number; readonly unplaced: number }

/**
 * Takes some GPUs away and serves their workloads again, otherwise: first without the pattern, then without the class
 * that was taken away. Keeps what is better, in a fixed order and number of trials. Rounding loses a few GPUs at most,
 * so this matters where the fleet is small.
 */
export function improveLayout(
  model: LayoutModel,
  start: DraftLayout,
  { prices, target }: { readonly prices: readonly number[]; readonly target: Target },
): DraftLayout {
  let best = start
  let trials = 0
  for (let improved = true; improved;) {
    improved = false
    for (const attempt of attempts(model, best)) {
      if (trials >= TRIALS || isEnough(model, best, target)) return best
      trials += 1
      const trial = replaced(model, best, { ...attempt, prices })
      if (trial === undefined || !isBetter(model, trial, best)) continue
      best = trial
      improved = true
      break
    }
  }
  return best
}

const TRIALS = 150
const ALMOST = 1e-9

const isEnough = (model: LayoutModel, draft: DraftLayout, { cost, unplaced }: Target): boolean =>
  openShare(model, draft) <= unplaced + ALMOST && draftCost(model, draft) <= cost + ALMOST

type Attempt = {
  readonly classIndex: number
  readonly pattern: number
  readonly gpus: number
  /** What the workloads may not go back to. */
  readonly avoid: 'pattern' | 'class'
}

/** One to three GPUs of each pattern in use, the dearest class first. */
function attempts(model: LayoutModel, draft: DraftLayout): readonly Attempt[] {
  const used = draft.gpus.flatMap((patterns, classIndex) =>
    [...patterns.entries()].filter(([, gpus]) => gpus > 0).map(([pattern, gpus]) => ({ classIndex, pattern, gpus })),
  )
  const weightOf = (classIndex: number): number => model.classes[classIndex]?.weight ?? 0
  return [1, 2, 3]
    .flatMap((gpus) => used.filter((each) => each.gpus >= gpus).map((each) => ({ ...each, gpus })))
    .flatMap((each) => (['pattern', 'class'] as const).map((avoid) => ({ ...each, avoid })))
    .toSorted((a, b) => a.gpus - b.gpus || weightOf(b.classIndex) - weightOf(a.classIndex))
}

function replaced(
  model: LayoutModel,
  draft: DraftLayout,
  { classIndex, pattern, gpus, avoid, prices }: Attempt & { readonly prices: readonly number[] },
): DraftLayout | undefined {
  const trial = copyDraft(draft)
  changeGpus(model, trial, { classIndex, pattern, by: -gpus })
  unseatExcess(model, trial)
  seatWorkloads(model, trial)
  serveOpen(model, trial, {
    prices,
    isAllowed: (other, otherPattern) => other !== classIndex || (avoid === 'pattern' && otherPattern !== pattern),
  })
  if (openShare(model, trial) > openShare(model, draft) + ALMOST) return undefined
  // Packing again wins a GPU of one class at most, seldom more.
  const weight = Math.max(...model.classes.map((each) => each.weight))
  if (draftCost(model, trial) > draftCost(model, draft) + weight) return undefined
  repackAll(model, trial)
  return giveBack(model, trial)
}
