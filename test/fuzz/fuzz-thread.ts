import { parentPort, workerData } from 'node:worker_threads'

import { tryInputs } from './try-inputs.ts'

const { parser, first, seconds, at } = workerData
const end = performance.now() + seconds * 1000
const begun = new Float64Array(at)
const tried = await tryInputs(parser, first, {
  goesOn: () => performance.now() < end,
  begins: (number) => {
    begun[0] = number
  },
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.postMessage(tried)
