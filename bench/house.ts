import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { circlesOf, fileGraph, folderCircles } from '../test/circles.ts'
import { root } from '../test/imports.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { budget, type BudgetRow } from './budget.ts'
import { codeFiles, codeLines } from './code-lines.ts'

/** What the house weighs: its code, its tests, and how they hang together. */
export const benchmark: Benchmark = {
  name: 'house',
  description: 'The size and shape of the code, in lines without blanks and comments.',
  onDemand: true,
  run: () => Promise.resolve([...lineFigures(), ...circleFigures(), publicNames(), filesOfAField()]),
}

const EVERYTHING = ['packages', 'apps', 'bench', 'scripts', 'test']

function lineFigures(): Figure[] {
  const all = codeLines(EVERYTHING)
  const domain = codeLines(['packages/domain'])
  const web = codeLines(['apps/web'])
  return [
    { name: 'lines of code, without tests', figure: all.code, unit: 'lines', aim: '≤ 117,000' },
    ...budget().map(budgetFigure),
    { name: 'lines of tests for a line of code, domain', figure: domain.tests / domain.code, unit: '', aim: '≥ 0.65' },
    { name: 'lines of tests for a line of code, web', figure: web.tests / web.code, unit: '', aim: '≥ 0.3' },
    { name: 'lines of tests for a line of code, all', figure: all.tests / all.code, unit: '', aim: '≥ 0.5' },
  ]
}

function budgetFigure({ folders, now, limit, aim }: BudgetRow): Figure {
  const named = folders.filter((folder) => !folder.endsWith('.ts')).map((folder) => folder.replace('/src', ''))
  return {
    name: `lines of code, ${named.join(' and ')}`,
    figure: now,
    unit: 'lines',
    aim: `≤ ${aim.toLocaleString('en-US')}`,
    note: `budget.json allows ${limit.toLocaleString('en-US')}`,
  }
}

function circleFigures(): Figure[] {
  const files = fileGraph()
  return [
    { name: 'circles between files, types too', figure: circlesOf(files).length, unit: '', aim: '0' },
    { name: 'circles between folders', figure: folderCircles(files).length, unit: '', aim: '0' },
  ]
}

function publicNames(): Figure {
  const index = readFileSync(join(root, 'packages/domain/src/index.ts'), 'utf8')
  const lists = [...index.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/gu)].map(([, names = '']) => names)
  const names = lists.flatMap((list) => list.split(',').filter((name) => name.trim() !== ''))
  return { name: 'public names of @septet/domain', figure: names.length, unit: '', note: 'each is used elsewhere' }
}

/** The newest field, memory temperature, from the exporter to the card of a GPU. */
function filesOfAField(): Figure {
  const field = /memory.?temp/iu
  const files = ['packages', 'apps'].flatMap(codeFiles).filter((file) => !/\.test\.|simulator/u.test(file))
  const named = files.filter((file) => field.test(readFileSync(join(root, file), 'utf8')))
  return {
    name: 'files that name a new telemetry field',
    figure: named.length,
    unit: 'files',
    aim: '≤ 4',
    note: named.map((file) => file.split('/').at(-1)).join(', '),
  }
}
