import type { Store } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { afterEach, beforeEach } from 'vitest'

import { ActingDemo } from './acting-demo.ts'

/** Those of the test that runs: an empty store, and a demo cluster that is acted on. */
export let store: Store
export let acting: ActingDemo

/** Gives each test of a file its own; a store is closed with its test. */
export function eachOnDemo(options: Parameters<typeof ActingDemo.start>[1] = {}): void {
  beforeEach(async () => {
    store = await openTestStore()
    acting = await ActingDemo.start(store, options)
  })
  afterEach(async () => acting.close())
}
