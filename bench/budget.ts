import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from '../test/imports.ts'
import { codeLines } from './code-lines.ts'

/** How many lines of code some folders may hold together, how many they should come to, and how many they hold now. */
export type BudgetRow = {
  readonly folders: readonly string[]
  readonly limit: number
  readonly aim: number
  readonly now: number
}

const FILE = join(root, 'budget.json')

export function budget(): readonly BudgetRow[] {
  const rows: readonly Omit<BudgetRow, 'now'>[] = JSON.parse(readFileSync(FILE, 'utf8'))
  return rows.map((row) => ({ ...row, now: codeLines(row.folders).code }))
}

/** Takes each limit down to what the folders hold now; none is ever raised, which is left to a person. */
export function lowerBudget(): void {
  const rows = budget().map(({ now, limit, ...row }) => ({
    folders: row.folders,
    limit: Math.min(limit, now),
    aim: row.aim,
  }))
  writeFileSync(FILE, `${JSON.stringify(rows, undefined, 2)}\n`)
}
