import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startEmbeddedPostgres } from './embedded/start-embedded-postgres.ts'

export type Template = { copyTo(dataDir: string): void; remove(): void }

/** A data directory made once, to be copied by every test that is not about making one. */
export async function makeTemplate(): Promise<Template> {
  const template = mkdtempSync(join(tmpdir(), 'septet-template-'))
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  await (await startEmbeddedPostgres({ dataDir: template, log: silent })).stop()
  return {
    copyTo: (dataDir) => {
      mkdirSync(dataDir, { recursive: true, mode: 0o755 })
      const copied = spawnSync('cp', ['-a', join(template, 'postgres'), dataDir], { encoding: 'utf8' })
      if (copied.status !== 0) throw new Error(copied.stderr)
    },
    remove: () => rmSync(template, { recursive: true }),
  }
}
