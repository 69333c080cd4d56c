import type { GpuRequest } from '@septet/domain'
import { parseClaim } from '../read/parse-claim.ts'
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
  const requests = itemsIn(spec, 'devices', 'requests')
  if (itemsIn(spec, 'devices', 'constraints').length > 0 || !requests.every(isPlain))
    return { unknown: `the claim ${name} chooses devices by rules that are not judged` }
  const facts = parseClaim({
    metadata: { name, namespace: '', uid: name, creationTimestamp: '2000-01-01T00:00:00Z' },
    spec,
  })
  const asked = facts?.asked ?? []
  return asked.length > 0 || requests.length === 0
    ? { asked }
    : { unknown: `the claim ${name} asks for devices that are not judged` }
}

const CLASSES: ReadonlySet<string> = new Set(['gpu.nvidia.com', 'mig.nvidia.com'])
const PROFILE = /^\s*device\.attributes\[['"]gpu\.nvidia\.com['"]\]\.profile\s*==\s*['"][\w.+-]+['"]\s*$/u

/** A number of whole GPUs, or of one MIG profile. */
function isPlain(request: unknown): boolean {
  const exact = Object.keys(objectIn(request, 'exactly')).length > 0 ? objectIn(request, 'exactly') : objectIn(request)
  const name = textIn(exact, 'deviceClassName')
  const selectors = itemsIn(exact, 'selectors')
  const isMig = name === 'mig.nvidia.com'
  return (
    CLASSES.has(name) &&
    itemsIn(request, 'firstAvailable').length === 0 &&
    (textIn(exact, 'allocationMode') || 'ExactCount') === 'ExactCount' &&
    exact['adminAccess'] !== true &&
    Object.keys(objectIn(exact, 'capacity')).length === 0 &&
    selectors.length === (isMig ? 1 : 0) &&
    selectors.every((selector) => PROFILE.test(textIn(selector, 'cel', 'expression')))
  )
}
