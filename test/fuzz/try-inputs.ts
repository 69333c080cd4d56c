import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { inputOf } from './mutate.ts'
import { isMeant, PARSERS, seedsOf, type ParserName } from './parsers.ts'

/** One input that a reader did not take as it should. */
type Finding = { readonly parser: ParserName; readonly number: number; readonly because: string }
export type Tried = { readonly inputs: number; readonly findings: readonly Finding[] }

/** CPU that one input may take, milliseconds. */
const MOST_CPU_MS = 1000
/** What may be kept after thousands of inputs: caches fill. */
const MOST_KEPT_BYTES = 64 * 1024 ** 2
const MOST_FINDINGS = 10

/** Hands inputs to a reader, from that number on, as long as `goesOn` says; `begins` hears the number of each. */
export async function tryInputs(
  parser: ParserName,
  first: number,
  { goesOn, begins }: { readonly goesOn: (tried: number) => boolean; readonly begins: (number: number) => void },
): Promise<Tried> {
  const findings: Finding[] = []
  const seeds = seedsOf(parser)
  let number = first
  let keptAtFirst: number | undefined
  for (; goesOn(number - first) && findings.length < MOST_FINDINGS; number += 1) {
    begins(number)
    const because = await whyNot(parser, inputOf(seeds, number))
    if (because !== undefined) findings.push({ parser, number, because })
    if (number - first === WARM_UP) keptAtFirst = keptBytes()
  }
  const grown = keptAtFirst === undefined ? 0 : keptBytes() - keptAtFirst
  if (grown > MOST_KEPT_BYTES)
    findings.push({ parser, number, because: `${Math.round(grown / 1024 ** 2)} MiB more are kept` })
  return { inputs: number - first, findings }
}

const WARM_UP = 500

async function whyNot(parser: ParserName, input: string): Promise<string | undefined> {
  const before = process.threadCpuUsage()
  const error = await outcome(parser, input)
  const { user, system } = process.threadCpuUsage(before)
  const spent = (user + system) / 1000
  if (spent > MOST_CPU_MS) return `${Math.round(spent)} ms of CPU`
  return error === undefined || isMeant(error)
    ? undefined
    : error instanceof Error
      ? String(error.stack)
      : 'What is thrown is no error.'
}

async function outcome(parser: ParserName, input: string): Promise<unknown> {
  try {
    await PARSERS[parser](input)
    return undefined
  } catch (error) {
    return error ?? new TypeError('nothing was thrown')
  }
}

function keptBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
