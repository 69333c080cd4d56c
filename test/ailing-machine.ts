import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { threadName } from 'node:worker_threads'

import { shiftClock } from './shift-clock.ts'

/**
 * Loaded before a program (`node --import`): what ails its machine, for the program and its threads and children, is in the
 * file that TEST_AILMENTS names, and may change while it runs. Names that end in `.septet.test` lead to this machine.
 */
export type Ailments = {
  /** How far the clock is ahead, milliseconds. */
  readonly aheadMs: number
  /** Names that do not resolve. */
  readonly unknown: readonly string[]
  /** How often the memory of each thread of a pipeline that runs then was filled up. */
  readonly filled: number
}

const LOOK_MS = 100
const file = process.env['TEST_AILMENTS'] ?? ''

let known: Ailments = { aheadMs: 0, unknown: [], filled: 0 }
let lookedAt = -Infinity
function ailments(): Ailments {
  if (performance.now() - lookedAt < LOOK_MS) return known
  lookedAt = performance.now()
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as whoever started it wrote it
    known = JSON.parse(readFileSync(file, 'utf8')) as Ailments
  } catch {
    // Being written: what was known holds until the next look.
  }
  return known
}

shiftClock(() => ailments().aheadMs)

const lookup = dns.lookup
dns.lookup = Object.assign((name: string, ...rest: [never, never]): void => {
  const leadsHere = name.endsWith('.septet.test')
  if (!leadsHere) return lookup(name, ...rest)
  if (!ailments().unknown.includes(name)) return lookup('127.0.0.1', ...rest)
  const heard = rest.findLast((each: unknown) => typeof each === 'function') as ((error: Error) => void) | undefined
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
  setImmediate(() => heard?.(error))
}, lookup)
syncBuiltinESMExports()

if (threadName === 'pipeline') {
  const before = ailments().filled
  setInterval(() => {
    const kept: number[][] = []
    while (ailments().filled > before) kept.push(Array.from({ length: 10_000 }, Math.random))
  }, LOOK_MS).unref()
}
