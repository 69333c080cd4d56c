import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import zlib from 'node:zlib'
import { csvRecords, readBill, type FocusRecord, type ReadBill, type Window, recordOfValues } from '@septet/domain'
import { UsageError } from '../options/command-options.ts'

/** A group of rows that takes longer is not waited for, milliseconds. */
const PATIENCE_MS = 60_000

/**
 * The charges in a Parquet file. It is read in a thread: of a damaged one the reader may never come to an end, or fail where
 * nobody hears of it, and only a thread can be ended then.
 */
async function* parquetRecords(path: string): AsyncGenerator<FocusRecord> {
  const thread = new Worker(new URL('parquet-thread.ts', import.meta.url), { workerData: path })
  // What fails after the first failure has nothing to add.
  thread.on('error', () => undefined)
  try {
    for (let rows = await nextGroup(thread); rows !== undefined; rows = await nextGroup(thread)) {
      yield* rows.map(recordOfValues)
    }
  } catch (error) {
    const because = `${path} cannot be read as Parquet: it is damaged, cut off, or another kind of file. Export it again.${NEWER}`
    throw new Error(because, { cause: error })
  } finally {
    await thread.terminate()
  }
}

/** Node before 22.15 cannot take out what zstd has compressed. */
const NEWER = 'zstdDecompressSync' in zlib ? '' : ' If zstd compresses it, read it with Node 22.15 or newer.'

async function nextGroup(thread: Worker): Promise<readonly Readonly<Record<string, unknown>>[] | undefined> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  thread.postMessage('next')
  const [rows] = await once(thread, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) })
  return rows
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
  const plain = /\.gz$/iu.test(path) ? bytes.pipe(zlib.createGunzip()) : bytes
  // A file that cannot be read must fail the reading, also where its bytes go through gunzip first.
  bytes.once('error', (error) => plain.destroy(error))
  return plain.setEncoding('utf8')
}
