import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { node24 } from '../../scripts/parts/node24.mjs'

/** A whole month is over by then, and it is in the past: certificates made at this time are valid already. */
export const FROZEN = Date.UTC(2026, 10, 4, 10, 7, 30)
const TICK_MS = 65_000
/** Fewer read the past sooner: `SEPTET_ANSWERS_DAYS=8`. */
const DAYS = process.env.SEPTET_ANSWERS_DAYS ?? 35
/** Rows are rolled up once a minute. */
const ROLL_UP_MS = 65_000

/**
 * A Septet of the given checkout on the demo cluster for which it is always the same instant: two of one seed hold the
 * same. It is left to itself until it has read the past and its answers no longer change.
 */
export async function startFrozen({ checkout, seed }) {
  const folder = mkdtempSync(join(tmpdir(), 'septet-answers-'))
  const later = join(folder, 'later')
  const frozen = freeze(folder, 'septet.cjs', later)
  // The demo cluster stands still for good: what is read of it is the same before and after the tick.
  freeze(folder, 'demo.cjs')
  const env = {
    ...process.env,
    SEPTET_PORT: '0',
    SEPTET_DATA_DIR: join(folder, 'data'),
    SEPTET_DEMO_SEED: seed,
    SEPTET_HISTORY_DAYS: String(DAYS),
    SEPTET_POLL_SECONDS: '2',
    SEPTET_STORE_SECONDS: '3',
    SEPTET_RECOMMEND_SECONDS: '5',
    SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local,*@example.com',
    XDG_CONFIG_HOME: join(folder, 'config'),
    NODE_OPTIONS: `--disable-warning=ExperimentalWarning --require ${frozen}`,
  }
  const launch = async (recommendSeconds) => {
    rmSync(later, { force: true })
    const main = join(checkout, 'apps/server/src/main.ts')
    const server = spawn(node24(), [main], {
      cwd: folder,
      env: { ...env, SEPTET_RECOMMEND_SECONDS: recommendSeconds },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const stop = async () => {
      const ended = server.exitCode === null ? new Promise((resolve) => server.once('exit', resolve)) : undefined
      server.kill('SIGTERM')
      await ended
    }
    const url = await addressOf(server)
    await settled(url, seed)
    return { url, stop }
  }
  // Time that stands still makes no cache old: what was answered before the last hour was rolled up is forgotten so.
  const first = await launch('3600')
  await sleep(ROLL_UP_MS)
  await first.stop()
  const { url, stop } = await launch('5')
  writeFileSync(later, '')
  await settled(url, seed)
  const kubeconfig = join(folder, 'data/demo.kubeconfig')
  const demo = /127\.0\.0\.1:\d+/u.exec(readFileSync(kubeconfig, 'utf8'))[0]
  const prometheus = `http://${demo}/prometheus`
  return {
    url,
    folder,
    env,
    kubeconfig,
    prometheus,
    settled: () => settled(url, seed),
    stop: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The file that stops the clock of a Node process. The demo cluster, started with a clean environment, meets it too. */
function freeze(folder, name, later) {
  const [file, node] = [join(folder, name), join(folder, 'node')]
  writeFileSync(
    file,
    `const Real = Date
const { existsSync } = require('node:fs')
const isLater = ${JSON.stringify(later ?? '')}
let now = ${FROZEN}
const look = () => { if (isLater && now === ${FROZEN} && existsSync(isLater)) now += ${TICK_MS}; return now }
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length === 0 ? super(look()) : super(...given) }
  static now() { return look() }
}
process.execPath = ${JSON.stringify(node)}
`,
  )
  writeFileSync(node, `#!/bin/sh\nexec ${node24()} --require ${file} "$@"\n`)
  chmodSync(node, 0o755)
  return file
}

async function addressOf(server) {
  let said = ''
  server.stdout.setEncoding('utf8').on('data', (part) => (said += part))
  for (let waited = 0; waited < 120_000 && server.exitCode === null; waited += 250) {
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0]
    if (url !== undefined) return url
    await sleep(250)
  }
  throw new Error('Septet did not start within two minutes')
}

/** Not what a Septet whose time stands still would go on answering from a cache: what waits is asked for once it rests. */
const WATCHED = ['summary', 'recommendations', 'cost', 'cost/months', 'quality', 'alerts', 'workloads']

async function settled(url, seed) {
  let [before, since] = ['', 0]
  for (let waited = 0; waited < 400_000; waited += 2000) {
    await sleep(2000)
    let isReady = true
    const read = async (path) => {
      const answer = await fetch(`${url}/api/v1/${path}`)
      isReady &&= answer.ok
      return answer.text()
    }
    const clusters = await read('clusters')
    const answers = await Promise.all(
      WATCHED.map((path) => read(`${path}?cluster=${seed === '7' ? 'demo' : `demo-small-${seed}`}`)),
    )
    const now = [clusters, ...answers].join('\n')
    ;[before, since] = now === before ? [before, since] : [now, waited]
    if (!isReady) since = waited
    if (!clusters.includes('"history":{') && waited - since >= 12_000) return
  }
  throw new Error('the answers of this Septet do not come to rest')
}
