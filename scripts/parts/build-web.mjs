import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { ensureBuilt } from './ensure-built.mjs'
import { node24, toolEnvironment } from './node24.mjs'
import { root } from './root.mjs'

// The site shows the documentation and the receipts, so a changed page of theirs is a changed site.
const INPUTS = ['apps/web', 'packages/domain', 'packages/contract', 'docs', 'package-lock.json']

/** Builds the web app when its sources have changed since the last build. */
export const ensureWebBuilt = () =>
  ensureBuilt({ name: 'the site and the dashboard', dist: join(root, 'apps/web/dist'), inputs: INPUTS, build })

function build(folder) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(node24(), [vite, 'build', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'], {
    cwd: join(root, 'apps/web'),
    stdio: 'inherit',
    env: toolEnvironment({ NODE_ENV: 'production' }),
  })
  if (status !== 0) throw new Error('The lines above say why.')
}
