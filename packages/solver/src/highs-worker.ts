import { errorText } from '@septet/domain/words'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'

import type Highs from 'highs'

import type { HighsOutcome, HighsQuestion, HighsReply, HighsStatus } from './highs-message.ts'

// The package's types describe its CommonJS form, whose default export is a field.
const { default: loadHighs }: typeof Highs = createRequire(import.meta.url)('highs')
// The solver blocks its thread until it is done, so it has a thread of its own.
const highs = await loadHighs()
const port = parentPort
const say = (reply: HighsReply): void => port?.postMessage(reply)

port?.on('message', (question: HighsQuestion) => {
  try {
    say({ kind: 'outcome', id: question.id, outcome: answer(question) })
  } catch (error) {
    say({ kind: 'failed', id: question.id, because: errorText(error) })
  }
})
say({ kind: 'ready' })

function answer(question: HighsQuestion): HighsOutcome {
  const outcome = solve(question, 'choose')
  // Presolve may stop at "one of the two"; without it the solver finds out which.
  return outcome.status === 'unbounded-or-infeasible' ? solve(question, 'off') : outcome
}

function solve(question: HighsQuestion, presolve: 'choose' | 'off'): HighsOutcome {
  const model = highs.createModel(modelOf(question))
  try {
    model.options.set({
      output_flag: false,
      presolve,
      time_limit: question.seconds,
      mip_rel_gap: question.gap,
      mip_abs_gap: 1e-9,
      random_seed: 0,
    })
    model.run({
      [highs.constants.callbackType.mipImprovingSolution]: ({ data }) => {
        if (data.mip_solution === undefined || data.mip_dual_bound === undefined) return
        say({ kind: 'incumbent', id: question.id, values: data.mip_solution, bound: data.mip_dual_bound })
      },
    })
    return outcomeOf(model, question.whole)
  } finally {
    model.dispose()
  }
}

type Model = ReturnType<typeof highs.createModel>

function outcomeOf(model: Model, whole: boolean): HighsOutcome {
  const status = statusOf(model.getModelStatus())
  const allowed = Number(model.info.get('primal_solution_status')) === highs.constants.solutionStatus.feasible
  const solution = allowed ? model.getSolution() : undefined
  return {
    status,
    values: solution?.colValue,
    prices: !whole && status === 'optimal' ? solution?.rowDual : undefined,
    bound: boundOf(model, whole, status),
  }
}

function boundOf(model: Model, whole: boolean, status: HighsStatus): number | undefined {
  // A linear program that was stopped has a dual value only sometimes, and nothing says when: then there is no bound.
  if (!whole) return status === 'optimal' ? model.getObjectiveValue() : undefined
  const bound = Number(model.info.get('mip_dual_bound'))
  return Number.isFinite(bound) && Math.abs(bound) < highs.infinity ? bound : undefined
}

function statusOf(code: number): HighsStatus {
  const { modelStatus } = highs.constants
  if (code === modelStatus.optimal) return 'optimal'
  if (code === modelStatus.infeasible) return 'infeasible'
  if (code === modelStatus.unbounded) return 'unbounded'
  if (code === modelStatus.unboundedOrInfeasible) return 'unbounded-or-infeasible'
  if (code === modelStatus.timeLimit) return 'time-limit'
  return code === modelStatus.solutionLimit || code === modelStatus.iterationLimit ? 'solution-limit' : 'not-trusted'
}

function modelOf(question: HighsQuestion) {
  const { cost, upper, rowLower, rowUpper, starts, indices, values } = question
  const integer = highs.constants.variableType.integer
  return {
    numCols: cost.length,
    numRows: rowLower.length,
    colCost: cost,
    colLower: new Float64Array(cost.length),
    colUpper: upper,
    rowLower,
    rowUpper,
    matrix: {
      format: 'csr' as const,
      numRows: rowLower.length,
      numCols: cost.length,
      starts,
      indices,
      values,
    },
    ...(question.whole ? { integrality: new Int32Array(cost.length).fill(integer) } : {}),
  }
}
