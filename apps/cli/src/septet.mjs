#!/usr/bin/env node
// The command line of a clone. What was built starts in a fraction of the time, also on Node 20.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = new URL('../dist/septet.mjs', import.meta.url)
if (existsSync(built)) await import(built.href)
else if (process.features.typescript) await import('./launch.mjs')
else {
  const { node24 } = await import('../../../scripts/parts/node24.mjs')
  const source = fileURLToPath(new URL('launch.mjs', import.meta.url))
  const { status } = spawnSync(node24(), [source, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
