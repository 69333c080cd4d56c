import { amount, receiptBaseline, receiptFigure } from './receipt-figures.ts'

/** A number that the site claims, beside what was measured of it. */
export type Claim = {
  /** What is claimed, as the specification of the site has it. */
  readonly value: string
  /** What a measurement gave, or what others published, and of what. */
  readonly found: string
  readonly label: string
  /** How it stands with the claim, in the words that the list of receipts uses. */
  readonly kind: string
  readonly href: string
}

const RECEIPTS = import.meta.glob<unknown>('../../../../../docs/receipts/claim-*.json', {
  eager: true,
  import: 'default',
})

const KINDS = { measured: 'measured', 'not-reached': 'not reached', published: 'published by others' } as const

const DAY = 'GPUs for the pods of the recorded day'
export const savedOnDay =
  100 * (1 - receiptFigure('claim-cost-savings', DAY) / receiptBaseline('claim-cost-savings', DAY))
export const busierOnDay = receiptFigure('claim-utilization', 'busy per GPU on the recorded day, times')
export const decidedMs = receiptFigure('claim-reconfiguration', 'plan with its bound, p95 warm')
export const knownModels = receiptFigure('claim-gpu-types', 'GPU models in the catalog')
const SLOW = 'seconds per inference with seven pods, MIG 1g.10gb'
export const sooner =
  100 * (1 - receiptFigure('claim-faster-inference', SLOW) / receiptBaseline('claim-faster-inference', SLOW))

/** The six claims. Their kinds are read from the receipts when the site is built, so that no page can say more. */
export const CLAIMS: readonly Claim[] = [
  claim('cost-savings', 'up to 60%', [`${amount(savedOnDay)}%`, 'fewer GPUs on a recorded day']),
  claim('utilization', 'up to 3x', [`${amount(busierOnDay, 2)}x`, 'GPU utilization on that day']),
  claim('seven-workloads', '7x', ['7', 'isolated workloads on one GPU']),
  claim('faster-inference', '50%', [`${amount(sooner)}%`, 'less inference time than time-slicing']),
  claim('reconfiguration', '50 ms', [`${amount(decidedMs)} ms`, 'to plan MIG layouts for 10,000 GPUs']),
  claim('gpu-types', '100+', [amount(knownModels), 'GPU models in the catalog']),
]

function claim(id: string, value: string, [found, label]: readonly [found: string, label: string]): Claim {
  return { value, found, label, kind: kindOf(id), href: `/receipts#${id}` }
}

function kindOf(id: string): string {
  const receipt = Object.entries(RECEIPTS).find(([path]) => path.endsWith(`/claim-${id}.json`))?.[1]
  const kind = typeof receipt === 'object' && receipt !== null && 'kind' in receipt ? receipt.kind : undefined
  const words = Object.entries(KINDS).find(([name]) => name === kind)?.[1]
  if (words === undefined) throw new Error(`docs/receipts/claim-${id}.json does not say how it stands with the claim`)
  return words
}
