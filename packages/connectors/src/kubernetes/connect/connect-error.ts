import { errorText } from '@septet/domain/words'

/** Why a cluster cannot be read at all, told apart for machines. */
export type ConnectErrorCode =
  | 'kubeconfig-missing'
  | 'kubeconfig-invalid'
  | 'context-missing'
  | 'credentials-unreadable'
  | 'credential-plugin-failed'
  | 'credentials-in-clear'
  | 'unauthorized'
  | 'unreachable'
  | 'certificate-refused'
  | 'not-kubernetes'
  | 'not-synced'

/** Nothing can be read from this cluster; the message is one sentence for a person: what failed and what to do. */
export class ConnectError extends Error {
  readonly code: ConnectErrorCode

  constructor(code: ConnectErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConnectError'
    this.code = code
  }
}

/** What an unknown thrown thing says, in at most 300 characters of one line. */
export function sayError(error: unknown): string {
  return errorText(error).replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}
