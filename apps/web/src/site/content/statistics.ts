import { busierOnDay, CLAIMS, decidedMs, knownModels, savedOnDay, sooner, type Claim } from './claims.ts'
import { amount, receiptBaseline, receiptFigure } from './receipt-figures.ts'

/** A headline claim beside what was found, for a scale that shows both. */
export type Statistic = Claim & {
  readonly claim: string
  /** What the number alone would hide; one sentence. */
  readonly caveat: string
  /** In one unit, from 0 to `end`; `best` is what the best of several made inputs gave. */
  readonly scale: { readonly claimed: number; readonly found: number; readonly best?: number; readonly end: number }
}

export const STATISTICS_HEAD = {
  title: 'Claims and measurements',
  lead: 'Tick: claim. Solid: measured. Light: best generated workload, or published by others.',
}

const LISTS = 'GPUs for 45 generated lists, proven fewest'
const SEVEN = 'throughput of 7 × 1g.5gb with one equal job each, over one such job on the whole GPU'
const savedOnLists =
  100 * (1 - receiptFigure('claim-cost-savings', LISTS) / receiptBaseline('claim-cost-savings', LISTS))
const savedAtBest = receiptFigure('claim-cost-savings', 'saved on the mix skew-small')
const timesAtBest = receiptFigure('claim-utilization', 'busy per GPU on the mix skew-small, times')

export const STATISTICS: readonly Statistic[] = [
  {
    ...claimed('cost-savings'),
    claim: 'up to 60% lower GPU cost, 40-60% on average',
    caveat: `${amount(savedOnLists)}% on generated workloads.`,
    scale: { claimed: 60, found: savedOnDay, best: savedAtBest, end: 100 },
  },
  {
    ...claimed('utilization'),
    claim: 'up to 3x utilization',
    caveat: `${amount(timesAtBest, 2)}x on the best generated workload.`,
    scale: { claimed: 3, found: busierOnDay, best: timesAtBest, end: 4 },
  },
  {
    ...claimed('seven-workloads'),
    claim: '7x workloads per GPU',
    caveat: `Together they do ${amount(receiptFigure('claim-seven-workloads', SEVEN), 2)}x the work of one.`,
    scale: { claimed: 7, found: receiptFigure('claim-seven-workloads', 'smallest instances on one GPU'), end: 8 },
  },
  {
    ...claimed('faster-inference'),
    claim: '50% faster inference',
    caveat: 'With seven pods. A lone pod runs slower on a slice.',
    scale: { claimed: 50, found: sooner, end: 100 },
  },
  {
    ...claimed('reconfiguration'),
    claim: '50 ms to plan a reconfiguration',
    caveat: 'Planning only; applying takes driver time.',
    scale: { claimed: 50, found: decidedMs, end: 60 },
  },
  {
    ...claimed('gpu-types'),
    claim: '100+ GPU types',
    caveat: 'From published specifications.',
    scale: { claimed: 100, found: knownModels, end: 200 },
  },
]

function claimed(id: string): Claim {
  const claim = CLAIMS.find(({ href }) => href.endsWith(`#${id}`))
  if (claim === undefined) throw new Error(`There is no claim “${id}” in claims.ts`)
  return claim
}
