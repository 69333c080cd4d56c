/** Why an exporter or a metrics engine could not be read. */
export type TelemetryErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'forbidden'
  | 'redirected'
  | 'server-error'
  | 'rejected'
  | 'limit'
  | 'budget'
  | 'too-large'
  | 'not-understood'
  | 'no-series'
  | 'canceled'

/** A failure of a telemetry source; the message is a sentence for people: what failed and what to do. */
export class TelemetryError extends Error {
  override readonly name = 'TelemetryError'
  readonly code: TelemetryErrorCode

  constructor(code: TelemetryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
