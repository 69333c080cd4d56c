import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Benchmark, Figure } from './benchmark.ts'
import { machineLoad } from './machine-load.ts'
import { quantile } from './quantile.ts'

const root = resolve(import.meta.dirname, '..')
const WARM_STARTS = 5
const BARE_STARTS = 9

/** From `npm start` to the first page with figures on it. */
export const benchmark: Benchmark = {
  name: 'start',
  description:
    'From `npm start` until GET /dashboard and GET /api/v1/summary answer 200: with a used data directory, with an empty one, and, with --input clone, from a fresh clone.',
  run: async ({ input }) => {
    const folder = await mkdtemp(join(tmpdir(), 'septet-start-'))
    try {
      const load = machineLoad()
      const bare = { name: 'node -e 0', figure: quantile(bareStarts(), 0.5) }
      const first = await start(root, join(folder, 'data'))
      const warm: number[] = []
      for (let run = 0; run < WARM_STARTS; run += 1) warm.push((await start(root, join(folder, 'data'))).page)
      const note = `${WARM_STARTS} starts`
      return [
        load,
        {
          name: 'warm start to first page, median',
          figure: quantile(warm, 0.5),
          unit: 's',
          baseline: bare,
          aim: '≤ 3 s',
        },
        { name: 'warm start to first page, slowest', figure: quantile(warm, 1), unit: 's', baseline: bare, note },
        { name: 'first start, empty data directory, to first page', figure: first.page, unit: 's', baseline: bare },
        ...(input === 'clone' ? [await startOfClone(folder)] : []),
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function bareStarts(): number[] {
  return Array.from({ length: BARE_STARTS }, () => {
    const started = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return (performance.now() - started) / 1000
  })
}

async function startOfClone(folder: string): Promise<Figure> {
  const clone = join(folder, 'clone')
  const started = performance.now()
  const cloned = spawnSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' })
  if (cloned.status !== 0) throw new Error('git could not clone the repository')
  const cloneSeconds = (performance.now() - started) / 1000
  const { page } = await start(clone, join(folder, 'clone-data'))
  return {
    name: 'git clone, install, build and start to first page',
    figure: cloneSeconds + page,
    unit: 's',
    note: 'packages come from the network or from npm’s cache',
  }
}

/** Starts, waits for the first page, stops. Seconds from the command to both answers. */
async function start(repository: string, dataDir: string): Promise<{ page: number }> {
  const started = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: repository,
    // A group of its own: npm, the script and the server are stopped together.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...withoutOurs(process.env), SEPTET_DATA_DIR: dataDir, SEPTET_PORT: '0' },
  })
  try {
    const url = await addressOf(child)
    await answers(`${url}/dashboard`)
    await answers(`${url}/api/v1/summary`)
    return { page: (performance.now() - started) / 1000 }
  } finally {
    await stopGroup(child)
  }
}

/** The environment without what npm and this run have put there. */
const withoutOurs = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(SEPTET_|NODE_ENV$|npm_)/u.test(name)))

const START_WITHIN_MS = 300_000

async function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve: found, reject } = Promise.withResolvers<string>()
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const address = /Septet is at (http:\S+)\/dashboard/u.exec(text)?.[1]
    if (address !== undefined) found(address)
  })
  child.once('exit', () => reject(new Error(`npm start ended:\n${text}`)))
  child.once('error', reject)
  const timer = setTimeout(() => reject(new Error(`npm start took too long:\n${text}`)), START_WITHIN_MS)
  return promise.finally(() => clearTimeout(timer))
}

async function answers(url: string): Promise<void> {
  const deadline = performance.now() + START_WITHIN_MS
  while (performance.now() < deadline) {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    if (answer.ok) return
    await sleep(10)
  }
  throw new Error(`${url} did not answer 200`)
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const { promise, resolve: ended } = Promise.withResolvers<void>()
  child.once('exit', () => ended())
  // As a terminal's Ctrl-C: every process of the group gets it once.
  process.kill(-child.pid, 'SIGINT')
  await promise
}
