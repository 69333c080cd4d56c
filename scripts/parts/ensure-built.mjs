import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { fingerprint } from './fingerprint.mjs'

const MARK = '.built-from'

/**
 * Has a folder made again when what it is made of has changed since. It is made beside the one that may be in use right
 * now, and put in its place when it is whole.
 */
export async function ensureBuilt({ dist, inputs, name, build }) {
  const wanted = fingerprint(inputs)
  const mark = join(dist, MARK)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  // Beside what a command prints for a program to read.
  console.error(`Building ${name}.`)
  const fresh = `${dist}-${process.pid}`
  try {
    await build(fresh)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    console.error(`Septet could not build ${name}. ${error.message}`)
    process.exit(1)
  }
  writeFileSync(join(fresh, MARK), wanted)
  const old = `${fresh}-old`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
}
