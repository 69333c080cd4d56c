import { amount, receiptFigure } from './receipt-figures.ts'

/** A number that the site claims, in the words of its receipt. */
export type Claim = {
  readonly value: string
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

/** The six claims. Their kinds are read from the receipts when the site is built, so that no page can say more. */
export const CLAIMS: readonly Claim[] = [
  claim('cost-savings', 'up to 60%', 'lower GPU cost than one workload per GPU'),
  claim('utilization', 'up to 3x', `utilization: ${reached()}x on a recorded day`),
  claim('seven-workloads', '7x', 'isolated workloads on one GPU'),
  claim('faster-inference', '50%', 'faster inference than time-slicing, at seven pods'),
  claim('reconfiguration', '50 ms', 'to decide the layouts of 10,000 GPUs'),
  claim('gpu-types', '100+', 'GPU types known'),
]

function claim(id: string, value: string, label: string): Claim {
  return { value, label, kind: kindOf(id), href: `/receipts#${id}` }
}

function kindOf(id: string): string {
  const receipt = Object.entries(RECEIPTS).find(([path]) => path.endsWith(`/claim-${id}.json`))?.[1]
  const kind = typeof receipt === 'object' && receipt !== null && 'kind' in receipt ? receipt.kind : undefined
  const words = Object.entries(KINDS).find(([name]) => name === kind)?.[1]
  if (words === undefined) throw new Error(`docs/receipts/claim-${id}.json does not say how it stands with the claim`)
  return words
}

function reached(): string {
  return amount(receiptFigure('claim-utilization', 'busy per GPU on the recorded day, times'), 2)
}
