import type { SettingStore } from '@septet/domain'
import { z } from 'zod'

import { masterSecrets, secretsFrom, type SecretSource, type Secrets } from './secrets.ts'

/** Where the root key is kept, sealed with the master secret; its purpose too. */
const ROOT_KEY = 'root-key'

const KeptSchema = z.object({ sealed: z.base64() })

/**
 * What everything is sealed and hashed with. At first that is the master secret itself. Once that is changed, what it was
 * becomes the root key, which is sealed with the new one: so a new master secret opens all that the old one sealed, and API
 * tokens go on working.
 *
 * `keep` writes the root key down under the new master secret: call it once what the database holds was opened with it.
 * Throws where neither secret opens the root key.
 */
export async function openRootKey(
  source: SecretSource,
  settings: Pick<SettingStore, 'get' | 'put'>,
): Promise<{ readonly secrets: Secrets; keep(): Promise<void> }> {
  const { now, before } = await masterSecrets(source)
  const [current, previous] = [secretsFrom(now), before && secretsFrom(before)]
  const kept = KeptSchema.safeParse(await settings.get(ROOT_KEY)).data
  const sealed = kept && Buffer.from(kept.sealed, 'base64')
  const known = sealed && opened(current, sealed)
  if (known !== undefined) return { secrets: secretsFrom(known), keep: async () => undefined }
  // With neither it is the newer one that does not fit.
  const root = sealed === undefined ? (before ?? now) : (previous ?? current).unseal(ROOT_KEY, sealed)
  return {
    secrets: secretsFrom(root),
    async keep() {
      if (before === undefined) return
      await settings.put(ROOT_KEY, { sealed: Buffer.from(current.seal(ROOT_KEY, root)).toString('base64') })
    },
  }
}

function opened(secrets: Secrets, sealed: Uint8Array): Uint8Array | undefined {
  try {
    return secrets.unseal(ROOT_KEY, sealed)
  } catch {
    return undefined
  }
}
