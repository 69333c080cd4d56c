import { csvRecords, readBill, recordOfValues, type FocusRecord, type ReadBill } from '@septet/domain'

/** Reads a bill in FOCUS out of files that were chosen, here in the browser: nothing of it is sent anywhere. */
export const readBillFiles = (files: readonly File[]): Promise<ReadBill> => readBill(recordsIn(files))

async function* recordsIn(files: readonly File[]): AsyncGenerator<FocusRecord> {
  for (const file of files) yield* /\.parquet$/iu.test(file.name) ? parquetRecords(file) : csvRecords(textOf(file))
}

async function* textOf(file: File): AsyncGenerator<string> {
  const bytes = file.stream()
  const plain = /\.gz$/iu.test(file.name) ? bytes.pipeThrough(new DecompressionStream('gzip')) : bytes
  const reader = plain.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
}

/** The reader of Parquet is fetched when somebody chooses such a file. */
async function* parquetRecords(file: File): AsyncGenerator<FocusRecord> {
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet')
  const buffer = {
    byteLength: file.size,
    slice: (from: number, to?: number) => file.slice(from, to).arrayBuffer(),
  }
  const metadata = await parquetMetadataAsync(buffer)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    for (const row of await parquetReadObjects({ file: buffer, metadata, rowStart, rowEnd })) yield recordOfValues(row)
    rowStart = rowEnd
  }
}
