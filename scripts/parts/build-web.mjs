import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { node24, toolEnvironment } from './node24.mjs'
import { root } from './root.mjs'

// The site shows the documentation and the receipts, so a changed page of theirs is a changed site.
const INPUTS = ['apps/web', 'packages/domain', 'packages/contract', 'docs', 'package-lock.json']
const SKIPPED = new Set(['node_modules', 'dist', '.tsbuild'])
const mark = join(root, 'apps/web/dist/.built-from')

/** Builds the web app when its sources have changed since the last build. */
export function ensureWebBuilt() {
  const wanted = fingerprint()
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  console.log('Building the site and the dashboard.')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const build = spawnSync(node24(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps/web'),
    stdio: 'inherit',
    env: toolEnvironment({ NODE_ENV: 'production' }),
  })
  if (build.status !== 0) {
    console.error('The site and the dashboard could not be built; the lines above say why.')
    process.exit(build.status ?? 1)
  }
  mkdirSync(join(mark, '..'), { recursive: true })
  writeFileSync(mark, wanted)
}

/** A hash over the content of every file that the build reads, and the address that it writes into pages. */
function fingerprint() {
  const hash = createHash('sha256').update(process.env.SEPTET_PUBLIC_URL ?? '')
  for (const input of INPUTS)
    for (const file of filesOf(input)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function filesOf(path) {
  if (path === 'package-lock.json') return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name) && !/\.(test|suite)\.tsx?$/u.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
    .toSorted()
}
