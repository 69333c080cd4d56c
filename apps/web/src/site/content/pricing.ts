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
  title: 'Free and self-hosted',
  price: '$0',
  terms: 'Apache-2.0, every feature, any number of GPUs. No license key, no tracking.',
  limits: 'No hosted edition, support contract, or warranty.',
  costsTitle: 'What it takes to run',
  costsLead: 'Measured with 10,000 simulated GPUs on two cores.',
}

/** What an installation takes, by the receipts. */
export const RUNNING_COSTS: readonly RunningCost[] = [
  {
    what: 'Server memory',
    value: `${amount(serverMib)} MiB`,
    note: `${serverMib > 768 ? 'over' : 'within'} its 768 MiB target`,
    href: receiptHref(FLEET),
  },
  {
    what: 'PostgreSQL memory',
    value: `${ofFleet('memory of PostgreSQL, shared pages counted once')} MiB`,
    note: 'bundled or external',
    href: receiptHref(FLEET),
  },
  {
    what: 'Disk per day',
    value: `${amount(receiptFigure('storage', 'a day of 5-minute rows at 10,000 GPUs'))} MiB`,
    note: 'projected',
    href: receiptHref('storage'),
  },
  {
    what: 'Clone to first page',
    value: `${amount(receiptFigure('start', 'git clone, install, build and start to first page'))} s`,
    note: `warm start ${amount(receiptFigure('start', 'warm start to first page, median'), 1)} s`,
    href: receiptHref('start'),
  },
]
