import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

import type { Log } from '@septet/domain'

import { keepOutput } from './run-to-end.ts'

/** How the supervised server is now. */
export type ServerState =
  | { readonly kind: 'running'; readonly pid: number }
  | { readonly kind: 'restarting'; readonly attempt: number; readonly detail: string }
  | { readonly kind: 'stopped' }

export type Supervised = {
  readonly state: () => ServerState
  /** Fast shutdown: sessions end, everything committed is on disk. Resolves when the server is gone. */
  readonly stop: () => Promise<void>
}

export type Server = {
  start(): ChildProcess
  /** Whether it answers; asked again and again while it starts. */
  answers(): Promise<boolean>
  /** What its last words mean, when it ended before it answered. */
  failure(output: string): Error
  log: Log
}

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 30_000
/** A server that lived this long is started again at once. */
const HEALTHY_MS = 60_000

/** Starts a server, waits until it answers and starts it again whenever it ends. Throws when the first start fails. */
export async function supervise(server: Server): Promise<Supervised> {
  let current = await startOnce(server)
  let state: ServerState = { kind: 'running', pid: current.pid }
  const stopping = new AbortController()

  const watch = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS
    for (let attempt = 1; ; attempt += 1) {
      const since = Date.now()
      const detail = await current.ended
      if (stopping.signal.aborted) return
      if (Date.now() - since > HEALTHY_MS) [attempt, pauseMs] = [1, FIRST_PAUSE_MS]
      state = { kind: 'restarting', attempt, detail }
      server.log.error('the database server ended by itself and is started again', { attempt, pauseMs, detail })
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      current = await startAgain(server, current)
      if (current.alive()) {
        state = { kind: 'running', pid: current.pid }
        server.log.info('the database server answers again', { attempt, pid: current.pid })
      }
    }
  }
  const watching = watch()

  return {
    state: () => state,
    stop: async () => {
      stopping.abort()
      await endGently(current)
      await watching
      // A start that was under way when `stop` was called.
      await endGently(current)
      state = { kind: 'stopped' }
    },
  }
}

type Running = {
  readonly pid: number
  /** Resolves with its last words. */
  readonly ended: Promise<string>
  alive(): boolean
  kill(signal: NodeJS.Signals): void
}

function track(child: ChildProcess): Running {
  const output = keepOutput(child)
  let alive = child.pid !== undefined
  const ended = new Promise<string>((resolve) => {
    const finish = (words: string) => {
      alive = false
      resolve(words)
    }
    child.once('error', (error) => finish(error.message))
    child.once('exit', (code, signal) => finish(`${output()}\n(${signal ?? `exit code ${code}`})`.trim()))
  })
  const endWithUs = () => child.kill('SIGINT')
  process.once('exit', endWithUs)
  void ended.then(() => process.off('exit', endWithUs))
  return { pid: child.pid ?? 0, ended, alive: () => alive, kill: (signal) => child.kill(signal) }
}

async function startOnce(server: Server): Promise<Running> {
  const running = track(server.start())
  if (await answersBeforeEnd(server, running)) return running
  throw server.failure(await running.ended)
}

/** The dead predecessor stands in for a start that failed, so that the loop waits longer and tries again. */
async function startAgain(server: Server, predecessor: Running): Promise<Running> {
  try {
    const running = track(server.start())
    await answersBeforeEnd(server, running)
    return running
  } catch (error) {
    server.log.error('the database server could not be started', { error: String(error) })
    return predecessor
  }
}

/** Recovery after a crash takes as long as it takes: waits while the process lives. */
async function answersBeforeEnd(server: Server, running: Running): Promise<boolean> {
  const since = Date.now()
  let told = since
  while (running.alive()) {
    if (await server.answers()) return true
    await delay(25)
    if (Date.now() - told < 10_000) continue
    told = Date.now()
    server.log.info('the database server is still starting', { seconds: Math.round((told - since) / 1000) })
  }
  return false
}

async function endGently(running: Running): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (!running.alive()) return
    running.kill(signal)
    await Promise.race([running.ended, delay(patienceMs, undefined, { ref: false })])
  }
}
