import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { node24, toolEnvironment } from './node24.mjs'
import { root } from './root.mjs'

// The site shows the documentation and the receipts, so a changed page of theirs is a changed site.
const INPUTS = ['apps/web', 'packages/domain', 'packages/contract', 'docs', 'package-lock.json']
const dist = join(root, 'apps/web/dist')
const mark = join(dist, '.built-from')

/** Builds the web app when its sources have changed since the last build. */
export function ensureWebBuilt() {
  const wanted = fingerprint()
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  console.log('Building the site and the dashboard.')
  // Built beside the one that may be served right now, and put in its place when it is whole.
  const fresh = `${dist}-${process.pid}`
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const build = spawnSync(node24(), [vite, 'build', '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir'], {
    cwd: join(root, 'apps/web'),
    stdio: 'inherit',
    env: toolEnvironment({ NODE_ENV: 'production' }),
  })
  if (build.status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    console.error('The site and the dashboard could not be built; the lines above say why.')
    process.exit(build.status ?? 1)
  }
  writeFileSync(join(fresh, '.built-from'), wanted)
  const old = `${fresh}-old`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
}

/** Whether the build reads it: not what it writes itself, here or in another process, and not what was installed. */
const isInput = (name) => name !== 'node_modules' && name !== '.tsbuild' && !/^dist(-\d|$)/u.test(name)

/** A hash over the content of every file that the build reads. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const input of INPUTS)
    for (const file of filesOf(input)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function filesOf(path) {
  if (path === 'package-lock.json') return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => isInput(entry.name) && !/\.(test|contract|fixture|fake)\.tsx?$/u.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
    .toSorted()
}
