import { describe, expect, test } from 'vitest'

import { sectionsOf } from '../address/sections.ts'
import { keptOf } from '../address/To.tsx'
import { VIEWS } from './views.ts'

describe('a view that the palette offers', () => {
  const sections = sectionsOf({ demo: true })

  test.each(VIEWS)('$name is on the screen that it names', ({ path, detail }) => {
    const section = sections.findLast((each) => path === each.path || path.startsWith(`${each.path}/`))
    expect(section?.name).toBe(detail)
  })

  test('is told from every other by its name and by its address', () => {
    const addresses = VIEWS.map(({ path, search }) => `${path}?${String(new URLSearchParams(search))}`)
    expect(new Set(addresses).size).toBe(VIEWS.length)
    expect(new Set(VIEWS.map(({ name }) => name)).size).toBe(VIEWS.length)
  })
})

describe('an address that says the rest itself', () => {
  test('keeps cluster, range and zone, and nothing of the screen before', () =>
    expect(String(keptOf(new URLSearchParams('cluster=demo&range=7d&zone=UTC&view=idle&workload=a%2FJob%2Fb')))).toBe(
      'cluster=demo&range=7d&zone=UTC',
    ))

  test('is empty where nothing was chosen', () => expect(String(keptOf(new URLSearchParams('q=x')))).toBe(''))
})

const names = (demo: boolean): string[] => sectionsOf({ demo }).map(({ name }) => name)

test('the demo, which is nobody’s, has no settings', () => {
  expect(names(false)).toEqual([...names(true), 'Settings'])
})
