// `npm run bench -- NAME [--input DIR] [--json] [--receipt]`: one benchmark, or all of them when no name is given.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { ensureServerBuilt } from './parts/build-server.mjs'
import { ensureWebBuilt } from './parts/build-web.mjs'
import { ensureInstalled } from './parts/install.mjs'
import { node24, toolEnvironment } from './parts/node24.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('everything')
await ensureWebBuilt()
await ensureServerBuilt()
const run = spawnSync(
  node24(),
  ['--expose-gc', '--disable-warning=ExperimentalWarning', join(root, 'bench/run.ts'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: toolEnvironment(),
  },
)
process.exit(run.status ?? 1)
