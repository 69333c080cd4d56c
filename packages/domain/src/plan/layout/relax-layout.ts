import { solveBySimplex } from '../linear/simplex.ts'
import type { LinearAnswer } from '../linear/linear-program.ts'
import type { BoundCertificate } from './bound-certificate.ts'
import { countingProgram, type CountingProgram, type Goal } from './counting-program.ts'
import type { LayoutModel } from './layout-model.ts'
import { makeCertificate, type ModelPrices } from './make-certificate.ts'
import type { Relaxed } from './round-layout.ts'

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
