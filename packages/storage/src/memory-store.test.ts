import { describe } from 'vitest'

import { openMemoryStore } from './memory-store.ts'
import { storeBehaves } from './store.suite.ts'

describe('the memory twin', () => {
  storeBehaves(async () => openMemoryStore())
})
