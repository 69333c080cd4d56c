// `npm start`: installs what is missing, builds what is stale, runs Septet.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { ensureWebBuilt } from './parts/build-web.mjs'
import { ensureInstalled } from './parts/install.mjs'
import { node24 } from './parts/node24.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('production')
ensureWebBuilt()
const server = spawn(
  node24(),
  [
    '--disable-warning=ExperimentalWarning',
    // V8's own choice is twice that on a large machine, and it keeps what it once had.
    '--max-semi-space-size=16',
    join(root, 'apps/server/src/main.ts'),
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      NODE_ENV: 'production',
      // What was compiled at one start is not compiled again at the next.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      // By itself glibc takes large blocks from its own stores after the first of them was freed, and keeps these.
      MALLOC_MMAP_THRESHOLD_: '131072',
      MALLOC_ARENA_MAX: '2',
      ...process.env,
    },
  },
)
// The terminal sends Ctrl-C to the whole group; the server stops in order and this script waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal === 'SIGINT' || server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
