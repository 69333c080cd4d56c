import { openPostgresStore } from '@septet/storage'

import { openLog } from '../../log.ts'
import { replayHistory } from '../../operations/shadow/replay-history.ts'
import type { HistoryQuestion } from './replay-history.ts'
import { answerInThread } from './run-in-thread.ts'

await answerInThread(async ({ address, question }: HistoryQuestion, progress) => {
  const store = await openPostgresStore({ ...address, log: openLog('error') })
  try {
    return await replayHistory(store, question, progress)
  } finally {
    await store.close()
  }
})
