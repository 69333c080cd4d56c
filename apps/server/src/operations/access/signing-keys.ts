import { Refusal, type InputOf, type OutputOf, type signingKeysRotate } from '@septet/contract'

import type { AccessService } from './access-service.ts'

/** Signs with a new key from now on. */
export async function rotateSigningKeys(
  service: AccessService,
  input: InputOf<typeof signingKeysRotate>,
): Promise<OutputOf<typeof signingKeysRotate>> {
  if (service.mode === 'hosted') {
    throw new Refusal(
      'not-found',
      'Access tokens are signed by the hosted project that holds the accounts.',
      'Rotate the keys of that project; Septet follows what it publishes.',
    )
  }
  const [kid = '', ...verifying] = await service.rotateKeys(input)
  return { kid, verifying }
}
