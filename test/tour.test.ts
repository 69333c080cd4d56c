import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from './imports.ts'
import { entryPoints, reachOfProduct, unreached } from './reach.ts'

const TOUR = 'docs/architecture.md'
const text = readFileSync(join(root, TOUR), 'utf8')
/** Every TypeScript file that the page names by its whole path. */
const named = [...text.matchAll(/`((?:packages|apps|test|bench)\/[\w./-]+\.tsx?)`/gu)].map((match) => match[1] ?? '')

test('every file that the tour names is there, and in the reach of something that is started', () => {
  const reached = reachOfProduct()
  const astray = named.filter(
    (file) => !existsSync(join(root, file)) || !(reached.has(file) || /\.test\.tsx?$/u.test(file)),
  )
  expect(astray).toEqual([])
  expect(named.length).toBeGreaterThan(15)
})

test('the domain holds nothing that only benchmarks call', () => {
  expect(unreached('packages/domain/src')).toEqual(['packages/domain/src/index.ts'])
})

test('it was followed from real beginnings', () => {
  expect(entryPoints()).toEqual(
    expect.arrayContaining(['apps/server/src/main.ts', 'apps/cli/src/main.ts', 'apps/web/src/dashboard/main.tsx']),
  )
  expect(reachOfProduct().size).toBeGreaterThan(500)
  expect(reachOfProduct().has('bench/run.ts')).toBe(false)
})
