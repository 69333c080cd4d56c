import { createReadStream, existsSync } from 'node:fs'
import { createGunzip, brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { csvRecords, readBill, type FocusRecord, type ReadBill, type Window, recordOfValues } from '@septet/domain'
import { UsageError } from '../options/command-options.ts'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

/** The charges in a Parquet file, a group of rows at a time. */
async function* parquetRecords(path: string): AsyncGenerator<FocusRecord> {
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

/**
 * Reads a bill in FOCUS from its files: CSV, CSV with gzip, or Parquet, by their names. With a window, what each
 * machine cost is of that window alone.
 */
export function readBills(paths: readonly string[], within?: Window): Promise<ReadBill> {
  const gone = paths.find((path) => !existsSync(path))
  if (gone !== undefined) throw new UsageError(`There is no file ${gone}.`)
  return readBill(paths.map(recordsIn), within === undefined ? {} : { within })
}

const recordsIn = (path: string): AsyncGenerator<FocusRecord> =>
  /\.parquet$/iu.test(path) ? parquetRecords(path) : csvRecords(textOf(path))

function textOf(path: string): AsyncIterable<string> {
  const bytes = createReadStream(path)
  const plain = /\.gz$/iu.test(path) ? bytes.pipe(createGunzip()) : bytes
  // A file that cannot be read must fail the reading, also where its bytes go through gunzip first.
  bytes.once('error', (error) => plain.destroy(error))
  return plain.setEncoding('utf8')
}
