import { expect, test, vi } from 'vitest'

import type { ThreadSettings } from '../admission/admission-messages.ts'
import type { StoreAddress } from './open-store.ts'
import { openThread } from './supervise.ts'
import { superviseAdmission, type AdmissionThread } from './supervise-admission.ts'

const PORT = 8443
/** A thread that listens and, where it is asked to, never comes back from its first question. */
const codeOf = (hangs: boolean) => `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ kind }) => {
    if (kind === 'begin') parentPort.postMessage({ kind: 'begun', port: ${PORT} })
    if (kind === 'alive') { while (${hangs}) {} parentPort.postMessage({ kind: 'alive' }) }
    if (kind === 'stop') parentPort.close()
  })`

const open = (hangs: boolean): AdmissionThread => openThread(codeOf(hangs), { eval: true })

test('a thread that hangs is replaced on the same port, and one that answers is left alone', async () => {
  const begunWith: (number | undefined)[] = []
  const errors: string[] = []
  const admission = await superviseAdmission({
    openThread: () => open(begunWith.length === 0),
    settings: (port) => {
      begunWith.push(port)
      return {} as ThreadSettings<StoreAddress>
    },
    heard: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: (text) => void errors.push(text) },
    now: Date.now,
    askEveryMs: 50,
  })
  await vi.waitFor(() => expect(admission.interruption()?.until).toBeDefined(), 30_000)
  expect(admission.interruption()).toMatchObject({ because: 'The thread stopped answering.' })
  expect(begunWith).toEqual([undefined, PORT])
  // Ten rounds later nobody was replaced again.
  await new Promise((resolve) => {
    setTimeout(resolve, 500)
  })
  expect(begunWith).toHaveLength(2)
  expect(errors).toHaveLength(1)
  await admission.stop()
})
