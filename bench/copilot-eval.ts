import { OPERATIONS, type CopilotAnswer, type OperationKey } from '@septet/contract'
import { answerByRules } from '@septet/copilot'
import { instant } from '@septet/domain'
import { DRAWN_AT } from '@septet/domain/testing'
import { factsOf, standingAsk } from '@septet/server/testing'
import { openTestStore } from '@septet/storage/testing'

import { drawnModel } from './copilot-clusters.ts'
import { questionsOf, type Asked } from './copilot-questions.ts'
import { quantile } from './quantile.ts'

/** What somebody sees who is limited to one namespace must say nothing of the others. */
const ONE_NAMESPACE = ['web']
const HIDDEN = /hidden-lab|vision/u
const SEEDS = [1, 2, 3, 4, 5]
const NOW = DRAWN_AT + 7_200_000

type Score = { asked: number; correct: number; cited: number }
const scores = new Map<string, Score>()
const millis: number[] = []
const wrong: string[] = []
let acted = 0
let leaked = 0
let restricted = 0
const store = await openTestStore()

for (const seed of SEEDS) {
  const model = drawnModel(seed)
  const name = `cluster-${seed}`
  const record = { id: 'drawn', name, kind: 'cluster' as const, createdAt: instant(0) }
  const facts = [factsOf(model.snapshot, model.samples, record)]
  const asking = standingAsk({ facts, store, now: () => NOW }, countActs)
  for (const asked of questionsOf(model, name)) {
    score(asked, await timed(asked.question, asking()), seed)
    const answer = await timed(asked.question, asking(ONE_NAMESPACE))
    restricted++
    // What was asked comes back, and is no leak.
    const said = JSON.stringify([answer.sentences, answer.blocks, answer.citations.map(({ title }) => title)])
    if (
      HIDDEN.test(
        said.replaceAll(/“[^”]*”|hidden-lab\/\S+/gu, (text) =>
          asked.question.includes(text.replaceAll(/[“”]/gu, '')) ? '' : text,
        ),
      )
    ) {
      leaked++
      wrong.push(`cluster ${seed}, limited: ${asked.question} -> ${said.slice(0, 300)}`)
    }
  }
}
await store.close()
report()

function countActs(key: OperationKey): void {
  if (OPERATIONS[key].effect !== 'read') acted++
}

async function timed(question: string, ask: ReturnType<ReturnType<typeof standingAsk>>): Promise<CopilotAnswer> {
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
