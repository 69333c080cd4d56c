import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { npmCommand } from './install.mjs'
import { root } from './root.mjs'

/** Writes what is shipped (CycloneDX 1.6) and the licenses of others' packages in it, both from the lock file. */
export function writeSbom(folder = join(root, 'dist')) {
  const sbom = sbomOf(readFileSync(join(root, 'package-lock.json')))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(othersIn(sbom)))
}

/** npm's own, which is CycloneDX 1.5: all of it is in 1.6 as well. The same lock file gives the same document. */
function sbomOf(lock) {
  const [command, before] = npmCommand()
  const asked = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync(command, [...before, ...asked], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 ** 2,
  })
  if (status !== 0) throw new Error(`npm could not list what is shipped: ${stderr}`)
  const { metadata, components: all, dependencies } = JSON.parse(stdout)
  // With `--omit=dev` npm leaves out what is shipped and used for development as well.
  const shipped = shippedIn(JSON.parse(lock))
  const components = all.map(completed).filter(({ name, version }) => shipped.has(`${name}@${version}`))
  const refs = new Set([metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])])
  const { timestamp: _, ...facts } = metadata
  const digest = createHash('sha256').update(lock).digest('hex')
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: { ...facts, component: { ...facts.component, name: 'septet' } },
    components,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  }
}

/** What is installed without development tools, and the packages of this repository. */
function shippedIn({ packages }) {
  const entries = Object.entries(packages).filter(
    ([path, { dev, link }]) => path !== '' && dev !== true && link !== true,
  )
  return new Set(
    entries.map(
      ([path, { name, version }]) => `${name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)}@${version}`,
    ),
  )
}

const FOLDER = 'node_modules/'

/** npm calls packages of this repository by their folder. A license that stands in a file alone is called by its first line. */
function completed(component) {
  const name = component['bom-ref'].slice(0, component['bom-ref'].lastIndexOf('@'))
  const [title] = textsIn(folderOf(name))[0]?.split('\n') ?? []
  const licenses = component.licenses ?? (title === undefined ? [] : [{ license: { name: title.trim() } }])
  return { ...component, name, licenses }
}

/** Version 8: what it is made of is ours to say. */
const uuidOf = (hex) =>
  [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/iu

/**
 * What packages are under, with the texts of their licenses. Of one for other machines, which is not installed here, it is
 * named without its text.
 */
export function noticesOf(packages) {
  return packages
    .map(({ name, version, under, folder }) =>
      [`${name} ${version}: ${under || 'not stated'}`, ...textsIn(folder)].join('\n\n'),
    )
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n')
}

const othersIn = ({ components }) =>
  components
    .filter(({ name }) => !name.startsWith('@septet/'))
    .map(({ name, version, licenses = [] }) => {
      const under = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(', ')
      return { name, version, under, folder: folderOf(name) }
    })

const folderOf = (name) => join(root, 'node_modules', name)

function textsIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && LICENCE_FILE.test(file.name))
    .map((file) => readFileSync(join(folder, file.name), 'utf8').trim())
}
