import { agree, grouped, percent, plural } from '../words.ts'
import type { Bill } from './bill.ts'
import type { BillAmounts } from './bill-amounts.ts'
import { dollarsOf, type Nanos } from './exact-money.ts'

/** Charges that could not be read, by what is wrong with them: in no sum. */
export type Flaw = {
  readonly flaw: string
  readonly lines: number
  /** Number of the first one, in the order of reading. */
  readonly first: number
  /** Of those whose effective cost can be read. */
  readonly effective: Nanos
  readonly costed: number
}

type Told = {
  readonly bill: Bill
  readonly flaws: readonly Flaw[]
  /** Of the second and later files, what stands in an earlier one. */
  readonly repeated: BillAmounts
}

/** What of a bill is in no price or in no sum: each reason once, with the money and the first charge. */
export const notesOf = ({ bill, flaws, repeated }: Told): readonly string[] => [
  ...repeatedNote(repeated, bill.currency),
  ...untypedNote(bill),
  ...atMost(bill.unread, ({ what, why, first, amounts }) => ({
    note: `${what}: ${amountsOf(amounts, bill.currency)} for GPUs ${inCharges(amounts.lines, first)} ${agree(amounts.lines, 'is', 'are')} in no price, because ${why}.`,
    lines: amounts.lines,
  })),
  ...atMost(flaws, ({ flaw, lines, first, effective, costed }) => ({
    note: `${plural(lines, 'charge')} could not be read and ${agree(lines, 'is', 'are')} in no sum, the first is charge ${grouped(first)}: ${flaw}.${costed === 0 ? ' What it costs is unknown.' : ` Effective cost: ${inCurrency(effective, bill.currency)}.`}`,
    lines,
  })),
]

const MOST = 20

/** The first reasons in full, and how many charges the others are. */
function atMost<Each>(
  all: readonly Each[],
  told: (each: Each) => { readonly note: string; readonly lines: number },
): readonly string[] {
  const notes = all.map(told)
  const rest = notes.slice(MOST)
  const lines = rest.reduce((sum, each) => sum + each.lines, 0)
  return [
    ...notes.slice(0, MOST).map(({ note }) => note),
    ...(rest.length === 0
      ? []
      : [`${plural(lines, 'charge')} more for ${plural(rest.length, 'other reason')} like these.`]),
  ]
}

const repeatedNote = ({ lines, billed }: BillAmounts, currency: string): readonly string[] =>
  lines === 0
    ? []
    : [
        `${plural(lines, 'charge')} in an earlier file too, ${inCurrency(billed, currency)} billed, ${agree(lines, 'counts', 'count')} once: the files overlap.`,
      ]

const untypedNote = ({ untyped, compute, currency }: Bill): readonly string[] =>
  untyped.lines === 0
    ? []
    : [
        `${plural(untyped.lines, 'charge')} of virtual machines, ${inCurrency(untyped.effective, currency)} effective${shareOf(untyped, compute)}, ${agree(untyped.lines, 'does', 'do')} not tell the machine type: machines with GPUs may be among them. Export the bill with SkuPriceDetails (FOCUS 1.1 or newer).`,
      ]

const shareOf = (untyped: BillAmounts, compute: BillAmounts): string =>
  compute.effective > 0n
    ? `, ${percent(Number(untyped.effective) / Number(compute.effective))} of what computing costs`
    : ''

const amountsOf = ({ billed, effective }: BillAmounts, currency: string): string =>
  billed === effective
    ? inCurrency(effective, currency)
    : `${inCurrency(billed, currency)} billed and ${inCurrency(effective, currency)} effective`

const inCharges = (lines: number, first: number): string =>
  lines === 1 ? `in charge ${grouped(first)}` : `in ${plural(lines, 'charge')} from charge ${grouped(first)} on`

const inCurrency = (amount: Nanos, currency: string): string =>
  `${currency} ${dollarsOf(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
