import type { Readable } from 'node:stream'
import { StreamCutError } from './api-error.ts'
import { sayError } from './connect-error.ts'

/**
 * Reads a stream to its end. Throws `StreamCutError` when it breaks off, or when nothing comes for `silence`
 * milliseconds; throws what `onChunk` throws. Destroys the stream in every case but a clean end.
 */
export function consume(
  stream: Readable,
  options: {
    readonly silence: number
    readonly signal?: AbortSignal | undefined
    readonly onChunk: (chunk: Buffer) => void
  },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const silent = setTimeout(() => {
      fail(new StreamCutError('silent', `nothing heard for ${options.silence / 1000} s`))
    }, options.silence)
    const stopped = (): void => fail(new StreamCutError('cut', 'stopped'))
    const settle = (): void => {
      clearTimeout(silent)
      options.signal?.removeEventListener('abort', stopped)
    }
    const fail = (error: unknown): void => {
      settle()
      stream.destroy()
      reject(error instanceof Error ? error : new Error(sayError(error)))
    }
    stream.on('data', (chunk: Buffer) => {
      silent.refresh()
      try {
        options.onChunk(chunk)
      } catch (error) {
        fail(error)
      }
    })
    stream.once('end', () => {
      settle()
      resolve()
    })
    stream.once('error', (error) => fail(new StreamCutError('cut', sayError(error), { cause: error })))
    stream.once('close', () => fail(new StreamCutError('cut', 'the connection was closed before the end')))
    if (options.signal?.aborted === true) stopped()
    else options.signal?.addEventListener('abort', stopped)
  })
}
