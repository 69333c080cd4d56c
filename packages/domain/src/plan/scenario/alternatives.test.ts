import { expect, test } from 'vitest'

import { staticCut } from './alternatives.ts'

test('static layouts are the configurations that GPU Operator ships, for boards of both kinds', () => {
  expect(staticCut('A100-SXM4-80GB', 'balanced')).toEqual(['1g.10gb', '1g.10gb', '2g.20gb', '3g.40gb'])
  expect(staticCut('A30', 'balanced')).toEqual(['1g.6gb', '1g.6gb', '2g.12gb'])
  expect(staticCut('A100-SXM4-40GB', '1g')).toEqual(Array(7).fill('1g.5gb'))
  expect(staticCut('A30', '4g')).toEqual(['4g.24gb'])
})

test('a board has no layout of a profile that is not on its menu, and a GPU without MIG has none at all', () => {
  expect(staticCut('A30', '3g')).toBeUndefined()
  expect(staticCut('T4', 'balanced')).toBeUndefined()
})
