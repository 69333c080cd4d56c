import type { Store } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { afterAll, beforeEach } from 'vitest'

import { ActingDemo } from './acting-demo.ts'

/** Those of the test that runs: an empty store, and a demo cluster that is acted on. */
export let store: Store
export let acting: ActingDemo

let running: ActingDemo | undefined

/** Gives each test of a file an empty store, which is closed with it, and the demo cluster as it is after its start. */
export function eachOnDemo(options: Parameters<typeof ActingDemo.start>[1] = {}): void {
  beforeEach(() => begin(options))
  afterAll(async () => {
    await running?.close()
    running = undefined
  })
}

/** The same once more in a test that goes through many cases. */
export async function beginAgain(): Promise<void> {
  await store.close()
  await begin({})
}

async function begin(options: Parameters<typeof ActingDemo.start>[1]): Promise<void> {
  store = await openTestStore()
  await running?.restore(store)
  acting = running ??= await ActingDemo.start(store, options)
}
