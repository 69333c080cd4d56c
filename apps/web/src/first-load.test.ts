import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const WEB = join(import.meta.dirname, '..')

/** Compressed script that a page may load before it runs. */
const BUDGET_KIB = { dashboard: 200, door: 120 }

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

/** What a browser must load before a page runs: its entry and everything that imports statically. */
function firstLoad(chunks: Record<string, Chunk>, entry: string): readonly string[] {
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = chunks[name]
    if (chunk === undefined || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  visit(entry)
  return [...files]
}

const kib = (files: readonly string[]): number =>
  files.map((file) => gzipSync(read(file)).length).reduce((sum, size) => sum + size, 0) / 1024

const scriptOf = (files: readonly string[]): string => files.map((file) => read(file).toString()).join('')

test.each([
  ['the dashboard', 'app.html', BUDGET_KIB.dashboard],
  ['the door', 'auth.html', BUDGET_KIB.door],
])("%s's first load (%s) is within %d KiB of compressed script", (_name, entry, budget) => {
  const files = firstLoad(manifest(), entry)
  expect(files.length).toBeGreaterThan(0)
  expect(kib(files)).toBeLessThanOrEqual(budget)
})

test('the charts and the settings come later, and the schema library not at all', () => {
  const chunks = manifest()
  expect(chunks['app.html']?.dynamicImports).toContain('src/dashboard/summary/TrendChart.tsx')
  expect(chunks['app.html']?.dynamicImports).toContain('src/dashboard/settings/SettingsPage.tsx')
  const script = scriptOf(firstLoad(chunks, 'app.html'))
  expect(script).not.toContain('recharts')
  expect(script).not.toContain('ZodError')
})

test('the door carries the authentication client alone: no router, no query library, none of its siblings', () => {
  const script = scriptOf(firstLoad(manifest(), 'auth.html'))
  expect(script).toContain('septet-auth')
  const siblings = ['PostgrestClient', 'RealtimeClient', 'StorageApiError', 'FunctionsHttpError']
  const absent = ['basename', 'QueryClient', ...siblings]
  expect(absent.filter((name) => script.includes(name))).toEqual([])
})

test.each(['app.html', 'auth.html'])('%s has no script in it, only files', (page) => {
  const scripts = [
    ...read(page)
      .toString()
      .matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/gu),
  ]
  expect(scripts.length).toBeGreaterThan(0)
  for (const [, attributes, text] of scripts) {
    expect(attributes).toContain('src=')
    expect(text).toBe('')
  }
})
