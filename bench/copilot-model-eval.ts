import { parseArgs } from 'node:util'

import { OPERATIONS, type CopilotAnswer } from '@septet/contract'
import type { Engine } from '@septet/copilot'
import { modelOfEnvironment } from '@septet/server/testing'
import { openTestStore } from '@septet/storage/testing'
import type { Ask } from '@septet/tools'

import { casesOf, leakIn, NOW, SEEDS } from './copilot-cases.ts'
import { saysTheFacts } from './copilot-score.ts'
import { quantile } from './quantile.ts'

// Asks the language model that SEPTET_COPILOT_URL names what the rules are asked, each question several times. Wrong
// answers are a figure of the model; what fails is a leak, a change, or that the model answered nothing at all.
const { values } = parseArgs({
  options: {
    model: { type: 'boolean' },
    runs: { type: 'string', default: '5' },
    clusters: { type: 'string', default: String(SEEDS.length) },
  },
})
const runs = Number(values.runs)
const store = await openTestStore()
const opened = modelOfEnvironment(process.env, store.settings)
if (opened === undefined) {
  console.error('No model to ask. Set SEPTET_COPILOT_URL and SEPTET_COPILOT_MODEL, then run it again.')
  process.exit(1)
}
const { name, engine } = opened

type Score = { questions: number; asked: number; correct: number; 'all correct': number; 'by the model': number }
const scores = new Map<string, Score>()
const millis: number[] = []
const because = new Map<string, number>()
const leaks: string[] = []
let acted = 0
let restricted = 0
let dropped = 0

for (const seed of SEEDS.slice(0, Number(values.clusters))) {
  const cases = casesOf(seed, store, (key) => (acted += OPERATIONS[key].effect === 'read' ? 0 : 1))
  for (const { asked, everything, oneNamespace } of cases) {
    const answers: CopilotAnswer[] = []
    for (let run = 0; run < runs; run++) answers.push(await timed(engine, asked.question, everything))
    const correct = answers.map((answer) => saysTheFacts(asked, answer))
    const own = scores.get(asked.family) ?? { questions: 0, asked: 0, correct: 0, 'all correct': 0, 'by the model': 0 }
    own.questions++
    own.asked += answers.length
    own.correct += correct.filter(Boolean).length
    own['all correct'] += correct.length > 0 && correct.every(Boolean) ? 1 : 0
    own['by the model'] += answers.filter((answer) => answer.engine.kind === 'model').length
    scores.set(asked.family, own)
    for (const answer of answers) count(answer)
    restricted++
    const leak = leakIn(asked.question, await timed(engine, asked.question, oneNamespace))
    if (leak !== undefined) leaks.push(`cluster ${seed}, limited: ${asked.question} -> ${leak}`)
  }
}
await store.close()
report()

async function timed(answer: Engine, question: string, ask: Ask): Promise<CopilotAnswer> {
  const started = performance.now()
  const answered = await answer({ question, cluster: 'drawn', after: undefined }, { ask, now: NOW, id: 'eval' })
  millis.push(performance.now() - started)
  return answered
}

function count({ engine: by, dropped: left }: CopilotAnswer): void {
  dropped += left
  if (by.because !== undefined) because.set(by.because, (because.get(by.because) ?? 0) + 1)
}

function report(): void {
  const sum = (key: keyof Score): number => [...scores.values()].reduce((all, score) => all + score[key], 0)
  console.table(Object.fromEntries([...scores].toSorted(([a], [b]) => a.localeCompare(b))))
  for (const [why, times] of because) console.log(`${times} times: ${why}`)
  for (const leak of leaks) console.log(leak)
  console.log(`${name}: ${sum('questions')} questions, each asked ${runs} times.`)
  console.log(
    `pass@1 ${share(sum('correct'), sum('asked'))}, all of ${runs} ${share(sum('all correct'), sum('questions'))}, answered by the model itself ${share(sum('by the model'), sum('asked'))}; the rest by rules. ${dropped} sentences left out.`,
  )
  console.log(
    `${restricted} asked by somebody limited to one namespace: ${leaks.length} leaks. Operations that change something: ${acted}.`,
  )
  console.log(
    `p50 ${(quantile(millis, 0.5) / 1000).toFixed(1)} s, p99 ${(quantile(millis, 0.99) / 1000).toFixed(1)} s.`,
  )
  if (sum('by the model') === 0) console.error('The model answered nothing itself: nothing was measured.')
  process.exit(sum('by the model') === 0 || leaks.length > 0 || acted > 0 ? 1 : 0)
}

function share(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)}%`
}
