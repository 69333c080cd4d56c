import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../config.ts'
import type { Installation } from '../operations/settings/settings-answers.ts'
import { readVersion } from '../version.ts'

const COUNT_EVERY_MS = 300_000

/** What this process knows of itself. The data directory is counted behind, as it holds thousands of files. */
export function openInstallation(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Installation & { close(): void } {
  let bytes: number | undefined
  const count = (): void => {
    sizeOf(config.dataDir).then(
      (size) => (bytes = size),
      () => undefined,
    )
  }
  count()
  const counting = setInterval(count, COUNT_EVERY_MS).unref()
  return {
    version: readVersion(),
    startedAt: Math.round(Date.now() - process.uptime() * 1000),
    database: config.databaseUrl === undefined ? 'embedded' : 'external',
    dataDirBytes: () => bytes,
    close: () => clearInterval(counting),
  }
}

/** Bytes of the files below a folder. Files that go meanwhile count nothing. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  let sum = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    sum += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return sum
}
