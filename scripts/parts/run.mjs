import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { toolEnvironment } from './node24.mjs'
import { root } from './root.mjs'

/** Runs one installed tool in the repository's root and gives its exit code and seconds. */
export function runTool(tool, args, environment = {}) {
  const started = performance.now()
  const result = spawnSync(join(root, 'node_modules/.bin', tool), args, {
    cwd: root,
    stdio: 'inherit',
    env: toolEnvironment(environment),
  })
  return { ok: result.status === 0, seconds: (performance.now() - started) / 1000 }
}
