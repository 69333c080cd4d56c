import { percent, plural } from '@septet/domain/words'
import type { BillKind } from '@septet/domain'

import { hoursWords, moneyWords, textTable, type ReportColumn } from '../report/table.ts'
import type { BillView } from './bill-view.ts'

const KIND_WORDS = {
  'gpu-machine': 'Machines with GPUs',
  'unpriced-gpu': 'For GPUs, but in no price',
  'unused-commitment': 'Unused commitments',
  'unused-reservation': 'Unused reserved capacity',
  purchase: 'Purchases of commitments',
  'other-usage': 'Everything else that was used',
  tax: 'Taxes',
  credit: 'Credits',
  adjustment: 'Adjustments',
  correction: 'Corrections of earlier bills',
} satisfies Record<BillKind, string>

/** A bill as text for a terminal: what it is for, what a GPU-hour cost, and how a cluster compares with it. */
export const formatBill = (bill: BillView): string =>
  [
    ...heading(bill),
    '',
    ...whatFor(bill),
    '',
    ...machines(bill),
    ...commitments(bill),
    ...beside(bill),
    ...bill.notes,
    '',
  ].join('\n')

const heading = ({ from, to, charges, currency }: BillView): string[] => [
  `Bill, ${day(from)} to ${day(to)} UTC, ${plural(charges, 'charge')}, in ${currency}`,
]

function whatFor(bill: BillView): string[] {
  const { charges, billed, effective, compute, untyped } = bill
  const kinds = bill.kinds.filter((kind) => kind.charges > 0)
  const rows = [
    ...kinds.map(({ kind, ...amounts }) => ({ name: KIND_WORDS[kind], ...amounts })),
    { name: 'Total', charges, billed, effective },
  ]
  const columns: ReportColumn<(typeof rows)[number]>[] = [
    { title: 'What for', text: ({ name }) => name },
    { title: 'Charges', text: (row) => row.charges.toLocaleString('en-US'), right: true },
    { title: 'Billed', text: (row) => moneyWords(row.billed), right: true },
    { title: 'Effective', text: (row) => moneyWords(row.effective), right: true },
  ]
  return [
    ...textTable(rows, columns),
    'Billed is what the invoice says; effective spreads commitments over what they cover. They are never added together.',
    ...(compute > 0
      ? [
          `Of ${moneyWords(compute)} for machines, ${percent(untyped / compute)} is for machines whose size the bill does not tell.`,
        ]
      : []),
  ]
}

function machines({ machines: rows }: BillView): string[] {
  if (rows.length === 0) return ['It names no machine with GPUs.', '']
  const columns: ReportColumn<BillView['machines'][number]>[] = [
    { title: 'Machine', text: ({ instanceType, model }) => [instanceType, model].filter(Boolean).join(', ') },
    { title: 'Month', text: ({ month }) => month },
    { title: 'Region', text: ({ region }) => region },
    { title: 'Paid as', text: ({ capacity }) => capacity },
    { title: 'GPU-h', text: ({ gpuHours }) => hoursWords(gpuHours), right: true },
    { title: 'Effective', text: ({ effective }) => moneyWords(effective), right: true },
    { title: 'a GPU-h', text: ({ perGpuHour }) => moneyWords(perGpuHour), right: true },
    { title: 'List', text: ({ listPerGpuHour }) => moneyWords(listPerGpuHour), right: true },
  ]
  return [...textTable(rows, columns), '']
}

function commitments({ commitments: rows }: BillView): string[] {
  if (rows.length === 0) return []
  const columns: ReportColumn<BillView['commitments'][number]>[] = [
    { title: 'Commitment', text: ({ id }) => id },
    { title: 'Bought', text: ({ purchased }) => moneyWords(purchased), right: true },
    { title: 'Used', text: ({ used }) => moneyWords(used), right: true },
    { title: 'Not used', text: ({ unused }) => moneyWords(unused), right: true },
    { title: 'Saved against list', text: ({ savedAgainstList }) => moneyWords(savedAgainstList), right: true },
  ]
  const losing = rows.filter(({ savedAgainstList }) => savedAgainstList < 0)
  const note = `${plural(losing.length, 'commitment')} cost more than list prices would have: too little of it was used.`
  return [...textTable(rows, columns), ...(losing.length === 0 ? [] : [note]), '']
}

function beside({ reconciliation }: BillView): string[] {
  if (reconciliation === undefined) return []
  const { nodes, notOnBill, billed, seen, unseen, atOtherPrice, elsewhere } = reconciliation
  const rows = [
    { name: `Billed for ${plural(nodes.length, 'node')} of this cluster`, ...billed },
    { name: 'Known to Septet', ...seen },
    { name: 'Billed while Septet knew of no GPU', ...unseen },
    { name: 'Machines at a rate beside the mean of their type', gpuHours: undefined, cost: atOtherPrice },
    { name: `Elsewhere: ${plural(elsewhere.machines, 'machine')} with GPUs`, ...elsewhere },
  ]
  const columns: ReportColumn<(typeof rows)[number]>[] = [
    { title: 'This cluster beside the bill', text: ({ name }) => name },
    { title: 'GPU-h', text: ({ gpuHours }) => (gpuHours === undefined ? '' : hoursWords(gpuHours)), right: true },
    { title: 'Effective', text: ({ cost }) => moneyWords(cost), right: true },
  ]
  return [
    ...textTable(rows, columns),
    ...(notOnBill.length === 0
      ? []
      : [
          `${plural(notOnBill.length, 'node')} of this cluster ${notOnBill.length === 1 ? 'is' : 'are'} not on the bill: owned, or of another account.`,
        ]),
    '',
  ]
}

const day = (at: number | undefined): string => (at === undefined ? '?' : new Date(at).toISOString().slice(0, 10))
