import { describe } from 'vitest'

import { accessStoreBehaves } from './access-store.suite.ts'
import { alertStoreBehaves } from './alert-store.suite.ts'
import { openMemoryStore } from './memory-store.ts'
import { storeBehaves } from './store.suite.ts'

describe('the memory twin', () => {
  storeBehaves(async () => openMemoryStore())
  accessStoreBehaves(async () => {
    const store = openMemoryStore()
    return [store, store]
  })
  alertStoreBehaves(async () => openMemoryStore())
})
