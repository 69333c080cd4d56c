import { invalidInput } from '@septet/contract'

import type { AccessService } from './access-service.ts'

/** The address that a text is, as accounts are kept by it. Throws a `Refusal` for a text that is none. */
export function addressOf(service: Pick<AccessService, 'readAddress'>, text: string): string {
  const email = service.readAddress(text)
  if (email !== undefined) return email
  throw invalidInput(`"${text}" is not an email address.`, 'Enter a complete one, like you@example.com.')
}
