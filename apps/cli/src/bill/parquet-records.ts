import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

import { recordOfValues, type FocusRecord } from '@septet/domain'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

/** The charges in a Parquet file, a group of rows at a time. */
export async function* parquetRecords(path: string): AsyncGenerator<FocusRecord> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors: COMPRESSORS })
    for (const row of rows) yield recordOfValues(row)
    rowStart = rowEnd
  }
}

/** Those that the reader does not know itself. */
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
}
