import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { toolEnvironment } from './node24.mjs'
import { root } from './root.mjs'

/** Runs one installed tool in the repository's root and gives whether it passed. */
export function runTool(tool, args, environment = {}) {
  const result = spawnSync(program(tool), args, { cwd: root, stdio: 'inherit', env: toolEnvironment(environment) })
  return { ok: result.status === 0 }
}

/** The same beside others: gives what it printed, and the seconds it took, once it has ended. */
export const runToolBeside = (tool, args) => runBeside(program(tool), args)

/** Any program in the repository's root, beside others. */
export function runBeside(command, args) {
  const started = performance.now()
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: toolEnvironment() })
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text) => (printed += text))
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => done({ ok: code === 0, printed, seconds: (performance.now() - started) / 1000 }))
  })
}

const program = (tool) => join(root, 'node_modules/.bin', tool)
