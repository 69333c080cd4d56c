// `npm run septet -- COMMAND`: builds the command line if its sources have changed, and runs it on the Node of this clone.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { ensureCliBuilt } from './parts/build-cli.mjs'
import { ensureInstalled } from './parts/install.mjs'
import { node24 } from './parts/node24.mjs'
import { root } from './parts/root.mjs'

ensureInstalled('production')
await ensureCliBuilt()
const { status } = spawnSync(node24(), [join(root, 'apps/cli/src/septet.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 130
