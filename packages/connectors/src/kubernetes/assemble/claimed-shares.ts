import { compareText, type GpuShare, ratio } from '@septet/domain'
import type { ClaimFacts } from '../read/parse-claim.ts'
import type { DeviceFacts } from '../read/parse-device.ts'

/** Claims that take a part of a device each, by device. */
export type Sharers = ReadonlyMap<string, readonly Sharer[]>
type Sharer = { readonly claim: ClaimFacts; readonly consumed: Readonly<Record<string, number>> }

export function sharersByDevice(
  claims: readonly ClaimFacts[],
  keyOf: (device: ClaimFacts['allocated'][number]) => string,
): Sharers {
  const parts = claims.flatMap((claim) =>
    claim.allocated.flatMap((device) =>
      device.consumed === undefined ? [] : [{ key: keyOf(device), claim, consumed: device.consumed }],
    ),
  )
  return Map.groupBy(parts, ({ key }) => key)
}

/** Which pod has how much of a GPU that claims share: the largest part that it takes of anything. Pods of one claim share alike. */
export function claimedShares(
  { uuid: gpu, kind, shareable }: DeviceFacts,
  sharers: readonly Sharer[],
): readonly GpuShare[] {
  if (gpu === undefined || kind !== 'gpu' || shareable === undefined) return []
  return sharers
    .flatMap(({ claim, consumed }) => {
      const parts = Object.entries(consumed).flatMap(([name, amount]) => {
        const all = shareable[name] ?? 0
        return all > 0 ? [amount / all] : []
      })
      const share = parts.length === 0 ? 1 : Math.min(1, Math.max(...parts))
      return claim.reservedFor.map((pod) => ({
        gpu,
        index: undefined,
        pod,
        share: ratio(share / claim.reservedFor.length),
      }))
    })
    .toSorted((a, b) => compareText(a.pod, b.pod))
}
