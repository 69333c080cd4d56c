import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './root.mjs'

/** A hash over the content of every file that a build reads below these paths of the repository. */
export function fingerprint(inputs) {
  const hash = createHash('sha256')
  for (const input of inputs)
    for (const file of filesOf(input)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** @returns {string[]} */
function filesOf(path) {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => isInput(entry.name) && !/\.(test|contract|fixture|fake)\.tsx?$/u.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
    .toSorted()
}

/** Not what a build writes itself, here or in another process, and not what was installed. */
const isInput = (name) => name !== 'node_modules' && name !== '.tsbuild' && !/^dist(-\d|$)/u.test(name)
