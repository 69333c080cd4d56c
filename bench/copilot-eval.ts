import { OPERATIONS, type CopilotAnswer } from '@septet/contract'
import { answerByRules } from '@septet/copilot'
import { openTestStore } from '@septet/storage/testing'
import type { Ask } from '@septet/tools'

import { casesOf, leakIn, NOW, SEEDS } from './copilot-cases.ts'
import type { Asked } from './copilot-questions.ts'
import { STRANGERS, strangersScore } from './copilot-strangers.ts'
import { quantile } from './quantile.ts'

type Score = { asked: number; correct: number; cited: number }
const scores = new Map<string, Score>()
const millis: number[] = []
const wrong: string[] = []
let acted = 0
let leaked = 0
let restricted = 0
const store = await openTestStore()

for (const seed of SEEDS) {
  const cases = casesOf(seed, store, (key) => (acted += OPERATIONS[key].effect === 'read' ? 0 : 1))
  for (const { asked, everything, oneNamespace } of cases) {
    score(asked, await timed(asked.question, everything), seed)
    const leak = leakIn(asked.question, await timed(asked.question, oneNamespace))
    restricted++
    if (leak === undefined) continue
    leaked++
    wrong.push(`cluster ${seed}, limited: ${asked.question} -> ${leak}`)
  }
}
await askStrangers()
await store.close()
report()

/** Told, not judged: no set of words is ever complete. */
async function askStrangers(): Promise<void> {
  const [seed] = SEEDS
  const [first] =
    seed === undefined ? [] : casesOf(seed, store, (key) => (acted += OPERATIONS[key].effect === 'read' ? 0 : 1))
  if (first === undefined) throw new Error('no cluster was drawn')
  for (const file of STRANGERS) {
    const { understood, answerable, invented, unanswerable, refused, orders, missed } = await strangersScore(
      file,
      (question) => timed(question, first.everything),
    )
    if (process.argv.includes('--missed')) for (const line of missed) console.log(`${file}: ${line}`)
    console.log(
      `Strangers, ${file}: ${understood} of ${answerable} understood, ${invented} of ${unanswerable} without an answer answered, ${refused} of ${orders} orders not followed.`,
    )
  }
}

async function timed(question: string, ask: Ask): Promise<CopilotAnswer> {
  const started = performance.now()
  const answer = await answerByRules({ question, cluster: 'drawn', after: undefined }, { ask, now: NOW, id: 'eval' })
  millis.push(performance.now() - started)
  return answer
}

function score(asked: Asked, answer: CopilotAnswer, seed: number): void {
  const own = scores.get(asked.family) ?? { asked: 0, correct: 0, cited: 0 }
  scores.set(asked.family, own)
  own.asked++
  const isCited = asked.verdict !== 'answered' || answer.sentences.every(({ cites }) => cites.length > 0)
  if (isCited) own.cited++
  if (isCorrect(asked, answer)) own.correct++
  else
    wrong.push(
      `cluster ${seed}: ${asked.question} -> ${answer.verdict}: ${answer.sentences
        .map(({ text }) => text)
        .join(' ')
        .slice(0, 300)} (wanted ${JSON.stringify(asked.says ?? asked.row ?? asked.verdict)})`,
    )
}

function isCorrect({ verdict, says = [], row }: Asked, answer: CopilotAnswer): boolean {
  const text = answer.sentences.map((one) => one.text).join(' ')
  const rows = answer.blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []))
  const hasRow = row === undefined || rows.some(({ cells }) => cells[0] === row[0] && cells.includes(row[1]))
  return answer.verdict === verdict && hasRow && says.every((part) => text.includes(part))
}

function report(): void {
  const asked = [...scores.values()].reduce((sum, one) => sum + one.asked, 0)
  const correct = [...scores.values()].reduce((sum, one) => sum + one.correct, 0)
  const cited = [...scores.values()].reduce((sum, one) => sum + one.cited, 0)
  console.table(Object.fromEntries([...scores].toSorted(([a], [b]) => a.localeCompare(b))))
  for (const line of wrong) console.log(line)
  console.log(`${asked} questions over ${SEEDS.length} clusters: ${correct} correct, ${cited} cited.`)
  console.log(
    `${restricted} asked by somebody limited to one namespace: ${leaked} leaks. Operations that change something: ${acted}.`,
  )
  console.log(`p50 ${quantile(millis, 0.5).toFixed(1)} ms, p99 ${quantile(millis, 0.99).toFixed(1)} ms (aim: 300 ms).`)
  process.exit(asked === 0 || correct < asked || cited < asked || leaked > 0 || acted > 0 ? 1 : 0)
}
