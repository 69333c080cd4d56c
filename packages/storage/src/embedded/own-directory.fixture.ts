import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

import { makeTemplate, type Template } from '../own-template.fixture.ts'
import { startEmbeddedPostgres, type EmbeddedOptions } from './start-embedded-postgres.ts'

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
export const isRoot = process.getuid?.() === 0
export const NOBODY = 65_534

export let template: Template
export let folder: string
export let dataDir: string
export const mounts: string[] = []
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'septet-own-'))
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'data')
})
afterEach(() => {
  for (const mount of mounts.splice(0)) spawnSync('umount', ['-l', mount])
  rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
})

export const start = (more: Partial<EmbeddedOptions> = {}) => startEmbeddedPostgres({ dataDir, log: silent, ...more })
export const refusal = async (more: Partial<EmbeddedOptions> = {}) => {
  const error: unknown = await start(more).then(
    async (postgres) => {
      await postgres.stop()
      return undefined
    },
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'StoreError' })
  const { message } = error as Error
  expect(message).not.toContain('\n')
  return error as Error & { code: string }
}
