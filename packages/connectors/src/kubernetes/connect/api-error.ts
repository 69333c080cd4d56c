import { z } from 'zod'

/** The API server answered, and said no. `message` is its own. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  /** From the header Retry-After, milliseconds. */
  readonly retryAfter: number | undefined

  constructor(answer: { status: number; reason: string; message: string; retryAfter?: number | undefined }) {
    super(answer.message)
    this.name = 'ApiError'
    this.status = answer.status
    this.reason = answer.reason
    this.retryAfter = answer.retryAfter
  }
}

/** An answer that began and did not end: the connection was cut, or nothing came any more. */
export class StreamCutError extends Error {
  readonly why: 'cut' | 'silent'

  constructor(why: 'cut' | 'silent', message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StreamCutError'
    this.why = why
  }
}

/** An answer or a watch event longer than we are willing to hold. */
export class TooLargeError extends Error {
  readonly bytes: number

  constructor(bytes: number, message: string) {
    super(message)
    this.name = 'TooLargeError'
    this.bytes = bytes
  }
}

/** An answer that no Kubernetes API gives: another server, or a proxy in between that answers by itself. */
export class NotKubernetesError extends Error {
  override readonly name = 'NotKubernetesError'
}

const StatusSchema = z.object({
  reason: z.string().catch(''),
  message: z.string().catch(''),
  code: z.number().catch(0),
})

/** A `Status` object, or whatever else came with an HTTP error, as an error. */
export function readApiError(status: number, body: unknown, retryAfter?: string): ApiError {
  const parsed = StatusSchema.safeParse(body)
  const seconds = Number(retryAfter)
  return new ApiError({
    status: status === 200 && parsed.success ? parsed.data.code : status,
    reason: parsed.data?.reason ?? '',
    message: parsed.data?.message !== undefined && parsed.data.message !== '' ? parsed.data.message : `HTTP ${status}`,
    retryAfter: retryAfter !== undefined && Number.isFinite(seconds) ? seconds * 1000 : undefined,
  })
}
