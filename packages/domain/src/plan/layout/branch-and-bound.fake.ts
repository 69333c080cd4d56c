import { solveBySimplex } from '../linear/simplex.ts'
import type { LinearAnswer, LinearProgram, LinearRow, LinearSolver } from '../linear/linear-program.ts'

/** A plain branch and bound, good for the few variables of a test. */
export const branchAndBound: LinearSolver = {
  solve: (program) => Promise.resolve(search(program)),
  close: () => Promise.resolve(),
}

function search(program: LinearProgram): LinearAnswer {
  let best: LinearAnswer = { kind: 'infeasible' }
  let most = Infinity
  let nodes = 0
  visit([])
  return best

  function visit(rows: readonly LinearRow[]): void {
    nodes += 1
    if (nodes > 20_000) throw new Error('too large for a test')
    const answer = solveBySimplex({ ...program, whole: false, rows: [...program.rows, ...rows] })
    if (answer.kind !== 'optimal' || answer.cost >= most - 1e-7) return
    const fraction = answer.values.findIndex((value) => Math.abs(value - Math.round(value)) > 1e-6)
    if (fraction < 0) {
      best = { ...answer, values: answer.values.map(Math.round), bound: answer.cost, prices: undefined }
      most = answer.cost
      return
    }
    const below = Math.floor(answer.values[fraction] ?? 0)
    visit([...rows, { kind: 'at-most', bound: below, terms: [[fraction, 1]] }])
    visit([...rows, { kind: 'at-least', bound: below + 1, terms: [[fraction, 1]] }])
  }
}
