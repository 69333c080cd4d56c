import type { aboutGet, OutputOf } from '@septet/contract'
import { instant, type Store, type Caller } from '@septet/domain'

import { isoOf } from '../answering/view.ts'

/** What a Septet knows of itself, handed to operations as a port. */
export type Installation = {
  readonly version: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly database: 'embedded' | 'external'
  /** Bytes of the data directory; undefined while they have not been counted. */
  dataDirBytes(): number | undefined
}

export async function describeInstallation(
  installation: Installation,
  store: Pick<Store, 'describe'>,
  { kind }: Pick<Caller, 'kind'>,
): Promise<OutputOf<typeof aboutGet>> {
  if (kind === 'visitor') return { version: installation.version, ...NOT_FOR_VISITORS }
  const { version, bytes } = await store.describe()
  return {
    version: installation.version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    startedAt: isoOf(instant(installation.startedAt)),
    database: { kind: installation.database, version: version ?? null, bytes: bytes ?? null },
    dataDirBytes: installation.dataDirBytes() ?? null,
    memoryBytes: process.memoryUsage.rss(),
  }
}

/** What a machine runs is not a business of whoever looks at the demo. */
const NOT_FOR_VISITORS = {
  node: null,
  platform: null,
  startedAt: null,
  database: null,
  dataDirBytes: null,
  memoryBytes: null,
} as const
