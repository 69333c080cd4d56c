import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from '../test/imports.ts'
import { reachOf } from '../test/reach.ts'
import { codeOf } from './code-lines.ts'

const SERVER = 'apps/server/src/main.ts'
const SITE = ['apps/web/src/site/prerender.tsx', 'apps/web/src/site/client.ts']

/** What a benchmark starts or opens without importing it. */
const STARTED: Readonly<Record<string, readonly string[]>> = {
  start: [SERVER],
  'large-fleet': [SERVER],
  'dashboard-speed': [SERVER, 'apps/web/src/dashboard/main.tsx'],
  'site-speed': [SERVER, ...SITE],
}

/**
 * A digest of all code that a measurement ran: of the files that its benchmarks reach, without comments. Undefined where a
 * benchmark is gone. A receipt with another digest vouches for code that has changed since.
 */
export function codeDigest(benchmarks: readonly string[]): string | undefined {
  const entries = benchmarks.flatMap((name) => [`bench/${name}.ts`, ...(STARTED[name] ?? [])])
  if (!entries.every((file) => existsSync(join(root, file)))) return undefined
  const hash = createHash('sha256')
  for (const file of [...reachOf(entries)].toSorted()) {
    hash.update(file)
    for (const line of codeOf(readFileSync(join(root, file), 'utf8'))) hash.update(line)
  }
  return hash.digest('hex').slice(0, 16)
}
