import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Builds what `npm start` runs and serves, where its sources have changed. Runs before tests that start a server. */
export function setup(): void {
  const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { encoding: 'utf8' })
  if (build.status !== 0) throw new Error(`Septet could not be built:\n${build.stdout}${build.stderr}`)
}

/** The folder of the built web app, as `npm start` serves it; built when its sources have changed. */
export function builtWeb(): string {
  setup()
  return join(root, 'apps/web/dist')
}
