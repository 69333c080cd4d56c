import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import type { Benchmark, Figure } from './benchmark.ts'
import { lowerBudget } from './budget.ts'
import { figureText } from './figure-text.ts'
import { writeFigures } from './figures/write-figures.ts'
import { machine, today } from './machine.ts'
import { codeDigest } from './receipt-code.ts'

const folder = import.meta.dirname
const NOT_BENCHMARKS = new Set(['run', 'benchmark', 'budget', 'receipt-code'])

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    input: { type: 'string' },
    minutes: { type: 'string' },
    json: { type: 'boolean' },
    receipt: { type: 'boolean' },
    figures: { type: 'boolean' },
    'lower-budget': { type: 'boolean' },
  },
})
if (values.figures) {
  writeFigures()
  process.exit(0)
}
if (values['lower-budget']) {
  lowerBudget()
  process.exit(0)
}
const known = await benchmarks()
const wanted =
  positionals.length === 0
    ? known.filter(({ onDemand }) => onDemand !== true)
    : known.filter(({ name }) => positionals.includes(name))
const unknown = positionals.filter((name) => !known.some((benchmark) => benchmark.name === name))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${known.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}
for (const benchmark of wanted) await runOne(benchmark)
// Servers that a benchmark started may leave sockets behind that would keep the process open.
process.exit(0)

async function benchmarks(): Promise<Benchmark[]> {
  const found: Benchmark[] = []
  for (const file of readdirSync(folder).toSorted()) {
    const name = file.replace(/\.ts$/u, '')
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || NOT_BENCHMARKS.has(name)) continue
    const module: { benchmark?: Benchmark } = await import(join(folder, file))
    if (module.benchmark !== undefined) found.push(module.benchmark)
  }
  return found
}

async function runOne(benchmark: Benchmark): Promise<void> {
  if (!values.json) console.log(`\n${benchmark.name}: ${benchmark.description}`)
  const minutes = values.minutes === undefined ? {} : { minutes: Number(values.minutes) }
  const figures = await benchmark.run({ input: values.input, ...minutes })
  if (values.json)
    for (const figure of figures) console.log(JSON.stringify({ benchmark: benchmark.name, ...withRatio(figure) }))
  else console.table(figures.map(row))
  if (values.receipt) writeReceipt(benchmark, figures)
}

function withRatio(figure: Figure): Figure & { ratio?: number } {
  return figure.baseline === undefined ? figure : { ...figure, ratio: figure.figure / figure.baseline.figure }
}

function row(figure: Figure): Record<string, string | number> {
  return {
    figure: figure.name,
    value: `${figureText(figure.figure)} ${figure.unit}`,
    baseline: figure.baseline === undefined ? '' : `${figure.baseline.name}: ${figureText(figure.baseline.figure)}`,
    ratio: figure.baseline === undefined ? '' : figureText(figure.figure / figure.baseline.figure),
    aim: figure.aim ?? '',
    note: figure.note ?? '',
  }
}

/** A receipt is a measured result with what is needed to run it again; the page of figures follows it. */
function writeReceipt(benchmark: Benchmark, figures: readonly Figure[]): void {
  const receipts = join(folder, '../docs/receipts')
  mkdirSync(receipts, { recursive: true })
  const receipt = {
    name: benchmark.name,
    description: benchmark.description,
    command: `npm run bench -- ${benchmark.name} --receipt`,
    date: today(),
    machine: machine(),
    code: codeDigest([benchmark.name]),
    figures: figures.map(withRatio),
  }
  writeFileSync(join(receipts, `${benchmark.name}.json`), `${JSON.stringify(receipt, undefined, 2)}\n`)
  writeFigures()
}
