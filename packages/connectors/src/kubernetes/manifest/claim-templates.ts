import type { GpuRequest } from '@septet/domain'
import { CHOOSES, parseClaim } from '../read/parse-claim.ts'
import { itemsIn, objectIn, textIn, type Raw } from './raw.ts'

/** ResourceClaims and their templates of a manifest, by kind and name. */
export type ClaimTemplates = ReadonlyMap<string, AskedByClaim>

/** What a claim asks for; in words what of it is not judged. */
type AskedByClaim = { readonly asked: readonly GpuRequest[] } | { readonly unknown: string }

export const claimKey = (kind: string, name: string): string => `${kind}/${name}`

export function claimTemplates(objects: readonly Raw[]): ClaimTemplates {
  const found = objects.flatMap((raw): [string, AskedByClaim][] => {
    const kind = textIn(raw, 'kind')
    const name = textIn(raw, 'metadata', 'name')
    if (kind === 'ResourceClaimTemplate')
      return [[claimKey(kind, name), readClaim(objectIn(raw, 'spec', 'spec'), name)]]
    return kind === 'ResourceClaim' ? [[claimKey(kind, name), readClaim(objectIn(raw, 'spec'), name)]] : []
  })
  return new Map(found)
}

function readClaim(spec: Raw, name: string): AskedByClaim {
  const facts = parseClaim({
    metadata: { name, namespace: '', uid: name, creationTimestamp: '2000-01-01T00:00:00Z' },
    spec,
  })
  if (facts?.chooses === true) return { unknown: `the claim ${name} ${CHOOSES}` }
  return facts !== undefined || itemsIn(spec, 'devices', 'requests').length === 0
    ? { asked: facts?.asked ?? [] }
    : { unknown: `the claim ${name} asks for devices that are not judged` }
}
