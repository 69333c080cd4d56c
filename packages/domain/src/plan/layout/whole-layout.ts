import { solveWhole } from '../linear/whole-numbers.ts'
import { countingProgram, type Goal } from './counting-program.ts'
import type { DraftLayout } from './draft-layout.ts'
import type { LayoutModel } from './layout-model.ts'
import { roundLayout } from './round-layout.ts'

/**
 * The counting model solved in whole numbers: everything placed, or where that cannot be as much as can be, at least cost.
 * Undefined where the search finds nothing in time.
 */
export function wholeLayout(model: LayoutModel): DraftLayout | undefined {
  const weights = model.classes.map(({ weight }) => weight)
  const all = solved(model, { weights, unplaced: 'none' })
  if (all !== undefined) return all.draft
  const least = solved(model, { weights, unplaced: 'least' })
  return least && (solved(model, { weights, unplaced: least.cost + 1e-9 }) ?? least).draft
}

function solved(model: LayoutModel, goal: Goal) {
  const counting = countingProgram(model, goal)
  const answer = solveWhole(counting.program)
  if (answer.kind !== 'found') return undefined
  return { cost: answer.cost, draft: roundLayout(model, { counting, values: answer.values, prices: [] }) }
}
