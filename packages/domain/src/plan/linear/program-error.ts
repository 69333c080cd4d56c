import type { LinearProgram } from './linear-program.ts'

/** What is wrong with a program that no solver should be asked: figures that are none, or variables that do not exist. */
export function programError({ cost, upper, rows }: LinearProgram): string | undefined {
  if (upper.length !== cost.length) return `${cost.length} variables have costs and ${upper.length} have limits`
  const badCost = cost.findIndex((value) => !Number.isFinite(value))
  if (badCost >= 0) return `variable ${badCost} has no finite cost`
  const badLimit = upper.findIndex((value) => !(value >= 0))
  if (badLimit >= 0) return `variable ${badLimit} has a limit below 0, or none`
  for (const [index, { bound, terms }] of rows.entries()) {
    if (!Number.isFinite(bound)) return `row ${index} has no finite bound`
    for (const [variable, coefficient] of terms) {
      if (cost[variable] === undefined) return `row ${index} names variable ${variable}, which does not exist`
      if (!Number.isFinite(coefficient)) return `row ${index} has no finite coefficient for variable ${variable}`
    }
  }
  return undefined
}
