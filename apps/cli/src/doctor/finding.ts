/** What one check found: `warn` works and loses something, `fail` does not work. */
export type Symptom = {
  readonly area: string
  readonly state: 'ok' | 'warn' | 'fail'
  /** What was found, and what it means. */
  readonly said: string
  readonly todo?: string
}
