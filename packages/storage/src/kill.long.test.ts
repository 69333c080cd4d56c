import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

import { instant, type Store } from '@septet/domain'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
import { ACTED_RUN, batch, ROWS_PER_BATCH } from './own-process.fixture.ts'
import { makeTemplate, type Template } from './own-template.fixture.ts'
import { openPostgresStore } from './postgres-store.ts'
import { StoreError } from './store-error.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const PROGRAM = join(import.meta.dirname, 'own-process.fixture.ts')

let template: Template
let dataDir: string
const children: ChildProcess[] = []
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'septet-kill-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 })
})

/** Starts the program and gives its lines as they come. */
function start(...args: string[]): { child: ChildProcess; lines: string[]; until(line: RegExp): Promise<string> } {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const until = async (wanted: RegExp): Promise<string> => {
    for (;;) {
      const found = lines.find((line) => wanted.test(line))
      if (found !== undefined) return found
      if (child.exitCode !== null) throw new Error(`it ended before ${wanted}: ${lines.join(' / ')}`)
      await delay(5)
    }
  }
  return { child, lines, until }
}

const kill = async (child: ChildProcess) => {
  const gone = once(child, 'close')
  child.kill('SIGKILL')
  await gone
}

/** The processes that one has started; Linux only. */
const descendantsOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const acknowledged = (lines: readonly string[]) => lines.filter((line) => line.startsWith('ack ')).length

/** How many rows of each batch are there, by its number. */
async function stored(store: Store): Promise<Map<number, number>> {
  const window = { from: instant(0), to: instant(Date.UTC(2200, 0)) }
  const totals = await store.usage.totals({ cluster: 'c', span: '5m', window, by: ['at'] })
  const [first] = batch(0)
  return new Map(totals.map(({ key, rows }) => [(Number(key.at) - (first?.at ?? 0)) / 300_000, rows]))
}

/**
 * What is wrong with what is stored: every acknowledged batch must be there in full; of the others at most one, and
 * that in full too.
 */
async function missing(store: Store, acknowledgedBatches: number): Promise<string[]> {
  const found = await stored(store)
  const lost = Array.from({ length: acknowledgedBatches }, (_, n) => n).filter((n) => !found.has(n))
  const torn = [...found].filter(([, rows]) => rows !== ROWS_PER_BATCH)
  const extra = found.size > acknowledgedBatches + 1 ? [`${found.size - acknowledgedBatches} too many`] : []
  return [...lost.map((n) => `batch ${n} is lost`), ...torn.map(([n, rows]) => `batch ${n} has ${rows} rows`), ...extra]
}

/** PostgreSQL reads every page with its checksum, and the index has what the table has. */
async function isSound(connection: EmbeddedPostgres['connection']): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client(connection)
  await client.connect()
  try {
    const indexed = await client.query(
      'select count(*)::int as rows from usage_5m where cluster > 0 and at > to_timestamp(0)',
    )
    await client.query('set enable_indexscan = off')
    await client.query('set enable_indexonlyscan = off')
    await client.query('set enable_bitmapscan = off')
    const read = await client.query('select count(*)::int as rows, sum(share) from usage_5m')
    expect(read.rows[0]?.rows).toBe(indexed.rows[0]?.rows)
  } finally {
    await client.end()
  }
}

