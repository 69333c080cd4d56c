import { setTimeout as sleep } from 'node:timers/promises'

import { COPILOT_STREAM_PATH, copilotAsk, type CopilotAnswer } from '@septet/contract'
import { openScriptedModel } from '@septet/server/testing'

import { newDataDir, removeDataDir, signIn, startSeptet } from '../test/server-process.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { LARGE_DEMO, LARGE_DEMO_CLUSTER as CLUSTER } from './large-demo.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'

const ROUNDS = 3
const READY_WITHIN_MS = 300_000
/** Of those that the co-pilot names itself: the others need the name of something. */
const OVERVIEW = 'What can you answer?'

const STREAMED = 50
/** What the scripted model says after it has asked for a figure; a sentence without one has nothing to be checked. */
const SPOKEN = 'Here is how the fleet is used right now. '

/** How long whoever asks the co-pilot waits: for an answer by rules, and for the words of a model. */
export const benchmark: Benchmark = {
  name: 'copilot-speed',
  description: `Every kind of question the rules answer, ${ROUNDS} times each, and ${STREAMED} answered by a scripted model, on a Septet that also watches a demo cluster of 1,250 nodes and 10,000 GPUs. For comparison: an operation that asks nothing of the cluster.`,
  onDemand: true,
  run: async () => {
    const load = machineLoad()
    return [load, ...(await rulesOnLargeFleet()), ...(await modelOnLargeFleet())]
  },
}

type Header = Readonly<Record<string, string>>
type Server = { readonly url: string; readonly headers: Header }

async function withSeptet<Result>(
  environment: Readonly<Record<string, string>>,
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const dataDir = await newDataDir()
  const septet = await startSeptet({ dataDir, environment })
  try {
    const { authorization } = await signIn(septet)
    return await use({ url: septet.url, headers: { authorization, 'content-type': 'application/json' } })
  } finally {
    await septet.stop()
    await removeDataDir(dataDir)
  }
}

async function rulesOnLargeFleet(): Promise<Figure[]> {
  return withSeptet({ ...LARGE_DEMO, SEPTET_HISTORY_DAYS: '8' }, async (server) => {
    await fleetRead(server)
    const questions = questionsIn(await ask(server, OVERVIEW))
    const times = new Map<string, number[]>()
    const baseline: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const question of questions) {
        const began = performance.now()
        await ask(server, question)
        times.set(question, [...(times.get(question) ?? []), performance.now() - began])
        baseline.push(await timed(() => fetch(`${server.url}/api/v1/me`, { headers: server.headers })))
      }
    }
    const all = [...times.values()].flat()
    const [slowest] = [...times].toSorted(([, a], [, b]) => quantile(b, 0.5) - quantile(a, 0.5))
    const beside = { name: 'who am I, p99', figure: quantile(baseline, 0.99) }
    const [question = '', some = []] = slowest ?? []
    return [
      figure('answers by rules, p99', quantile(all, 0.99), {
        baseline: beside,
        aim: '≤ 300 ms',
        note: `${all.length} answers to ${questions.length} questions; p50 ${quantile(all, 0.5).toFixed(1)} ms`,
      }),
      figure('slowest question, p50', quantile(some, 0.5), { baseline: beside, aim: '≤ 300 ms', note: question }),
    ]
  })
}

/** From when a model says its first sentence until whoever asked has it, through every check. */
async function modelOnLargeFleet(): Promise<Figure[]> {
  const model = await openScriptedModel()
  const environment = {
    SEPTET_COPILOT_URL: model.url,
    SEPTET_COPILOT_MODEL: 'scripted',
    SEPTET_COPILOT_KEY: 'none',
    SEPTET_COPILOT_MASK: 'off',
  }
  try {
    return await withSeptet({ ...LARGE_DEMO, SEPTET_HISTORY_DAYS: '8', ...environment }, async (server) => {
      await fleetRead(server)
      const times: number[] = []
      for (let round = 0; round < STREAMED; round += 1) {
        // A person may ask twice a second.
        await sleep(600)
        let said = 0
        model.play({ call: [{ name: 'fleet_summary', args: JSON.stringify({ cluster: CLUSTER }) }] }, () => {
          said = performance.now()
          return { say: [SPOKEN] }
        })
        times.push((await firstSentenceAt(server)) - said)
      }
      return [
        figure('first sentence after the model said it, p99', quantile(times, 0.99), {
          aim: '≤ 100 ms',
          note: `${times.length} answers, p50 ${quantile(times, 0.5).toFixed(1)} ms; the call of a tool before it is not counted`,
        }),
      ]
    })
  } finally {
    await model.close()
  }
}

/** When the first sentence of a streamed answer arrived. Throws what came instead. */
async function firstSentenceAt({ url, headers }: Server): Promise<number> {
  const body = JSON.stringify({ question: 'Tell me how busy we are, in your own words.', cluster: CLUSTER })
  const response = await fetch(`${url}${COPILOT_STREAM_PATH}`, { method: 'POST', headers, body })
  let [text, at] = ['', 0]
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (at === 0 && text.includes('event: sentence')) at = performance.now()
  }
  if (at === 0) throw new Error(`No sentence came: ${response.status} ${text.slice(0, 300)}`)
  return at
}

async function ask({ url, headers }: Server, question: string): Promise<CopilotAnswer> {
  const answer = await fetch(`${url}${copilotAsk.path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ question, cluster: CLUSTER }),
  })
  if (!answer.ok) throw new Error(`${question} ${answer.status} ${await answer.text()}`)
  return copilotAsk.output.parse(await answer.json())
}

/** Resolves when the fleet was read, so that there is something to answer. */
async function fleetRead(server: Server): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < READY_WITHIN_MS) {
    const summary = await fetch(`${server.url}/api/v1/summary?cluster=${CLUSTER}`, { headers: server.headers })
    await summary.arrayBuffer()
    if (summary.ok) return
    await sleep(1000)
  }
  throw new Error('The fleet was not read in time.')
}

const questionsIn = ({ blocks }: CopilotAnswer): string[] =>
  blocks
    .flatMap((block) => (block.kind === 'table' ? block.rows : []))
    .flatMap(({ cells: [, question = ''] }) => (question === '' || question.includes('{') ? [] : [question]))

async function timed(work: () => Promise<Response>): Promise<number> {
  const began = performance.now()
  await (await work()).arrayBuffer()
  return performance.now() - began
}

const figure = (name: string, milliseconds: number, more: Omit<Figure, 'name' | 'figure' | 'unit'>): Figure => ({
  name,
  figure: milliseconds,
  unit: 'ms',
  ...more,
})
