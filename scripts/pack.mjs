// `npm run pack -- --address URL`: the command line as one package in `release`, with the manifest that krew takes it by.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { builtCli, ensureCliBuilt } from './parts/build-cli.mjs'
import { ensureInstalled, npmCommand } from './parts/install.mjs'
import { root } from './parts/root.mjs'

const { values: told } = parseArgs({
  options: {
    /** Where the package can be fetched by everyone: the folder it is in. */
    address: { type: 'string', default: 'https://RELEASES' },
    out: { type: 'string', default: join(root, 'release') },
  },
})

ensureInstalled('production')
await ensureCliBuilt()
mkdirSync(told.out, { recursive: true })
const [command, before] = npmCommand()
// npm gives every file one date and one owner: the same source is the same bytes.
const pack = [...before, 'pack', builtCli, '--pack-destination', told.out, '--json']
const { status, stdout, stderr } = spawnSync(command, pack, { cwd: root, encoding: 'utf8' })
if (status !== 0) throw new Error(`npm could not make the package: ${stderr}`)
const [{ filename, version }] = JSON.parse(stdout)
const sha256 = createHash('sha256')
  .update(readFileSync(join(told.out, filename)))
  .digest('hex')
writeFileSync(join(told.out, 'septet.yaml'), krewManifest())
console.log(`${filename} and septet.yaml are in ${told.out}.`)

/** kubectl's plugin manager takes the same package, and links its program as `kubectl-septet`. */
function krewManifest() {
  return `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: septet
spec:
  version: v${version}
  homepage: ${told.address}
  shortDescription: Find GPU time that is paid for and not used
  description: |
    Shows which GPU time a cluster pays for and does not use, plans how to get it back, and checks whether a job would
    start. It works on a cluster alone, or asks a Septet server.
  caveats: |
    This plugin needs Node.js 20 or newer as "node" on the PATH.
  platforms:
    - selector:
        matchExpressions:
          - { key: os, operator: In, values: [linux, darwin] }
      uri: ${told.address}/${filename}
      sha256: ${sha256}
      files:
        - { from: package/*, to: . }
      bin: septet.mjs
`
}
