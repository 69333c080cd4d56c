import { expect, test } from 'vitest'

import { moved, rulesOf, tenantDraftOf } from './TenantsPage.tsx'

const rules = [
  { name: 'vision', namespaces: ['vision-*', 'cv'], labels: { team: 'vision', tier: 'gold' } },
  { name: 'speech', namespaces: [], labels: { 'example.com/team': 'speech' } },
]

test('what is edited and not changed comes back as it was', () => expect(rulesOf(tenantDraftOf(rules))).toEqual(rules))

test('rules move by one, and not off the ends', () => {
  const drafts = tenantDraftOf(rules)
  const names = (list: typeof drafts) => list.map(({ name }) => name)
  expect(names(moved(drafts, 0, 1))).toEqual(['speech', 'vision'])
  expect(names(moved(drafts, 0, -1))).toEqual(['vision', 'speech'])
  expect(names(moved(drafts, 1, 1))).toEqual(['vision', 'speech'])
})
