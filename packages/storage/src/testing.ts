/** What tests of other packages keep things in. Nothing here is part of the product. */
export { actionRun, RECOMMENDATION, transition } from './action-run.fixture.ts'
export { noteStoreBehaves } from './note-store.contract.ts'
export { leadsInMemory } from './leads/leads-in-memory.fixture.ts'
export { openTestStore, type TestStore } from './test-store.fixture.ts'
export { usageRow } from './usage-row.fixture.ts'
