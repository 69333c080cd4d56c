import { errorText } from '@septet/domain/words'
import type { Fence, Log } from '@septet/domain'
import { Client, Pool, type PoolClient, type PoolConfig, type QueryResultRow } from 'pg'

import { Silence } from './silence.ts'
import { StoreError, errorCode } from './store-error.ts'
import { translateError } from './translate-error.ts'

/** How to reach one database; `host` may be the folder of a Unix socket. */
export type DatabaseConnection = {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export type DatabaseOptions = ({ readonly connection: DatabaseConnection } | { readonly url: string }) & {
  readonly log: Log
  /** Whether an answer may take as long as it needs, as all rows of a table do. */
  readonly patient?: boolean
  /** Whether it has one connection, for which questions wait their turn: so 50 clusters fit PostgreSQL's usual 100. */
  readonly single?: boolean
  /** Under which lead everything is written: nothing any more once that is another server's. */
  readonly lead?: Fence | undefined
}

/** Asks one question; rows come as objects of the named shape. */
export type Query = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/** One database behind a pool that connects again by itself. Everything here throws only `StoreError`. */
export type Database = {
  readonly pool: Pool
  /** Names the database to people, without its password. */
  readonly place: string
  readonly query: Query
  /** All or nothing. Done again when PostgreSQL ended it in favor of another (deadlock, serialization). */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
  /** Runs work of another library on the pool under the same translation of errors. */
  guard<Result>(work: () => Promise<Result>): Promise<Result>
  /** A connection beside the pool, not open yet, whose questions are to be answered in so many milliseconds. */
  beside(answeredWithinMs: number): Client
  close(): Promise<void>
}

const TRIES = 4

/** Opens the pool; connects only when asked something. */
export function openDatabase(options: DatabaseOptions): Database {
  const config = poolConfig(options)
  const place = placeOf(options)
  const pool = new Pool(config)
  // An unheard 'error' of a connection ends a Node process: of idle ones the pool tells, of borrowed ones the client.
  pool.on('error', (error) => options.log.warn('a database connection was lost', { place, error: error.message }))
  pool.on('connect', (client) => client.on('error', () => undefined))

  const beside = (answeredWithinMs: number): Client =>
    new Client({ ...config, query_timeout: answeredWithinMs, connectionTimeoutMillis: answeredWithinMs })
  const silence = new Silence({ ping: () => ping(beside(PING_MS)), now: () => performance.now(), watch: watchForTime })
  let hasAnswered = false
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      // What is patient may lock out everybody else for as long as it takes.
      const result = await (options.patient === true ? work() : silence.during(work))
      hasAnswered = true
      return result
    } catch (error) {
      throw translateError(error, { place, isOwn: 'connection' in options, hasAnswered })
    }
  }
  return {
    pool,
    place,
    guard,
    query: (text, values) => guard(() => ask(pool, text, values)),
    transaction: (work) => guard(() => again(() => inTransaction(pool, work))),
    beside,
    close: () => guard(() => pool.end()),
  }
}

const PING_MS = 2000

/** A pipeline of 100,000 GPUs works for seconds at a time, and answers wait as long as that. */
function watchForTime(): () => boolean {
  const since = performance.eventLoopUtilization()
  return () => performance.eventLoopUtilization(since).utilization < 0.5
}

/** Whether there is an answer at all. */
async function ping(client: Client): Promise<void> {
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    // A database that stands still does not say goodbye either.
    client.end().catch(() => undefined)
  }
}

function poolConfig(options: DatabaseOptions): PoolConfig {
  const common = {
    // The pool takes waiting for a turn for connecting, and behind the first rows of 100,000 GPUs that takes minutes. A
    // pipeline asks every few seconds: it keeps its connection, for to sign in again takes turns of a thread that may be
    // busy for longer than PostgreSQL waits.
    ...(options.single === true
      ? { max: 1, connectionTimeoutMillis: 600_000, idleTimeoutMillis: 0 }
      : { max: 8, connectionTimeoutMillis: 5000, idleTimeoutMillis: 30_000 }),
    query_timeout: options.patient === true ? 0 : 120_000,
    keepAlive: true,
    application_name: 'septet',
    ...(options.lead === undefined ? {} : writingUnder(options.lead)),
  }
  return 'url' in options ? { ...common, connectionString: options.url } : { ...common, ...options.connection }
}

/** What is paused while it writes gives way after this, or another server would wait for it, milliseconds. */
const PAUSED_MS = 8000

/** Told to each connection before it is used; a trigger of every table looks at it (migration 0026). */
const writingUnder = ({ cluster, token }: Fence): PoolConfig => ({
  verify: (client, done) =>
    client.query(
      `select set_config('septet.lead', $1, false), set_config('septet.token', $2, false),
         set_config('idle_in_transaction_session_timeout', $3, false)`,
      [cluster, String(token), String(PAUSED_MS)],
      done,
    ),
})

function placeOf(options: DatabaseOptions): string {
  if ('connection' in options) {
    const { host, port, database } = options.connection
    return host.startsWith('/') ? `${database} (Septet's own)` : `${host}:${port}/${database}`
  }
  if (!/^postgres(ql)?:\/\//.test(options.url) || !URL.canParse(options.url)) {
    throw new StoreError(
      'unusable',
      'DATABASE_URL is no PostgreSQL address, so Septet did not start. ' +
        'Write it as postgresql://user:password@host:5432/database, or leave it empty to use the bundled database.',
    )
  }
  const { host, pathname } = new URL(options.url)
  return `${host}${pathname}`
}

async function ask<Row extends QueryResultRow>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await on.query<Row>(text, [...values])
  return rows
}

async function inTransaction<Result>(pool: Pool, work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work((text, values) => ask(client, text, values))
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await abandon(client, error)
    throw error
  }
}

/** Gives the connection back only when it is known to be clean; else closes it, which ends the transaction too. */
async function abandon(client: PoolClient, error: unknown): Promise<void> {
  if (/timeout/i.test(errorText(error))) return client.release(true)
  try {
    await client.query('rollback')
    client.release()
  } catch {
    client.release(true)
  }
}

async function again<Result>(work: () => Promise<Result>, tries = TRIES): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (tries > 1 && ['40P01', '40001'].includes(errorCode(error))) return again(work, tries - 1)
    throw error
  }
}
