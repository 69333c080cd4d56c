import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The folder of the built web app, as `npm start` serves it; built when its sources have changed. */
export function builtWeb(): string {
  const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { encoding: 'utf8' })
  if (build.status !== 0) throw new Error(`the web app could not be built:\n${build.stdout}${build.stderr}`)
  return join(root, 'apps/web/dist')
}
