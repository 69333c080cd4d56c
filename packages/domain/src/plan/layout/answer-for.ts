import { ratio } from '../../units.ts'
import { checkBound, type BoundCertificate, type BoundCheck } from './bound-certificate.ts'
import { draftCost, openShare, seatedOf, sum, type DraftLayout } from './draft-layout.ts'
import type { Assignment, LaidOut, LayoutPlan, LayoutQuality, LayoutTotals, Unplaced } from './layout-answer.ts'
import type { LayoutModel } from './layout-model.ts'
import type { DemandClass, Fit, LayoutProblem } from './layout-problem.ts'

export type LayoutAnswering = {
  readonly problem: LayoutProblem
  readonly model: LayoutModel
  readonly draft: DraftLayout
  readonly certificates: readonly BoundCertificate[]
  readonly notes: readonly string[]
}

/** A draft in the words of the question, with what its certificates prove. */
export function answerFor(answering: LayoutAnswering): LayoutPlan {
  const { problem, model, draft } = answering
  const { assignments, left } = shareOut(model, draft)
  return {
    kind: 'planned',
    layouts: layoutsOf(model, draft),
    assignments,
    unplaced: [...model.hopeless.map((demand) => hopeless(demand, problem)), ...left],
    totals: totalsOf(model, draft),
    quality: qualityOf(answering),
  }
}

const layoutsOf = (model: LayoutModel, draft: DraftLayout): readonly LaidOut[] =>
  model.classes.flatMap(({ supplyClass, patterns }, classIndex) =>
    patterns.flatMap(({ geometry }, pattern): LaidOut[] => {
      const gpus = draft.gpus[classIndex]?.[pattern] ?? 0
      return gpus > 0 ? [{ supplyClass: supplyClass.id, geometry, gpus }] : []
    }),
  )

/** Gives each group's places to its members, in the order of their ids. */
function shareOut(
  model: LayoutModel,
  draft: DraftLayout,
): { readonly assignments: readonly Assignment[]; readonly left: readonly Unplaced[] } {
  const assignments: Assignment[] = []
  const left: Unplaced[] = []
  for (const [group, { members, cells }] of model.groups.entries()) {
    const places = cells.map((cell, rank) => ({ at: placeOf(model, cell), free: seatedOf(draft, group, rank) }))
    for (const { id, count } of members) {
      const taken = takeFrom(places, count)
      assignments.push(...taken.map((each) => ({ demand: id, ...each })))
      const waiting = count - sum(taken.map((each) => each.count))
      if (waiting > 0) left.push(short(id, waiting))
    }
  }
  return { assignments, left }
}

type Place = { readonly at: Fit; free: number }

function takeFrom(places: readonly Place[], count: number): ReadonlyArray<Omit<Assignment, 'demand'>> {
  let waiting = count
  return places.flatMap((place) => {
    const by = Math.min(waiting, place.free)
    place.free -= by
    waiting -= by
    return by > 0 ? [{ ...place.at, count: by }] : []
  })
}

function placeOf(model: LayoutModel, cell: number): Fit {
  const { classIndex = 0, profile = '' } = model.cells[cell] ?? {}
  return { supplyClass: model.classes[classIndex]?.supplyClass.id ?? '', profile }
}

const short = (demand: string, count: number): Unplaced => ({
  demand,
  count,
  kind: 'supply-short',
  because: `the GPUs that ${demand} fits on are used by other demand`,
})

function hopeless({ id, count, fits }: DemandClass, { classes }: LayoutProblem): Unplaced {
  const named = classes.filter((each) => fits.some((fit) => fit.supplyClass === each.id))
  const because =
    fits.length === 0
      ? `${id} names no profile that satisfies it`
      : named.every(({ supply }) => supply === 0)
        ? `there is no GPU of ${named.map((each) => each.id).join(', ')}`
        : `no GPU has ${[...new Set(fits.map(({ supplyClass, profile }) => `${profile} on ${supplyClass}`))].join(', ')}`
  return { demand: id, count, kind: 'fits-nowhere', because }
}

function totalsOf(model: LayoutModel, draft: DraftLayout): LayoutTotals {
  const used = model.classes.map((each, index) => ({ ...each, gpus: draft.gpus[index] ?? new Int32Array() }))
  const waiting = sum(model.hopeless.map(({ count }) => count))
  const placed = sum(draft.taken)
  const inUse = used.filter(({ gpus }) => sum(gpus) > 0)
  return {
    workloads: placed + sum(draft.open) + waiting,
    placed,
    gpus: sum(used.map(({ gpus }) => sum(gpus))),
    usdPerHour: inUse.some(({ supplyClass }) => supplyClass.price === undefined)
      ? undefined
      : sum(inUse.map(({ supplyClass, gpus }) => (supplyClass.price ?? 0) * sum(gpus))),
    strandedComputeSlices: sum(
      used.map(({ patterns, gpus }) => sum(patterns.map(({ stranded }, index) => stranded * (gpus[index] ?? 0)))),
    ),
    freeInstances: sum(draft.cut) - placed,
    unplacedGpus: openShare(model, draft),
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
