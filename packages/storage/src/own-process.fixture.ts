/**
 * Run by tests as a process of its own, to be killed. `open DIR`: starts the bundled database and waits.
 * `write DIR`: the same, and writes batches for ever. `write-to CONNECTION`: writes to a database that runs already.
 * `act-on CONNECTION`: takes the right to act there and writes down one write to the cluster after another.
 * One word a line on standard output: `ready`, `ack N`, or `error SENTENCE`.
 */
import { instant } from '@septet/domain'

import { actionRun, intention, minute, TO_APPLYING } from './action-run.fixture.ts'
import type { DatabaseConnection } from './connection.ts'
import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { openPostgresStore } from './postgres-store.ts'
import { NOW, usageRow } from './usage-row.fixture.ts'

export const ROWS_PER_BATCH = 300

/** Batch `n`: its own bucket, so that a bucket tells whether its batch is there wholly, in part or not at all. */
export const batch = (n: number) =>
  Array.from({ length: ROWS_PER_BATCH }, (_, index) =>
    usageRow({ at: instant(NOW + n * 300_000), partition: `GPU-${index}`, pod: `pod-${n % 7}-${index}` }),
  )

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const say = (line: string) => process.stdout.write(`${line.replaceAll('\n', ' ')}\n`)

async function main(mode: string, where: string): Promise<void> {
  if (mode === 'write-to') return writeForever(JSON.parse(where))
  if (mode === 'act-on') return actForever(JSON.parse(where))
  const postgres = await startEmbeddedPostgres({ dataDir: where, log: silent })
  say('ready')
  if (mode === 'write') await writeForever(postgres.connection)
  setInterval(() => undefined, 1000)
}

async function writeForever(connection: DatabaseConnection): Promise<void> {
  const store = await openPostgresStore({ connection, log: silent })
  for (let n = 0; ; n += 1) {
    await store.usage.write('c', batch(n))
    say(`ack ${n}`)
  }
}

export const ACTED_RUN = 'acted'

/** `ack N` after each of: a write is noted, what came of it is. */
async function actForever(connection: DatabaseConnection): Promise<void> {
  const { actions, leads } = await openPostgresStore({ connection, log: silent })
  await actions.propose(actionRun(ACTED_RUN))
  for (const each of TO_APPLYING) await actions.advance(ACTED_RUN, each)
  const fence = await leads.take('c', `process ${process.pid}`, -1)
  if (fence === undefined) throw new Error('another process acts already')
  say(`token ${fence.token}`)
  for (let n = 0; ; n += 2) {
    const intent = await actions.intend(intention(ACTED_RUN), fence)
    if (intent.kind !== 'recorded') throw new Error(intent.kind)
    say(`ack ${n}`)
    await actions.settle(ACTED_RUN, intent.number, { kind: 'done', at: minute(n), because: '' })
    say(`ack ${n + 1}`)
  }
}

if (process.argv[1] === import.meta.filename) {
  main(process.argv[2] ?? '', process.argv[3] ?? '').catch((error: unknown) => {
    say(`error ${String(error)}`)
    process.exit(1)
  })
}
