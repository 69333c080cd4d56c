import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { z } from 'zod'

import { childEnvironment } from './child-environment.ts'

const root = resolve(import.meta.dirname, '..')

/** With what `npm start` and the image run the server. */
export const RUN = z
  .object({ arguments: z.array(z.string()), environment: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'apps/server/run.json'), 'utf8')))

/** Quick to show what happens, and with little of the past: to read it is work for two processes. */
const PACE = {
  SEPTET_POLL_SECONDS: '1',
  SEPTET_STORE_SECONDS: '3',
  SEPTET_RECOMMEND_SECONDS: '10',
  SEPTET_HISTORY_DAYS: '1',
}

/** A Septet of a test's own: a real process with its own data directory and a free port. */
export type SeptetProcess = {
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  /** Everything it has written on standard error so far. */
  errors(): string
  /** Everything it has said to anyone who started it. */
  printed(): string
  /** Asks in order; resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export type SeptetOptions = {
  readonly dataDir?: string
  readonly environment?: Readonly<Record<string, string>>
  /** What is run: the server as it was built, its source, or the script behind `npm start`, which builds what is stale. */
  readonly entry?: typeof BUILT | typeof SOURCE | 'scripts/start.mjs'
  /** Another checkout, whose source is run; this one as it was built when left out. */
  readonly checkout?: string
}

const BUILT = 'apps/server/dist/main.mjs'
const SOURCE = 'apps/server/src/main.ts'

export const newDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'septet-e2e-'))
export const removeDataDir = (dataDir: string): Promise<void> => rm(dataDir, { recursive: true, force: true })

/** Starts Septet and waits for the line that names its address. Throws what it printed when it ends before. */
export async function startSeptet({ dataDir, ...options }: SeptetOptions = {}): Promise<SeptetProcess> {
  const folder = dataDir ?? (await newDataDir())
  const child = spawnSeptet(folder, options)
  const output = collect(child)
  const url = await addressOf(child, output)
  return {
    url,
    dataDir: folder,
    pid: child.pid ?? 0,
    errors: () => output.errors,
    printed: () => output.text,
    stop: async (signal = 'SIGTERM') => {
      const code = ended(child)
      child.kill(signal)
      return code
    },
  }
}

/** The address that may sign up where nothing else is set, and a password for it. */
const ACCOUNT = { email: 'admin@septet.local', password: 'a long enough password' }

/**
 * Signs in over HTTP, after a sign-up where there is no such account yet. Gives the header that proves it; it is good
 * for an hour, and until the Septet that made it ends.
 */
export async function signIn(
  septet: Pick<SeptetProcess, 'url'>,
  account: { readonly email: string; readonly password: string } = ACCOUNT,
): Promise<{ authorization: string }> {
  const post = (path: string): Promise<Response> =>
    fetch(`${septet.url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
  // One that is there already is not an error: the sign-in tells.
  await (await post('signup')).arrayBuffer()
  const answer = await post('token?grant_type=password')
  const text = await answer.text()
  if (!answer.ok) throw new Error(`could not sign in as ${account.email}: ${answer.status} ${text}`)
  return { authorization: `Bearer ${SignedInSchema.parse(JSON.parse(text)).access_token}` }
}

const SignedInSchema = z.object({ access_token: z.string() })

/** Starts Septet where it is expected to refuse; resolves with its exit code and what it said. */
export async function refusedSeptet(options: SeptetOptions): Promise<{ code: number | null; errors: string }> {
  const child = spawnSeptet(options.dataDir ?? (await newDataDir()), options)
  const output = collect(child)
  // Once it has closed what it writes to: when it exits its last words may still be on their way.
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, errors: output.errors }
}

function spawnSeptet(
  dataDir: string,
  { environment = {}, checkout, entry = checkout === undefined ? BUILT : SOURCE }: Omit<SeptetOptions, 'dataDir'>,
): ChildProcess {
  return spawn(process.execPath, [...RUN.arguments, resolve(checkout ?? root, entry)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...RUN.environment,
      ...childEnvironment(),
      SEPTET_PORT: '0',
      SEPTET_DATA_DIR: dataDir,
      ...PACE,
      ...environment,
    },
  })
}

function collect(child: ChildProcess): { text: string; errors: string } {
  const output = { text: '', errors: '' }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output.errors += chunk))
  return output
}

async function addressOf(child: ChildProcess, output: { text: string; errors: string }): Promise<string> {
  // Two minutes: what is stale is built first, and the machine may have much else to do.
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const address = /Septet is at (http:\S+)\/dashboard/u.exec(output.text)?.[1]
    if (address !== undefined) return address
    if (child.exitCode !== null || child.signalCode !== null) break
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error(`Septet did not start:\n${output.errors}${output.text}`)
}

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode === null && child.signalCode === null
    ? new Promise((done) => child.once('exit', (code) => done(code)))
    : Promise.resolve(child.exitCode)

/** Of the three minutes that a test and its hooks have. */
const EVENTUALLY_MS = 150_000

/**
 * Asks again until the answer is what is wanted, at least as long after an answer as it took: whoever waits must not be what
 * is waited for. Throws with the last answer while its caller has time left to say so.
 */
export async function eventually<Value>(ask: () => Promise<Value>, wanted: (value: Value) => boolean): Promise<Value> {
  let last: unknown
  const until = Date.now() + EVENTUALLY_MS
  while (Date.now() < until) {
    const asked = Date.now()
    try {
      const value = await ask()
      if (wanted(value)) return value
      last = value
    } catch (error) {
      last = error
    }
    await sleep(Math.max(200, Date.now() - asked))
  }
  throw new Error(
    `did not come true; last: ${last instanceof Error ? last.message : JSON.stringify(last)?.slice(0, 2000)}`,
  )
}
