import { afterEach, describe, expect, test } from 'vitest'

import { eachOnDemo, store } from './on-demo.ts'
import { checkJournals } from './check-journals.ts'
import { meetFault, REPRESENTATIVE } from './fault-case.ts'

eachOnDemo()
// Whatever a test did: no sentence of the journal may be without what it can be checked by.
afterEach(async () => checkJournals(store))

describe('when something goes wrong, the cluster ends as the plan says or as it was before', () => {
  test.for(REPRESENTATIVE)('%s', async (fault) => {
    const [, , ends, words] = fault
    expect(await meetFault(fault)).toEqual({ ends, says: expect.stringMatching(words), flaws: [] })
  })
})
