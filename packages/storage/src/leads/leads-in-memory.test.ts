import { leadStoreBehaves } from '../lead-store.contract.ts'
import { leadsInMemory } from './leads-in-memory.fixture.ts'

const kept = leadsInMemory(() => 0)
leadStoreBehaves(async () => [kept, kept])
