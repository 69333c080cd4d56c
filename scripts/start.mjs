// `npm start`: installs what is missing, builds what is stale, runs Septet.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { builtServer, ensureServerBuilt } from './parts/build-server.mjs'
import { ensureWebBuilt } from './parts/build-web.mjs'
import { ensureInstalled } from './parts/install.mjs'
import { node24 } from './parts/node24.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('production')
await ensureWebBuilt()
await ensureServerBuilt()
/**
 * As in the image. By itself V8 keeps a young generation eight times as large and lets the heap grow further, and glibc
 * takes large blocks from its own stores after the first of them was freed, and keeps these.
 */
const { arguments: how, environment } = JSON.parse(readFileSync(join(root, 'apps/server/run.json'), 'utf8'))
const server = spawn(node24(), [...how, builtServer, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  // What was compiled at one start is not compiled again at the next.
  env: { ...environment, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env },
})
// The terminal sends Ctrl-C to the whole group; the server stops in order and this script waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal === 'SIGINT' || server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
