// `npm run eval`: asks the co-pilot what is known of drawn clusters, and fails where an answer is wrong.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { ensureInstalled } from './parts/install.mjs'
import { node24, toolEnvironment } from './parts/node24.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('everything')
const run = spawnSync(
  node24(),
  ['--disable-warning=ExperimentalWarning', join(root, 'bench/copilot-eval.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: toolEnvironment() },
)
process.exit(run.status ?? 1)
