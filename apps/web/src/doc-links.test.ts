import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { DOC_PAGES } from './site/docs/doc-pages.ts'

const FOLDERS = ['dashboard', 'sign-in', 'ui']

/** Every address that a source hands to a link to the documentation. */
const LINKS = FOLDERS.flatMap((folder) => {
  const root = join(import.meta.dirname, folder)
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/u.test(name))
    .flatMap((name) => [
      ...readFileSync(join(root, name), 'utf8').matchAll(/(?:docs(?:=|: )|<DocLink to=)["']([^"']+)["']/gu),
    ])
    .map(([, to = '']) => to)
})

test('screens lead to the documentation, each to a heading that is there', () => {
  expect(LINKS.length).toBeGreaterThan(25)
  const dead = LINKS.filter((to) => {
    const [page = '', anchor] = to.split('#')
    const anchors = DOC_PAGES.find(({ href }) => href === `/docs/${page}`)?.anchors
    return anchors === undefined || (anchor !== undefined && !anchors.has(anchor))
  })
  expect(dead).toEqual([])
})
