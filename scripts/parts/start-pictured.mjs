import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { ensureWebBuilt } from './build-web.mjs'
import { node24 } from './node24.mjs'
import { root } from './root.mjs'

/** A Septet of its own with the demo cluster, on a free port and with a database that goes with it, to take pictures of. */
export async function startPictured() {
  ensureWebBuilt()
  const data = mkdtempSync(join(tmpdir(), 'septet-screenshots-'))
  const server = spawn(node24(), [join(root, 'apps/server/src/main.ts')], {
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
