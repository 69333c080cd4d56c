import { basename } from 'node:path'

import { expect, test } from 'vitest'

import { circlesOf, fileGraph, folderCircles } from './circles.ts'
import { packageOf } from './imports.ts'

const files = fileGraph()

test('no file needs one that needs it, types too', () => {
  const found = circlesOf(files).map(
    (circle) => `${packageOf(circle[0] ?? '')}: ${circle.map((file) => basename(file)).join(', ')}`,
  )
  expect(found.toSorted()).toEqual([])
})

test('no folder needs one that needs it; a folder and what lies inside it are one', () => {
  expect(
    folderCircles(files)
      .map((circle) => circle.join(', '))
      .toSorted(),
  ).toEqual([])
})

test('finds circles, and nothing else', () => {
  const graph = { a: 'b', b: 'cd', c: 'a', d: 'e', e: '', f: 'f' }
  const drawn = new Map(Object.entries(graph).map(([name, to]) => [name, new Set(to)]))
  expect(circlesOf(drawn)).toEqual([['a', 'b', 'c'], ['f']])
})
