import { amount, receiptFigure, receiptHref } from './receipt-figures.ts'

const FLEET = 'large-fleet'
const serverMib = receiptFigure(FLEET, 'resident memory of the server process')
const ofFleet = (figure: string): string => amount(receiptFigure(FLEET, figure))

export type RunningCost = {
  readonly what: string
  readonly value: string
  readonly note: string
  readonly href: string
}

export const PRICING = {
  title: 'Free, and yours to run',
  price: '$0',
  terms: 'Apache-2.0, self-hosted, every feature. No key, no seat count, no limit on GPUs.',
  costsTitle: 'What it costs to run',
  costsLead:
    'Measured with 10,000 simulated GPUs and 50,000 pods, on two cores that also ran PostgreSQL and the demo cluster.',
  missingTitle: 'What is not there',
}

/** What an installation takes, by the receipts. */
export const RUNNING_COSTS: readonly RunningCost[] = [
  {
    what: 'Memory of the server',
    value: `${amount(serverMib)} MiB`,
    note: `${serverMib > 768 ? 'over' : 'within'} its aim of 768 MiB; small fleets were not measured`,
    href: receiptHref(FLEET),
  },
  {
    what: 'Memory of PostgreSQL',
    value: `${ofFleet('memory of PostgreSQL, shared pages counted once')} MiB`,
    note: 'bundled, or your own',
    href: receiptHref(FLEET),
  },
  {
    what: 'Disk for a day',
    value: `${amount(receiptFigure('storage', 'a day of 5-minute rows at 10,000 GPUs'))} MiB`,
    note: 'five-minute rows of 10,000 GPUs, projected from the size of a row',
    href: receiptHref('storage'),
  },
  {
    what: 'From a fresh clone to the first page',
    value: `${amount(receiptFigure('start', 'git clone, install, build and start to first page'))} s`,
    note: `${amount(receiptFigure('start', 'warm start to first page, median'), 1)} s from the second start on`,
    href: receiptHref('start'),
  },
]

export const MISSING: readonly string[] = [
  'No paid edition, and no feature held back for one.',
  'No hosted service: nobody runs it for you.',
  'No support contract and no promised response time.',
  'No tracking, no license server, no call home.',
  'No warranty: the license says so in its sections 7 and 8.',
]
