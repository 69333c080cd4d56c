import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import type { AgentStore, ClusterRecord, HistoryBatch, HistoryQuery, Instant } from '@septet/domain'
import { unpackPast, type AgentPast } from '@septet/plan-files'

export type AgentPastParts = {
  readonly record: ClusterRecord
  readonly agents: Pick<AgentStore, 'wish' | 'takePast'>
  readonly clock: () => Instant
}

/** How often it is looked for parts, and how long for the next one. */
const LOOK_MS = 500
const WITHIN_MS = 300_000

/** What the metrics engine of an agent knows: asked for through the store, and taken from there part by part. */
export async function* agentPast(query: HistoryQuery, parts: AgentPastParts): AsyncGenerator<HistoryBatch> {
  const { agents, record } = parts
  const { window, span, idle } = query
  const wish = { id: randomUUID(), window, span, idle }
  await agents.wish(record.id, wish)
  try {
    for await (const past of arriving(wish.id, query, parts)) {
      if (past.kind === 'failed') throw new Error(past.message)
      if (past.kind === 'end') return
      yield past.batch
    }
  } finally {
    await agents.wish(record.id, undefined)
  }
}

async function* arriving(
  wish: string,
  query: HistoryQuery,
  { agents, record, clock }: AgentPastParts,
): AsyncGenerator<AgentPast> {
  let heardAt = clock()
  while (query.signal?.aborted !== true) {
    const arrived = await agents.takePast(record.id, wish)
    for (const part of arrived) {
      const read = await unpackPast(part)
      if (read.kind === 'refused') throw new Error(`The agent of ${record.name} sent no past: ${read.because}.`)
      yield read.past
    }
    if (arrived.length > 0) heardAt = clock()
    else if (clock() - heardAt > WITHIN_MS) {
      throw new Error(`The agent of ${record.name} sent nothing of the past in ${WITHIN_MS / 60_000} minutes.`)
    } else await delay(LOOK_MS)
  }
}
