import { solveBySimplex } from '../linear/simplex.ts'
import type { LinearAnswer } from '../linear/linear-program.ts'
import { CERTIFICATE_UNIT, type BoundCertificate, type InstancePrice } from './bound-certificate.ts'
import { countingProgram, type CountingProgram, type Goal } from './counting-program.ts'
import type { ClassModel, LayoutModel } from './layout-model.ts'
import type { Relaxed } from './round-layout.ts'
import { profileOf } from '../../gpu/board.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import { replaces } from './class-patterns.ts'
import { WHOLE_GPU } from '../../gpu/whole-gpu.ts'

/** Solves the counting model without asking for whole GPUs: what to round, and what bounds it. */
export function relaxLayout(model: LayoutModel): Relaxation {
  const weights = model.classes.map(({ weight }) => weight)
  const { counting, answer } = solveGoal(model, { weights, unplaced: 'none' })
  if (answer.kind === 'infeasible') return relaxShort(model, weights)
  if (answer.kind !== 'optimal') return withoutBound(answer)
  const prices = pricesOf(model, counting, answer)
  return {
    relaxed: { counting, values: answer.values, prices: prices.cells },
    certificates: (open) => [
      // Prices that assume that everything is placed hold for less if what stays open is worth its dearest price.
      makeCertificate(
        model,
        model.goal,
        open > 0
          ? { prices: { ...prices, unplaced: dearest(model, prices) }, allowed: open }
          : { prices, allowed: undefined },
      ),
    ],
    notes: [],
  }
}

/** The linear answer that is rounded, and the certificates for a plan that leaves so much unplaced. */
export type Relaxation = {
  readonly relaxed: Relaxed | undefined
  readonly certificates: (open: number) => readonly BoundCertificate[]
  readonly notes: readonly string[]
}

/** Not everything fits: first how little can be left, then the least cost with no more left than that. */
function relaxShort(model: LayoutModel, weights: readonly number[]): Relaxation {
  const first = solveGoal(model, { weights, unplaced: 'least' })
  if (first.answer.kind !== 'optimal') return withoutBound(first.answer)
  const least = first.answer.cost
  const placing = pricesOf(model, first.counting, first.answer)
  const second = solveGoal(model, { weights, unplaced: least * (1 + 1e-9) + 1e-9 })
  const unplaced = makeCertificate(model, 'unplaced', { prices: placing, allowed: undefined })
  if (second.answer.kind !== 'optimal') {
    const relaxed = { counting: first.counting, values: first.answer.values, prices: placing.cells }
    return { ...withoutBound(second.answer), relaxed, certificates: () => [unplaced] }
  }
  const { counting, answer } = second
  const prices = pricesOf(model, counting, answer)
  return {
    relaxed: { counting, values: answer.values, prices: prices.cells },
    certificates: (open) => [unplaced, makeCertificate(model, model.goal, { prices, allowed: open })],
    notes: [],
  }
}

/** The bound on the number of GPUs of plans that leave so much unplaced, where another goal was planned for. */
export function gpuCertificate(model: LayoutModel, open: number): readonly BoundCertificate[] {
  const weights = model.classes.map(() => 1)
  const { counting, answer } = solveGoal(model, { weights, unplaced: open > 0 ? open : 'none' })
  if (answer.kind !== 'optimal') return []
  const prices = pricesOf(model, counting, answer)
  return [makeCertificate(model, 'gpus', { prices, allowed: open > 0 ? open : undefined })]
}

function solveGoal(
  model: LayoutModel,
  goal: Goal,
): { readonly counting: CountingProgram; readonly answer: LinearAnswer } {
  const counting = countingProgram(model, goal)
  return { counting, answer: solveBySimplex(counting.program) }
}

type Optimal = Extract<LinearAnswer, { kind: 'optimal' }>

function pricesOf(model: LayoutModel, { shortfallRow }: CountingProgram, { prices }: Optimal): ModelPrices {
  return {
    cells: model.cells.map((_, cell) => prices[cell] ?? 0),
    unplaced: shortfallRow === undefined ? undefined : -(prices[shortfallRow] ?? 0),
  }
}

