import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readFile } from 'node:fs/promises'

import type { Log } from '@septet/domain'
import { z } from 'zod'
import {
  demoFaultsList,
  type InputOf,
  type OutputOf,
  type demoFaultsAdd,
  invalidInput,
  notReady,
} from '@septet/contract'

import type { Config } from '../config.ts'
import type { DemoFaults } from '../operations/settings/settings-answers.ts'

const ReadySchema = z.object({
  ready: z.literal(true),
  apiUrl: z.string(),
  kubeconfigPath: z.string(),
  actorKubeconfigPath: z.string().optional(),
  faultsUrl: z.string().optional(),
  exporterTargetsUrl: z.string(),
  prometheusUrl: z.string(),
})
export type DemoAddresses = z.output<typeof ReadySchema>

export type DemoProcess = { readonly addresses: DemoAddresses; stop(): Promise<void> }

/** Of 100,000 GPUs most of a minute goes by on a quiet machine before the first answer. */
const START_SECONDS = { small: 60, large: 60, huge: 300 }
const RESTART_AFTER_MS = 1000
const WITHOUT = 'Set SEPTET_DEMO=off to run without it.'

/**
 * The demo cluster as a process of its own, reached over loopback like any cluster. It is started again on the same
 * port when it dies, so that connectors find it where it was.
 */
export async function startDemoProcess(config: Config, log: Log): Promise<DemoProcess> {
  let stopping = false
  let child: ChildProcess | undefined
  const launch = async (port: number): Promise<DemoAddresses> => {
    child = spawnDemo(config, port)
    const addresses = await readyLine(child, START_SECONDS[config.demo?.scale ?? 'small'])
    child.once('exit', (code, signal) => {
      if (stopping) return
      log.error('demo cluster stopped, starting it again', { code, signal })
      setTimeout(() => void relaunch(), RESTART_AFTER_MS)
    })
    return addresses
  }
  const addresses = await launch(0)
  const relaunch = async (): Promise<void> => {
    try {
      if (!stopping) await launch(Number(new URL(addresses.apiUrl).port))
    } catch (error) {
      log.error('demo cluster did not start again', { error: String(error) })
      setTimeout(() => void relaunch(), RESTART_AFTER_MS * 10)
    }
  }
  return {
    addresses,
    stop: async () => {
      stopping = true
      if (child !== undefined) await stopped(child)
    },
  }
}

const CODE = new URL('demo-main.ts', import.meta.url)
/** As the server's own: a heap that grows less is collected more often, at little cost. */
const HEAP = ['--max-semi-space-size=16', '--heap-growing-percent=70']
const compileCache = (folder: string | undefined) => (folder === undefined ? {} : { NODE_COMPILE_CACHE: folder })

function spawnDemo(config: Config, port: number): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...HEAP, fileURLToPath(CODE)], {
    // Its standard input is a pipe from us: when this process dies in any way, the demo sees its end and stops.
    stdio: ['pipe', 'pipe', 'pipe'],
    // In a group of its own: Ctrl-C in a terminal is for us, and we stop the demo in order.
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...compileCache(process.env['NODE_COMPILE_CACHE']),
      SEPTET_DATA_DIR: config.dataDir,
      SEPTET_DEMO_SCALE: config.demo?.scale ?? 'small',
      SEPTET_DEMO_SEED: String(config.demo?.seed ?? 0),
      SEPTET_DEMO_SPEED: String(config.demo?.speed ?? 1),
      SEPTET_DEMO_PORT: String(port),
    },
  })
}

async function readyLine(child: ChildProcess, seconds: number): Promise<DemoAddresses> {
  const { promise, resolve, reject } = Promise.withResolvers<DemoAddresses>()
  const timer = setTimeout(
    () =>
      reject(
        new Error(`The demo cluster did not become ready in ${seconds} seconds, so Septet did not start. ${WITHOUT}`),
      ),
    seconds * 1000,
  )
  // What it says while it starts is the reason that is given where it fails, and not a line of its own beside others.
  let said = ''
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const end = text.indexOf('\n')
    if (end < 0) return
    const parsed = ReadySchema.safeParse(jsonOf(text.slice(0, end)))
    if (parsed.success) {
      process.stderr.write(said)
      resolve(parsed.data)
    }
    text = text.slice(end + 1)
  })
  const keep = (chunk: string): void => void (said += chunk)
  child.stderr?.setEncoding('utf8').on('data', keep)
  child.once('close', (code) => {
    const why = said.trim() || `The demo cluster stopped while starting (exit code ${code ?? 'none'}).`
    reject(new Error(`${why} Septet did not start. ${WITHOUT}`))
  })
  child.once('error', reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.stderr?.off('data', keep).pipe(process.stderr, { end: false })
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 3000)
  await promise
  clearTimeout(force)
}

type List = OutputOf<typeof demoFaultsList>

/** What goes wrong in the demo cluster on demand, over its own address. */
export function openDemoFaults(
  { faultsUrl, actorKubeconfigPath }: DemoAddresses,
  isWatched: () => boolean,
): DemoFaults | undefined {
  if (faultsUrl === undefined || actorKubeconfigPath === undefined) return undefined
  const ask = async (method: string, path = '', body?: unknown): Promise<unknown> => {
    if (!isWatched()) {
      throw notReady(
        'Another Septet server watches its own demo cluster now, not this one’s.',
        'Ask again, so that the other server is asked.',
      )
    }
    // The demo writes its kubeconfig again each time it starts.
    const token = /token: (\S+)/u.exec(await readFile(actorKubeconfigPath, 'utf8'))?.[1] ?? ''
    const answer = await fetch(`${faultsUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const said: unknown = await answer.json()
    if (answer.ok) return said
    throw invalidInput(
      `The demo cluster refused that: ${messageOf(said)}`,
      'The list of faults shows what each one accepts.',
    )
  }
  const list = async (): Promise<List> => demoFaultsList.output.parse(await ask('GET'))
  return {
    list,
    add: async (fault: InputOf<typeof demoFaultsAdd>) => {
      await ask('POST', '', fault)
      return list()
    },
    remove: async (id: string) => {
      await ask('DELETE', `/${encodeURIComponent(id)}`)
      return list()
    },
  }
}

const messageOf = (said: unknown): string =>
  typeof said === 'object' && said !== null && 'message' in said ? String(said.message) : 'it gave no reason.'
