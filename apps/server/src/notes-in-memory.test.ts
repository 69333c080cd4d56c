import { noteStoreBehaves } from '@septet/storage/testing'

import { notesInMemory } from './notes-in-memory.fixture.ts'

noteStoreBehaves(async () => ({ notes: notesInMemory(), close: async () => undefined }))
