import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Plugin } from 'vite'

const ID = 'virtual:licences'

/** Gives the page the names, versions and licences of all packages that Septet is installed with, development's own left out. */
export function listLicences(root: string): Plugin {
  return {
    name: 'septet-licences',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? `export const LICENCES = ${JSON.stringify(licencesOf(root))}` : undefined),
  }
}

export type Licence = { readonly name: string; readonly version: string; readonly licence: string }

type Locked = { readonly version?: string; readonly license?: string; readonly dev?: boolean; readonly link?: boolean }

const FOLDER = 'node_modules/'

/** From the lock file, so that the list is the same on every machine; its own packages are left out. */
export function licencesOf(root: string): readonly Licence[] {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = new Map<string, Licence>()
  for (const [path, { version, license, dev, link }] of Object.entries(lock.packages)) {
    const at = path.lastIndexOf(FOLDER)
    if (at < 0 || dev === true || link === true || version === undefined) continue
    const name = path.slice(at + FOLDER.length)
    found.set(`${name}@${version}`, { name, version, licence: license ?? licenceIn(join(root, path)) })
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** Old packages name theirs in other ways, and those for other machines are not installed. */
function licenceIn(folder: string): string {
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const named: unknown = license ?? licenses?.[0]
    if (typeof named === 'string') return named
    return typeof named === 'object' && named !== null && 'type' in named ? String(named.type) : 'not stated'
  } catch {
    return 'not stated'
  }
}
