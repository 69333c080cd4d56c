import { ratio } from '../../units.ts'
import { checkBound, type BoundCertificate, type BoundCheck } from './bound-certificate.ts'
import { draftCost, openShare, sum, type DraftLayout } from './draft-layout.ts'
import type { LayoutPlan, LayoutQuality } from './layout-answer.ts'
import type { LayoutModel } from './layout-model.ts'
import type { LayoutProblem } from './layout-problem.ts'

export type LayoutAnswering = {
  readonly problem: LayoutProblem
  readonly model: LayoutModel
  readonly draft: DraftLayout
  readonly certificates: readonly BoundCertificate[]
  readonly notes: readonly string[]
}

/** What a draft comes to, with what its certificates prove. */
export function answerFor(answering: LayoutAnswering): LayoutPlan {
  const { model, draft } = answering
  const placed = sum(draft.taken)
  return {
    totals: {
      workloads: placed + sum(draft.open) + sum(model.hopeless.map(({ count }) => count)),
      placed,
      gpus: sum(draft.gpus.map(sum)),
    },
    quality: qualityOf(answering),
  }
}

/** How good a draft is, by its certificates. */
export function qualityOf(answering: LayoutAnswering): LayoutQuality {
  const { model, draft, certificates, notes } = answering
  const proven = provenBy(answering)
  const reached = draftCost(model, draft)
  const bound = atMost(reached, liftBound(model, proven[model.goal]))
  const unplacedBound = proven.unplaced ?? 0
  return {
    goal: model.goal,
    unpriced: model.unpriced,
    reached,
    bound,
    gap: bound === undefined ? undefined : ratio(gapOf(reached, bound)),
    unplacedBound,
    gpuBound: proven.gpus,
    certificates,
    proof: proofOf({ reached, bound, unplaced: openShare(model, draft), unplacedBound }),
    notes: model.unpriced.length === 0 ? notes : [...notes, countedNote(model)],
  }
}

/** The best bound of each kind that the certificates prove. */
function provenBy({ problem, certificates }: LayoutAnswering): Partial<Record<BoundCertificate['of'], number>> {
  const proven: Partial<Record<BoundCertificate['of'], number>> = {}
  for (const certificate of certificates) {
    const check = checked(problem, certificate)
    if (check.kind !== 'proven') continue
    const { of } = certificate
    proven[of] = Math.max(proven[of] ?? 0, of === 'gpus' ? check.atLeast : check.bound)
  }
  return proven
}

/** What certificates prove about the problem that they were made for: asked while planning and once more at the end. */
const known = new WeakMap<BoundCertificate, { readonly problem: LayoutProblem; readonly check: BoundCheck }>()

function checked(problem: LayoutProblem, certificate: BoundCertificate): BoundCheck {
  const before = known.get(certificate)
  if (before?.problem === problem) return before.check
  const check = checkBound(problem, certificate)
  known.set(certificate, { problem, check })
  return check
}

type Standing = Pick<LayoutQuality, 'reached' | 'bound' | 'unplacedBound'> & { readonly unplaced: number }

function proofOf({ reached, bound, unplaced, unplacedBound }: Standing): LayoutQuality['proof'] {
  if (bound === undefined) return 'none'
  return gapOf(reached, bound) === 0 && unplaced <= unplacedBound + NOTHING ? 'optimal' : 'within-gap'
}

const countedNote = ({ unpriced }: LayoutModel): string =>
  `GPUs are counted instead of dollars, because ${unpriced.join(', ')} has no price.`

/** A bound above what was reached, by a rounding, is what was reached. */
const atMost = (reached: number, bound: number | undefined): number | undefined =>
  bound === undefined || bound > reached + NOTHING ? bound : Math.min(bound, reached)

/** A cost is a sum of prices, so where these are multiples of one amount, the next multiple of it is a bound too. */
function liftBound(model: LayoutModel, bound: number | undefined): number | undefined {
  if (bound === undefined) return bound
  const micros = model.classes.map(({ weight }) => weight * MICRO)
  if (micros.some((price) => Math.abs(price - Math.round(price)) > 1e-6)) return bound
  const step = micros.map(Math.round).reduce(greatestDivisor, 0) / MICRO
  return step === 0 ? bound : Math.max(bound, Math.ceil(bound / step - NOTHING) * step)
}

const MICRO = 1e6

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))

/** Dollars are certified to a millionth for each GPU. */
const NOTHING = 1e-6

const gapOf = (reached: number, bound: number): number =>
  reached <= bound + NOTHING ? 0 : bound > 0 ? (reached - bound) / bound : Infinity
