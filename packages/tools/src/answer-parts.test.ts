import { expect, test } from 'vitest'

import { aboutOf } from './answer-parts.ts'
import { TOOLS } from './tools.ts'

test('how old figures are is a part of what a tool answers, and of what it says that it answers', () => {
  const age = 'The cluster was last read an hour before this range ends.'
  const answered = { source: { id: 'a', name: 'A', kind: 'cluster' }, asOf: null, window: null }
  expect(aboutOf({ ...answered, age }, '/cost').age).toBe(age)
  expect(aboutOf(answered, '/cost')).not.toHaveProperty('age')
  const withWindow = Object.values(TOOLS).filter(({ output }) => 'window' in output.shape)
  expect(withWindow.length).toBeGreaterThan(5)
  expect(withWindow.filter(({ output }) => !('age' in output.shape))).toEqual([])
})
