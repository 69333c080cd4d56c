import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

import type { FocusRecord } from '@septet/domain'

/** The rows of a Parquet file as texts by column, a group of rows at a time. */
export async function* parquetRecords(path: string): AsyncGenerator<FocusRecord> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors: COMPRESSORS })
    for (const row of rows) yield textsOf(row)
    rowStart = rowEnd
  }
}

/** Those that the reader does not know itself. */
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
}

const textsOf = (row: Readonly<Record<string, unknown>>): FocusRecord =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, textOf(value)]))

/** As a CSV has it: nothing is empty, times are ISO 8601, maps are JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}
