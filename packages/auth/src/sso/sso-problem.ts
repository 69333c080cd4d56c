import type { SsoProblemCode } from '@septet/contract'

/** Why nobody was signed in: the code is told to the person, the message to the log. */
export class SsoProblem extends Error {
  override readonly name = 'SsoProblem'
  readonly code: SsoProblemCode

  constructor(code: SsoProblemCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
