// Plain JavaScript for whatever Node the machine has (20 or newer): it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './root.mjs'

/**
 * Installs what the lock file of a folder says, if it is not there yet.
 * @param {'production' | 'everything'} want `production` leaves development tools out.
 */
export function ensureInstalled(want, folder = root) {
  const missing = firstMissing(want, folder)
  if (missing === undefined) return
  const omit = want === 'production' ? ['--omit=dev'] : []
  console.log(`Installing packages (${missing}). This takes about a minute the first time.`)
  const [command, before] = npmCommand()
  const install = spawnSync(command, [...before, 'ci', ...omit, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: want === 'production' ? 'production' : 'development' },
  })
  if (install.status !== 0) {
    console.error(
      'npm could not install the packages. Nothing was started. Check the network and the lines above, then run the command again.',
    )
    process.exit(install.status ?? 1)
  }
}

/**
 * The npm that runs this, or the one that the machine finds: the program, and what stands before the arguments.
 * @returns {[string, string[]]}
 */
export function npmCommand() {
  const { npm_execpath: npmScript } = process.env
  return npmScript?.endsWith('.js') ? [process.execPath, [npmScript]] : ['npm', []]
}

/** Compares the lock file with what npm recorded after its last complete install; undefined when nothing is missing. */
function firstMissing(want, folder) {
  const installed = read(join(folder, 'node_modules', '.package-lock.json'))
  if (installed === undefined) return 'first run'
  const wanted = Object.entries(read(join(folder, 'package-lock.json')).packages)
  const missing = wanted.find(
    ([path, entry]) => isWanted(path, entry, want) && installed.packages[path]?.version !== entry.version,
  )
  return missing && `${missing[0].replace(/^.*node_modules\//u, '')} ${missing[1].version}`
}

/** Other platforms' packages are optional; links are the workspaces themselves. */
function isWanted(path, entry, want) {
  if (!path.includes('node_modules/') || entry.optional || entry.link) return false
  return want === 'everything' || !(entry.dev || entry.devOptional)
}

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)
