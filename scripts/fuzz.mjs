// `npm run fuzz -- [PARSER...] [--seconds 30] [--from NUMBER]`: sends changed inputs to each reader of what others send.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { ensureInstalled } from './parts/install.mjs'
import { node24, toolEnvironment } from './parts/node24.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('everything')
const run = spawnSync(
  node24(),
  ['--disable-warning=ExperimentalWarning', join(root, 'test/fuzz/run.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: toolEnvironment() },
)
process.exit(run.status ?? 1)