describe('what was acknowledged is there', { timeout: 120_000 }, () => {
  test('after the writing process was killed, three times', async () => {
    template.copyTo(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    let most = 0
    for (const wanted of [3, 11, 20]) {
      const writer = start('write-to', JSON.stringify(postgres.connection))
      await writer.until(new RegExp(`^ack ${wanted}$`))
      await kill(writer.child)
      // Its last transaction may still be on its way in the server.
      await delay(200)
      most = Math.max(most, acknowledged(writer.lines))
      expect(await missing(store, most)).toEqual([])
    }
    await isSound(postgres.connection)
    await store.close()
    await postgres.stop()
  })

  test('of what an actor meant to write and wrote, after it was killed; the next one goes on under a higher token', async () => {
    template.copyTo(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    let before = 0
    for (const [index, wanted] of [4, 9, 16].entries()) {
      const actor = start('act-on', JSON.stringify(postgres.connection))
      await actor.until(new RegExp(`^ack ${wanted}$`))
      await kill(actor.child)
      expect(actor.lines).toContain(`token ${index + 1}`)
      const writes = await store.actions.writes(ACTED_RUN)
      const settled = writes.filter(({ outcome }) => outcome !== undefined)
      const acks = acknowledged(actor.lines)
      expect(writes.length - before).toBeGreaterThanOrEqual(Math.ceil(acks / 2))
      expect(settled.length).toBeGreaterThanOrEqual(writes.length - 1 - index)
      expect(writes.map(({ number }) => number)).toEqual(writes.map((_, at) => at + 1))
      before = writes.length
    }
    expect((await store.actions.get(ACTED_RUN))?.transitions).toHaveLength(5)
    await store.close()
    await postgres.stop()
  })

  test('after Septet was killed together with its supervision: the next one takes over lock and server', async () => {
    template.copyTo(dataDir)
    let most = 0
    for (const wanted of [3, 12]) {
      const septet = start('write', dataDir)
      await septet.until(new RegExp(`^ack ${wanted}$`))
      await kill(septet.child)
      most = Math.max(most, acknowledged(septet.lines))
    }
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    expect(await missing(store, most)).toEqual([])
    await isSound(postgres.connection)
    await store.close()
    await postgres.stop()
  })

  test('while the database server stands still: questions fail within seconds, and are answered when it goes on', async () => {
    template.copyTo(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    await store.usage.write('c', batch(0))
    const state = postgres.state()
    if (state.kind !== 'running') throw new Error('it is not running')
    const all = [state.pid, ...descendantsOf(state.pid)]
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    try {
      const written = [1, 2, 3].map((n) => store.usage.write('c', batch(n)))
      for (const outcome of await Promise.allSettled(written)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unreachable' } })
      }
      await expect(store.ping()).rejects.toMatchObject({ code: 'unreachable' })
    } finally {
      for (const pid of all) process.kill(pid, 'SIGCONT')
    }
    await expect.poll(() => store.ping().then(() => 'answers', String), { timeout: 30_000 }).toBe('answers')
    await store.usage.write('c', batch(4))
    const found = await stored(store)
    expect([found.has(0), found.has(4)]).toEqual([true, true])
    expect([...found.values()].every((rows) => rows === ROWS_PER_BATCH)).toBe(true)
    await store.close()
    await postgres.stop()
  })

  test('after the database server was killed under load: the open store goes on, no batch is half there', async () => {
    template.copyTo(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    const done: number[] = []
    const failures: unknown[] = []
    const killed = new Set<number>()
    let nextKill = 10
    /** The first write that began on the server that came after the last kill. */
    let lastBegin = Infinity
    // However long a slow machine takes to start the server again, it is killed three times and written to after that.
    for (let n = 0; n < 45 || (done.at(-1) ?? 0) < lastBegin; n += 1) {
      const state = postgres.state()
      if (state.kind === 'running' && !killed.has(state.pid)) {
        if (killed.size === 3) lastBegin = Math.min(lastBegin, n)
        else if (n >= nextKill) {
          nextKill = n + 15
          killed.add(state.pid)
          setTimeout(() => process.kill(state.pid, 'SIGKILL'), 3)
        }
      }
      await store.usage.write('c', batch(n)).then(
        () => done.push(n),
        async (error: unknown) => {
          failures.push(error)
          await delay(100)
        },
      )
    }
    expect(killed.size).toBe(3)
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toBeInstanceOf(StoreError)
    expect(failures).toContainEqual(expect.objectContaining({ code: 'unreachable' }))
    const found = await stored(store)
    expect(done.filter((n) => !found.has(n))).toEqual([])
    expect([...found.values()].every((rows) => rows === ROWS_PER_BATCH)).toBe(true)
    await isSound(postgres.connection)
    await store.close()
    await postgres.stop()
  })

  test('a kill while the database is being made leaves nothing in the way', async () => {
    for (const afterMs of [250, 600]) {
      const septet = start('open', dataDir)
      await Promise.race([delay(afterMs), septet.until(/ready/)])
      await kill(septet.child)
    }
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
    const store = await openPostgresStore({ connection: postgres.connection, log: silent })
    await expect(store.ping()).resolves.toBeUndefined()
    await store.close()
    await postgres.stop()
    const again = await startEmbeddedPostgres({ dataDir, log: silent })
    await again.stop()
    expect(readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('unfinished-'))).toEqual([])
  })
})
