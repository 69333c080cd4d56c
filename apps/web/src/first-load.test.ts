import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { build } from 'vite'
import { beforeAll, expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..')
const DIST = join(WEB, 'dist')
const MANIFEST = join(DIST, '.vite/manifest.json')

const BUDGET_KIB = 200

type Chunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

beforeAll(async () => {
  if (!existsSync(MANIFEST)) await build({ configFile: join(WEB, 'vite.config.ts'), logLevel: 'error' })
})

/** What a browser must load before the dashboard runs: the entry and everything it imports statically. */
function firstLoad(chunks: Record<string, Chunk>): readonly string[] {
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = chunks[name]
    if (chunk === undefined || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  visit('index.html')
  return [...files]
}

test(`the dashboard's first load is within ${BUDGET_KIB} KiB of compressed script`, () => {
  const chunks = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, Chunk>
  const files = firstLoad(chunks)
  expect(files.length).toBeGreaterThan(0)
  const bytes = files.map((file) => gzipSync(readFileSync(join(DIST, file))).length)
  expect(bytes.reduce((sum, size) => sum + size, 0) / 1024).toBeLessThanOrEqual(BUDGET_KIB)
})

test('the charts come later, and the schema library not at all', () => {
  const chunks = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, Chunk>
  expect(chunks['index.html']?.dynamicImports).toContain('src/dashboard/summary/TrendChart.tsx')
  const script = firstLoad(chunks)
    .map((file) => readFileSync(join(DIST, file), 'utf8'))
    .join('')
  expect(script).not.toContain('recharts')
  expect(script).not.toContain('ZodError')
})
