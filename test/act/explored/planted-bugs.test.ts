import { describe, expect, test } from 'vitest'

import { explore } from './explore.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'

describe('a mistake in how it acts is found, with what leads to it', () => {
  test.for(Object.entries(PLANTED_BUGS))('%s', async ([, { bug, scenario, finds, isDeep = false }]) => {
    const [found] = (await explore(scenario, { states: 20_000, bug, isDeep })).found
    expect(`${found?.flaw}`).toMatch(finds)
    expect(found?.trace.length).toBeLessThan(isDeep ? 200 : 80)
  })
})
