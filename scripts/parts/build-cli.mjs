import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { bundle } from './bundle.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { node24 } from './node24.mjs'
import { root } from './root.mjs'
import { noticesOf } from './sbom.mjs'

const CLI = join(root, 'apps/cli')
const PROGRAMS = { septet: join(CLI, 'src/launch.mjs'), 'parquet-thread': join(CLI, 'src/bill/parquet-thread.ts') }
const PLAIN_OPERATIONS = join(CLI, 'src/operations/plain-operations.ts')
const PARTS = ['build-cli', 'bundle', 'sbom']
const INPUTS = [
  'apps/cli',
  'packages',
  'deploy/actor-policy.yaml',
  'LICENSE',
  'package.json',
  'package-lock.json',
  ...PARTS.map((part) => `scripts/parts/${part}.mjs`),
]

/** The folder that is the package `septet`, and what a clone and the image run as `septet`. */
export const builtCli = join(CLI, 'dist')

/** Makes the command line's package when its sources have changed since the last time. */
export const ensureCliBuilt = () => ensureBuilt({ name: 'the command line', dist: builtCli, inputs: INPUTS, build })

async function build(folder) {
  const chunks = await bundle(folder, {
    programs: PROGRAMS,
    // It is there where a server is installed, and only what copies a server's database asks for it.
    external: ['@septet/storage'],
    target: 'node20',
    // What short commands need is one file.
    together: [/apps\/cli\/src\/main\.ts$/u],
    plugins: [
      { name: 'plain-operations', load },
      { name: 'own-files', transform: withFiles },
    ],
  })
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules ?? {}))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packagesOf(modules)))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
  copyFileSync(join(CLI, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

function load(id) {
  return id === PLAIN_OPERATIONS ? plainOperations(this) : undefined
}

/** What the contract says of each operation: a line each, of which one is read. */
function plainOperations(context) {
  const print = `
    const [{ plainOperation }, { ROUTES }] = await Promise.all(process.argv.slice(1).map((file) => import(file)))
    for (const key of Object.keys(ROUTES)) console.log(key, JSON.stringify(plainOperation(key)))`
  const files = [PLAIN_OPERATIONS, join(root, 'packages/contract/src/routes.ts')].map(
    (file) => pathToFileURL(file).href,
  )
  const how = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', print]
  const { status, stdout, stderr } = spawnSync(node24(), [...how, ...files], { encoding: 'utf8', maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`The list of operations could not be read: ${stderr}`)
  context.emitFile({ type: 'asset', fileName: 'operations.txt', source: `\n${stdout}` })
  return { code: READ_OPERATION, moduleType: 'js' }
}

const READ_OPERATION = `
  import { readFileSync } from 'node:fs'
  let lines
  export function plainOperation(key) {
    lines ??= readFileSync(new URL('./operations.txt', import.meta.url))
    const from = lines.indexOf('\\n' + key + ' ') + key.length + 2
    return JSON.parse(lines.toString('utf8', from, lines.indexOf('\\n', from)))
  }`

const FILE = /new URL\('([\w./-]+)', import\.meta\.url\)/gu

/** Threads are started from the built files; other files come along. */
function withFiles(code, id) {
  if (id.includes('node_modules') || id === PLAIN_OPERATIONS) return undefined
  return code.replaceAll(FILE, (_whole, path) => {
    const name = basename(path).replace(/\.ts$/u, '.mjs')
    if (!path.endsWith('.ts'))
      this.emitFile({ type: 'asset', fileName: name, source: readFileSync(join(dirname(id), path)) })
    return `new URL('./${name}', import.meta.url)`
  })
}

/** The packages of others that these modules are of. */
function packagesOf(modules) {
  const folders = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(id)?.[0])
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .map(({ folder, name, version, license }) => ({ name, version, under: license, folder }))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
}

function manifest() {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: 'septet',
    version,
    description: 'Find the GPU time that your Kubernetes clusters pay for and do not use.',
    keywords: ['gpu', 'kubernetes', 'kubectl', 'mig', 'cost'],
    license,
    type: 'module',
    bin: { septet: 'septet.mjs', 'kubectl-septet': 'septet.mjs' },
    files: ['*.mjs', '*.yaml', 'operations.txt', 'THIRD-PARTY-NOTICES.txt'],
    engines: { node: '>=20' },
  }
}
