// `npm run eval`: asks the co-pilot what is known of drawn clusters, and fails where an answer is wrong. With `--model`
// the language model that SEPTET_COPILOT_URL names is asked instead, and how often it is right is told.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { ensureInstalled } from './parts/install.mjs'
import { node24, toolEnvironment } from './parts/node24.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('everything')
const file = process.argv.includes('--model') ? 'bench/copilot-model-eval.ts' : 'bench/copilot-eval.ts'
const run = spawnSync(node24(), ['--disable-warning=ExperimentalWarning', join(root, file), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: toolEnvironment(),
})
process.exit(run.status ?? 1)
