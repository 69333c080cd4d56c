import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { LLMS_TEXT } from './llms-text.ts'
import { PAGES } from './pages.tsx'

const PUBLIC = join(import.meta.dirname, '../../public')
const links = [...LLMS_TEXT.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/gu)].map(([, path = '']) => path)
const isThere = (path: string): boolean =>
  PAGES.some((page) => page.path === path) || existsSync(join(PUBLIC, path)) || path === '/api/openapi.json'

test('llms.txt leads to every page of the documentation, and nowhere that is not there', () => {
  expect(links.filter((path) => !isThere(path))).toEqual([])
  const documents = PAGES.map(({ path }) => path).filter((path) => path.startsWith('/docs/'))
  expect(documents.filter((path) => !links.includes(path))).toEqual([])
})

test('llms.txt says what Septet is, where the MCP server is, and how to read figures', () => {
  expect(LLMS_TEXT).toMatch(/^# Septet\n\n> /u)
  expect(LLMS_TEXT).toContain('POST /mcp')
  expect(LLMS_TEXT).toContain('not measured is unknown, never 0')
})
