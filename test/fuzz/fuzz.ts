import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import type { ParserName } from './parsers.ts'
import type { Tried } from './try-inputs.ts'

/** An input that is not done after so long never ends, milliseconds: on a busy machine a second of CPU takes several. */
const NEVER_ENDS_MS = 90_000

/** Tries inputs on one reader for some seconds, in a thread that can be ended where an input holds it for ever. */
export async function fuzz(
  parser: ParserName,
  { seconds, first = 0 }: { readonly seconds: number; readonly first?: number },
): Promise<Tried> {
  const at = new SharedArrayBuffer(8)
  const worker = new Worker(new URL('fuzz-thread.ts', import.meta.url), {
    workerData: { parser, first, seconds, at },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  const told = once(worker, 'message').then(([tried]: Tried[]) => tried)
  const stuck = new AbortController()
  try {
    const tried = await Promise.race([told, heldUp(new Float64Array(at), seconds, stuck.signal)])
    if (typeof tried === 'object') return tried
    return { inputs: 0, findings: [{ parser, number: tried ?? first, because: 'It never ends.' }] }
  } catch (error) {
    const number = new Float64Array(at)[0] ?? first
    return { inputs: 0, findings: [{ parser, number, because: `The thread ended: ${String(error)}` }] }
  } finally {
    stuck.abort()
    await worker.terminate()
  }
}

/** The number of an input that goes on for ever. */
async function heldUp(begun: Float64Array, seconds: number, signal: AbortSignal): Promise<number> {
  await sleep(seconds * 1000 + NEVER_ENDS_MS, undefined, { signal }).catch(() => undefined)
  return begun[0] ?? 0
}
