import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'

import { replayHistory, type ReplayQuestion } from '@septet/server/testing/shadow'
import { openPostgresStore, type Connection } from '@septet/storage'

export type ReplayAsked = { readonly connection: Connection; readonly question: ReplayQuestion }
export type ReplayMeasured = {
  readonly seconds: number
  /** Of these until the first hour was decided: reading, and putting in order. */
  readonly read: number
  /** The highest there was after any hour, MiB, garbage counted. */
  readonly heap: number
  readonly done: number
  readonly replayed: number
}

const MIB = 1024 ** 2
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One replay in this thread, as the server's thread does it. */
async function measure({ connection, question }: ReplayAsked): Promise<ReplayMeasured> {
  const store = await openPostgresStore({ connection, log: silent })
  const start = performance.now()
  let [read, heap] = [0, 0]
  const { month, objects } = await replayHistory(store, question, () => {
    if (read === 0) read = performance.now() - start
    heap = Math.max(heap, getHeapStatistics().used_heap_size)
  })
  const seconds = (performance.now() - start) / 1000
  await store.close()
  return { seconds, read: read / 1000, heap: heap / MIB, done: month.actions.length, replayed: objects.replayed }
}

if (parentPort !== null) {
  const port = parentPort
  const tell = (measured: ReplayMeasured): void => port.postMessage(measured)
  tell(await measure(workerData))
}
