import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const WEB = join(import.meta.dirname, '..')

const BUDGET_KIB = 200

type Chunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

/** A build of its own, so that an old one in dist proves nothing. */
const built = mkdtempSync(join(tmpdir(), 'septet-first-load-'))

beforeAll(async () => {
  // The test runner says "test", and React would come in its development form.
  vi.stubEnv('NODE_ENV', 'production')
  await build({
    configFile: join(WEB, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: built, emptyOutDir: true },
  })
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

const read = (file: string): Buffer => readFileSync(join(built, file))
const manifest = (): Record<string, Chunk> =>
  JSON.parse(read('.vite/manifest.json').toString()) as Record<string, Chunk>

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
  const files = firstLoad(manifest())
  expect(files.length).toBeGreaterThan(0)
  const bytes = files.map((file) => gzipSync(read(file)).length)
  expect(bytes.reduce((sum, size) => sum + size, 0) / 1024).toBeLessThanOrEqual(BUDGET_KIB)
})

test('the charts come later, and the schema library not at all', () => {
  const chunks = manifest()
  expect(chunks['index.html']?.dynamicImports).toContain('src/dashboard/summary/TrendChart.tsx')
  const script = firstLoad(chunks)
    .map((file) => read(file).toString())
    .join('')
  expect(script).not.toContain('recharts')
  expect(script).not.toContain('ZodError')
})
