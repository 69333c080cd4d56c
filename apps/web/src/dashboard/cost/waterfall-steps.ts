import { isIdleKnown, type CostPart } from '@septet/domain'

import type { ShownAmounts } from './cost-words.ts'

export type Step = {
  readonly key: 'capacity' | CostPart
  readonly name: string
  readonly meaning: 'free' | 'stranded' | 'idle' | 'oversized' | 'broken' | 'busy' | 'unknown' | 'others'
  readonly amount: number
  /** Where its bar begins and ends, as shares of the capacity. */
  readonly from: number
  readonly to: number
  /** Whether it was measured at all: where it was not, its amount is no 0. */
  readonly known: boolean
  /** What exactly it is. */
  readonly is: string
  /** Of what is used: what nobody measured. */
  readonly unmeasured: number
}

const LOSSES = [
  {
    key: 'unobserved',
    name: 'Not observed',
    meaning: 'unknown',
    is: 'The GPU was there, but neither Septet nor a metrics engine saw what it did.',
  },
  {
    key: 'unrequested',
    name: 'Used without a request',
    meaning: 'others',
    is: 'Busy with work that no pod requested, such as a process on the host.',
  },
  {
    key: 'broken',
    name: 'Broken',
    meaning: 'broken',
    is: 'Paid for but unusable: the node was not ready or withheld the GPU, or a fault stopped it.',
  },
  { key: 'stranded', name: 'Stranded', meaning: 'stranded', is: 'Free, but in a shape no MIG profile fits.' },
  {
    key: 'unallocated',
    name: 'Unallocated',
    meaning: 'free',
    is: 'Free, in a shape a workload could use.',
  },
  {
    key: 'idleHeld',
    name: 'Idle-held',
    meaning: 'idle',
    is: 'Held, but below the idle threshold for at least the policy’s minimum time.',
  },
  {
    key: 'oversized',
    name: 'Oversized',
    meaning: 'oversized',
    is: 'Held and working, but larger than the smallest profile that fits the workload’s peak.',
  },
] as const

const RARE: ReadonlySet<string> = new Set(['unobserved', 'unrequested'])
const NEEDS_TELEMETRY: ReadonlySet<string> = new Set(['idleHeld', 'oversized'])

/** From the capacity down to what was used: every loss takes from where the one before ended, so that the bars add up. */
export function waterfallSteps(parts: ShownAmounts): readonly Step[] {
  const shareOf = (amount: number): number => (parts.capacity > 0 ? amount / parts.capacity : 0)
  const isOfNamespaces = parts.unallocated === null
  let left = parts.capacity
  const losses = LOSSES.flatMap((loss): Step[] => {
    const amount = parts[loss.key]
    // What is rare has no row while there is none of it.
    if (amount === null || (amount === 0 && RARE.has(loss.key))) return []
    const to = left
    left -= amount
    const known = !NEEDS_TELEMETRY.has(loss.key) || isIdleKnown(parts)
    return [{ ...loss, amount, known, from: shareOf(Math.max(0, left)), to: shareOf(to), unmeasured: 0 }]
  })
  return [
    {
      key: 'capacity',
      name: isOfNamespaces ? 'Held' : 'Capacity',
      meaning: 'free',
      amount: parts.capacity,
      known: true,
      from: 0,
      to: shareOf(parts.capacity),
      is: isOfNamespaces ? 'Everything your namespaces held.' : 'All GPUs × time.',
      unmeasured: 0,
    },
    ...losses,
    {
      key: 'used',
      name: 'Used',
      meaning: 'busy',
      amount: parts.used,
      known: true,
      from: 0,
      to: shareOf(parts.used),
      is: 'Held and working, or held without reliable telemetry.',
      unmeasured: shareOf(parts.unmeasured),
    },
  ]
}
