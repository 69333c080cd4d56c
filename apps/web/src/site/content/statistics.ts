import { CLAIMS, type Claim } from './claims.ts'
import { amount, receiptBaseline, receiptFigure } from './receipt-figures.ts'

/** A headline claim beside what was found, for a scale that shows both. */
export type Statistic = Pick<Claim, 'value' | 'kind' | 'href'> & {
  readonly label: string
  readonly found: string
  /** In one unit, from 0 to `end`; `best` is what the best of several made inputs gave. */
  readonly scale: { readonly claimed: number; readonly found: number; readonly best?: number; readonly end: number }
}

export const STATISTICS_HEAD = {
  title: 'What is claimed, and what was found',
  lead: 'The mark is the claim. Solid is what a measurement gave; light is the best of several generated inputs, or what others published. A claim that was not reached says so.',
}

const DAY = 'GPUs for the pods of the recorded day'
const LISTS = 'GPUs for 45 made lists, proven fewest'
const SEVEN = 'throughput of 7 × 1g.5gb with one equal job each, over one such job on the whole GPU'

const fewerOf = (receipt: string, figure: string): number =>
  100 * (1 - receiptFigure(receipt, figure) / receiptBaseline(receipt, figure))

const savedOnDay = fewerOf('claim-cost-savings', DAY)
const savedAtBest = receiptFigure('claim-cost-savings', 'saved on the mix skew-small')
const timesOnDay = receiptFigure('claim-utilization', 'busy per GPU on the recorded day, times')
const timesAtBest = receiptFigure('claim-utilization', 'busy per GPU on the mix skew-small, times')
const sooner = fewerOf('claim-faster-inference', 'seconds per inference with seven pods, MIG 1g.10gb')
const decidedMs = receiptFigure('claim-reconfiguration', 'plan with its bound, p95 warm')
const models = receiptFigure('claim-gpu-types', 'GPU models in the catalog')

export const STATISTICS: readonly Statistic[] = [
  {
    ...claimed('cost-savings'),
    label: 'lower GPU cost, 40-60% on average',
    found: `${amount(savedOnDay, 1)}% fewer GPUs on a recorded day; ${amount(fewerOf('claim-cost-savings', LISTS), 1)}% on 45 generated lists, ${amount(savedAtBest, 1)}% on the best mix`,
    scale: { claimed: 60, found: savedOnDay, best: savedAtBest, end: 100 },
  },
  {
    ...claimed('utilization'),
    label: 'GPU utilization',
    found: `${amount(timesOnDay, 2)} times as busy on a recorded day; ${amount(timesAtBest, 2)} on the best of the generated mixes`,
    scale: { claimed: 3, found: timesOnDay, best: timesAtBest, end: 4 },
  },
  {
    ...claimed('seven-workloads'),
    label: 'isolated workloads on one GPU',
    found: `Seven at once, doing ${amount(receiptFigure('claim-seven-workloads', SEVEN), 2)} times the work of one. Not seven times the utilization`,
    scale: { claimed: 7, found: receiptFigure('claim-seven-workloads', 'smallest instances on one GPU'), end: 8 },
  },
  {
    ...claimed('faster-inference'),
    label: 'faster inference than time-slicing',
    found: `${amount(sooner, 1)}% less time per inference with seven pods on one GPU; alone, a pod is slower on a MIG device`,
    scale: { claimed: 50, found: sooner, end: 100 },
  },
  {
    ...claimed('reconfiguration'),
    label: 'to decide a reconfiguration',
    found: `${amount(decidedMs)} ms for 10,000 GPUs and 50,000 workloads. The decision alone: the driver then takes its time`,
    scale: { claimed: 50, found: decidedMs, end: 60 },
  },
  {
    ...claimed('gpu-types'),
    label: 'GPU types',
    found: `${amount(models)} models in the catalog; no GPU was tried`,
    scale: { claimed: 100, found: models, end: 200 },
  },
]

function claimed(id: string): Pick<Claim, 'value' | 'kind' | 'href'> {
  const claim = CLAIMS.find(({ href }) => href.endsWith(`#${id}`))
  if (claim === undefined) throw new Error(`There is no claim “${id}” in claims.ts`)
  return { value: claim.value, kind: claim.kind, href: claim.href }
}
