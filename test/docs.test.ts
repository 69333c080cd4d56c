import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

describe.each(pages)('%s', (page) => {
  test('names only files and folders that are there', () => {
    const named = [...textOf(page).matchAll(/`((?:apps|bench|deploy|docs|packages|scripts|test)\/[\w./-]+)`/gu)]
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))
    expect(missing).toEqual([])
  })

  test('links only to pages that are there', () => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/gu)].map(([, path = '']) => path)
    expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([])
  })

  test('names only verbs that npm knows', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const verbs = [...textOf(page).matchAll(/npm run (\w+)/gu)].map(([, verb = '']) => verb)
    expect(verbs.filter((verb) => scripts[verb] === undefined)).toEqual([])
  })
})

test('decisions are numbered without a gap', () => {
  const numbers = pages.flatMap((page) => /^docs\/decisions\/(\d{4})-/u.exec(page)?.[1] ?? []).toSorted()
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')))
})
