import zlib from 'node:zlib'
import { parentPort, workerData } from 'node:worker_threads'

import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

/** Those that the reader does not know itself. */
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => zlib.gunzipSync(bytes),
  // Node has it from 22.15 on.
  ZSTD: (bytes: Uint8Array) => zlib.zstdDecompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => zlib.brotliDecompressSync(bytes),
}

/** A group of rows at a time. */
async function* groupsOf(path: string): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    yield await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors: COMPRESSORS })
    rowStart = rowEnd
  }
}

const groups = groupsOf(String(workerData))
// The next group when it is asked for, undefined after the last.
parentPort?.on('message', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  void groups.next().then(({ value }) => parentPort?.postMessage(value ?? undefined))
})