const dearest = (model: LayoutModel, { cells }: ModelPrices): number =>
  Math.max(
    0,
    ...model.groups.map(
      (group) => Math.min(...group.cells.map((cell) => cells[cell] ?? 0)) / Math.max(group.share, 1e-9),
    ),
  )

const withoutBound = (answer: LinearAnswer): Relaxation => ({
  relaxed: undefined,
  certificates: () => [],
  notes: [`No bound: the linear program was not solved (${'because' in answer ? answer.because : answer.kind}).`],
})

/** The prices of a linear answer, by cell, and what one GPU's worth unplaced counts. */
type ModelPrices = { readonly cells: readonly number[]; readonly unplaced: number | undefined }

/**
 * A certificate from a solver's prices, which may be a little wrong: rounded to units, lowered where a class with GPUs to
 * spare would have to pay rent, and extended to the larger profiles that the model left out.
 */
function makeCertificate(
  model: LayoutModel,
  of: BoundCertificate['of'],
  { prices, allowed }: { readonly prices: ModelPrices; readonly allowed: number | undefined },
): BoundCertificate {
  return {
    of,
    prices: model.classes.flatMap((each) => classPrices(model, each, { of, cells: prices.cells })),
    shortfall:
      allowed === undefined || prices.unplaced === undefined
        ? undefined
        : {
            allowed: Math.ceil(allowed * CERTIFICATE_UNIT),
            price: Math.max(0, Math.floor(prices.unplaced * CERTIFICATE_UNIT)),
          },
  }
}

type Source = { readonly of: BoundCertificate['of']; readonly cells: readonly number[] }

function classPrices(model: LayoutModel, each: ClassModel, { of, cells }: Source): readonly InstancePrice[] {
  const cost = of === 'unplaced' ? 0 : of === 'gpus' ? 1 : each.weight
  const raw = each.cells.map((cell) => Math.max(0, cells[cell] ?? 0))
  const most = Math.max(0, ...each.patterns.map(({ counts }) => worth(counts, raw)))
  const hasRent = most > cost * (1 + 1e-7) + 1e-12
  const units = raw.map((price) => (hasRent ? Math.round : floorNearly)(price * CERTIFICATE_UNIT))
  const limit = Math.floor(cost * CERTIFICATE_UNIT)
  const reached = Math.max(0, ...each.patterns.map(({ counts }) => worth(counts, units)))
  // Without rent, rounding must not make one: over thousands of GPUs it would add up.
  const factor = hasRent || reached <= limit ? 1 : limit / reached
  const fitted = factor === 1 ? units : units.map((unit) => Math.floor(unit * factor))
  return extended(
    each,
    new Map(each.cells.map((cell, rank) => [model.cells[cell]?.profile ?? WHOLE_GPU, fitted[rank] ?? 0])),
  )
}

const floorNearly = (units: number): number => Math.floor(units + 1e-3)

const worth = (counts: readonly number[], prices: readonly number[]): number =>
  counts.reduce((sum, count, rank) => sum + count * (prices[rank] ?? 0), 0)

/** A larger instance is worth what it could be cut into, at least; the check asks for the price of every accepted fit. */
function extended({ supplyClass }: ClassModel, known: ReadonlyMap<ProfileName, number>): readonly InstancePrice[] {
  const { id, board } = supplyClass
  const rows = board?.profiles ?? []
  const prices = rows.map((row): InstancePrice => {
    const inside = [...known].filter(([name]) => {
      const small = board === undefined ? undefined : profileOf(board, name)
      return board !== undefined && small !== undefined && (small === row || replaces(board, small, row))
    })
    return { supplyClass: id, profile: row.name, units: Math.max(0, ...inside.map(([, units]) => units)) }
  })
  const whole = Math.max(0, known.get(WHOLE_GPU) ?? 0, ...prices.map(({ units }) => units))
  return [...prices, { supplyClass: id, profile: WHOLE_GPU, units: whole }].filter(({ units }) => units > 0)
}
