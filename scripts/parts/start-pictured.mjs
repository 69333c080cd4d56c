import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { chromium } from 'playwright-core'

import { builtServer, ensureServerBuilt } from './build-server.mjs'
import { ensureWebBuilt } from './build-web.mjs'
import { node24 } from './node24.mjs'
import { root } from './root.mjs'

/** A Septet to take pictures of, one of its own where no address is given, and a browser; both end with `close`, or by a signal. */
export async function openPictured({ url, chromium: executablePath = '/usr/bin/chromium' }) {
  const septet = url === undefined ? await startSeptet() : { url, stop: () => undefined }
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void Promise.resolve(septet.stop()).finally(() => process.exit(1)))
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath, args })
  const close = async () => {
    await browser.close()
    await septet.stop()
  }
  return { url: septet.url, browser, close }
}

/** With the demo cluster, on a free port and with a database that goes with it. */
async function startSeptet() {
  await ensureWebBuilt()
  await ensureServerBuilt()
  const data = mkdtempSync(join(tmpdir(), 'septet-screenshots-'))
  const server = spawn(node24(), [builtServer], {
    cwd: root,
    env: { ...process.env, SEPTET_PORT: '0', SEPTET_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  server.stdout.setEncoding('utf8').on('data', (part) => (said += part))
  for (let waited = 0; waited < 120_000; waited += 250) {
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(said)?.[0]
    if (url !== undefined) return { url, stop: () => stop(server, data) }
    if (server.exitCode !== null) break
    await sleep(250)
  }
  await stop(server, data)
  throw new Error('Septet did not start within two minutes')
}

async function stop(server, data) {
  const ended = server.exitCode === null ? new Promise((resolve) => server.once('exit', resolve)) : undefined
  server.kill('SIGTERM')
  await ended
  rmSync(data, { recursive: true, force: true })
}
