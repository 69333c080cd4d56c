import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from './imports.ts'
import { oldNode } from './system-tools.ts'

const dist = join(root, 'apps/cli/dist')

test('a short command reads one small file: no schemas, no cluster, no fetch', () => {
  const main = readdirSync(dist).find(
    (name) => name.startsWith('main-') && readFileSync(join(dist, name)).length > 1000,
  )
  const text = readFileSync(join(dist, main ?? ''), 'utf8')
  const imported = [...text.matchAll(/from ?"([^"]+)"/gu)].flatMap(([, name = '']) => name)
  expect(imported.filter((name) => !/^node:|^\.\/rolldown-runtime/u.test(name))).toEqual([])
  expect(imported).not.toContain('node:http')
  expect(text.length).toBeLessThan(100_000)
})

test('the command line of a clone runs on any Node from 20 on', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const words = [join(root, 'apps/cli/src/septet.mjs'), '--version']
  expect(execFileSync(oldNode() ?? process.execPath, words, { encoding: 'utf8' })).toBe(`${version}\n`)
})
