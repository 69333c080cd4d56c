import { errorText } from '@septet/domain/words'
import { parentPort, workerData } from 'node:worker_threads'

import { openPostgresStore } from '@septet/storage'

import { openLog } from '../log.ts'
import { replayHistory } from '../operations/shadow/replay-history.ts'
import type { FromShadow, ToShadow } from './shadow-thread.ts'

const TELL_MS = 200

/** Replays what the thread was made for, and ends. */
async function run({ address, question }: ToShadow, post: (message: FromShadow) => void): Promise<void> {
  const store = await openPostgresStore({ ...address, log: openLog('error') })
  try {
    let told = performance.now()
    const replay = await replayHistory(store, question, (done, of) => {
      if (performance.now() - told < TELL_MS) return
      told = performance.now()
      post({ kind: 'progress', share: done / of })
    })
    post({ kind: 'done', replay })
  } catch (error) {
    post({ kind: 'failed', message: errorText(error) })
  } finally {
    await store.close()
  }
}

if (parentPort !== null) {
  const port = parentPort
  await run(workerData, (message) => port.postMessage(message))
}
