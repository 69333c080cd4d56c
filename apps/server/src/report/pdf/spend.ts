import { textOf } from '@septet/contract/says'
import { dollars, short } from '@septet/domain/words'
import { COST_PARTS, isIdleKnown, wasteOf } from '@septet/domain'

import type { Report } from '../../operations/report/report.ts'
import type { LookName } from './looks.ts'

type Hours = NonNullable<Report['summary']['cost']['hours']>
type Amounts = Readonly<Record<keyof Hours, number | null>>

/** What GPU time was spent, in dollars, or in GPU-hours where nothing has a price. */
export type Spend = {
  readonly isPriced: boolean
  /** Of some namespaces: what these held. Else the whole capacity. */
  readonly isOfNamespaces: boolean
  readonly whole: number
  /** Everything but what was used; a lower bound where idle time is not known. */
  readonly wasted: number
  readonly isIdleKnown: boolean
  readonly parts: readonly SpendPart[]
}

export type SpendPart = {
  readonly key: Exclude<keyof Hours, 'capacity'>
  readonly name: string
  readonly look: LookName
  /** What it means to somebody who runs no cluster. */
  readonly means: string
  /** Undefined: not measured, which is not 0. */
  readonly amount: number | undefined
  /** Of the whole, 0 to 1. */
  readonly share: number
  /** Its length in the bar: what was not measured is drawn apart from the rest of what was used. */
  readonly drawn: number
}

/** In the order of the Summary screen; what was not measured is a part of what was used. */
const PARTS = [
  { key: 'used', name: 'Used', look: 'busy', means: 'Work ran on it.' },
  {
    key: 'unmeasured',
    name: 'not measured',
    look: 'unknown',
    means: 'Part of used: held by work that reports no usable metrics.',
  },
  { key: 'oversized', name: 'Oversized', look: 'oversized', means: 'Work runs on more GPU than its peak needs.' },
  { key: 'idleHeld', name: 'Idle-held', look: 'idle', means: 'Reserved by a team, but nothing runs on it.' },
  { key: 'unallocated', name: 'Unallocated', look: 'free', means: 'Ready for work, but not requested.' },
  {
    key: 'stranded',
    name: 'Stranded',
    look: 'stranded',
    means: 'Free, but partitioned into shapes that no work fits.',
  },
  { key: 'broken', name: 'Broken', look: 'broken', means: 'Paid for and out of service: node down or GPU fault.' },
  {
    key: 'unrequested',
    name: 'Used without a request',
    look: 'others',
    means: 'Busy with work that no pod requested.',
  },
  { key: 'unobserved', name: 'Not observed', look: 'unknown', means: 'Nothing recorded what it did.' },
] as const satisfies readonly { key: SpendPart['key']; name: string; look: LookName; means: string }[]

const RARE: ReadonlySet<string> = new Set(['unmeasured', 'unrequested', 'unobserved'])
const NEEDS_TELEMETRY: ReadonlySet<string> = new Set(['idleHeld', 'oversized'])

/** What was spent and on what; undefined where there is nothing to divide, as in sample data. */
export function spendOf({ summary: { cost } }: Pick<Report, 'summary'>): Spend | undefined {
  const { hours } = cost
  if (hours === null || hours.capacity <= 0) return undefined
  const isPriced = cost.capacity.value !== null
  const amounts = isPriced ? moneyOf(cost, hours) : hours
  const whole = amounts.capacity ?? 0
  const known = isIdleKnown(hours)
  return {
    isPriced,
    isOfNamespaces: hours.unallocated === null,
    whole,
    wasted: wasteOf(amounts),
    isIdleKnown: known,
    parts: spendParts(amounts, known),
  }
}

/** Amounts of parts that a bar divides a whole into. */
export function spendParts(amounts: Amounts, known: boolean): readonly SpendPart[] {
  const whole = amounts.capacity ?? 0
  const shareOf = (amount: number): number => (whole > 0 ? amount / whole : 0)
  return PARTS.flatMap((part) => {
    const amount = amounts[part.key]
    if (amount === null || (RARE.has(part.key) && amount === 0)) return []
    const drawn = shareOf(part.key === 'used' ? amount - (amounts.unmeasured ?? 0) : amount)
    const isKnown = known || !NEEDS_TELEMETRY.has(part.key)
    return [{ ...part, amount: isKnown ? amount : undefined, share: shareOf(amount), drawn: isKnown ? drawn : 0 }]
  })
}

function moneyOf(cost: Report['summary']['cost'], hours: Hours): Amounts {
  const keys = ['unmeasured', ...COST_PARTS] as const
  const money: Amounts = { ...hours, capacity: cost.capacity.value }
  return keys.reduce((sums, key) => ({ ...sums, [key]: hours[key] === null ? null : cost[key].value }), money)
}

/** An amount in the unit of the spending. */
export const amountWords = (amount: number, { isPriced }: Pick<Spend, 'isPriced'>): string =>
  isPriced ? dollars(amount) : `${short(amount)} GPU-h`

/** The one sentence of a report. */
export const spendSentence = ({ summary }: Pick<Report, 'summary'>): string => textOf(summary.says, /^cost\.hours$/u)
