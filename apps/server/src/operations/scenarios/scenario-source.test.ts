import {
  HOUR_MS,
  addReading,
  openBucket,
  rowsOf,
  instant,
  seconds,
  SPAN_SECONDS,
  type ClusterSnapshot,
  type ScenarioOutcome,
  type ScenarioSource,
  type Span,
  type Store,
} from '@septet/domain'
import { DRAWN_AT, draw } from '@septet/domain/testing'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { factsOf } from '../answering/facts.fixture.ts'
import { runScenarioHere } from './scenario-service.ts'
import { scenarioSource } from './scenario-source.ts'

const MINUTES = 300_000

/** Long work on all of one node and half of the other; beside it a pod of 20 minutes after the other, on one GPU. */
const clusterAt = (at: number): ClusterSnapshot => draw`
  a  A100-SXM4-80GB  [lab/large]
  a  A100-SXM4-80GB  [lab/large]
  b  A100-SXM4-80GB  [lab/a-small]
  b  A100-SXM4-80GB  [lab/short-${Math.floor(at / (4 * MINUTES))}]
  c  A100-SXM4-80GB  [lab/b-small]
  c  A100-SXM4-80GB  [-]`

async function record(store: Store, span: Span, { from, to }: { readonly from: number; readonly to: number }) {
  for (let start = from; start < to; start += SPAN_SECONDS[span] * 1000) {
    const bucket = openBucket(instant(start), span)
    const end = Math.min(to, start + SPAN_SECONDS[span] * 1000)
    for (let at = start; at < end; at += MINUTES) {
      addReading(bucket, { at: instant(at), interval: seconds(300), snapshot: clusterAt(at), samples: [] })
    }
    await store.usage.write('drawn', rowsOf(bucket, instant(end)))
  }
}

async function outcomeOf(source: ScenarioSource): Promise<ScenarioOutcome> {
  const scenario = { from: 'week', changes: [], boards: 'same', sizes: 'held' } as const
  const { outcomes } = await runScenarioHere({ source, scenario }, () => undefined).answer
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error('the scenario has no outcome')
  return outcome
}

test('a replay says the same a quarter of an hour later, and nobody waits who had not waited in reality', async () => {
  const store = await openTestStore()
  const facts = factsOf(clusterAt(DRAWN_AT), [])
  const began = DRAWN_AT + 200 * HOUR_MS
  await record(store, '1h', { from: DRAWN_AT, to: began })
  const seen: ScenarioOutcome[] = []
  let to = began
  for (const minutes of [35, 50, 65]) {
    await record(store, '5m', { from: to, to: began + minutes * 60_000 })
    to = began + minutes * 60_000
    const source = await scenarioSource(facts, store, 'week')
    expect([source.from % HOUR_MS, source.to % HOUR_MS, source.to - source.from]).toEqual([0, 0, 168 * HOUR_MS])
    seen.push(await outcomeOf(source))
  }
  for (const outcome of seen) {
    expect(outcome).toMatchObject({ impossible: 0, waitP95: 0, needed: seen[0]?.needed })
    expect(outcome.queuedMean).toBeCloseTo(0, 1)
    expect(outcome.usedMean).toBeCloseTo(5, 0)
  }
})
