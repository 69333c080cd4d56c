import { amount, receiptBaseline, receiptFigure, receiptHref } from './receipt-figures.ts'

export type FeatureDrawing = 'partitioning' | 'allocation' | 'cost' | 'monitoring' | 'tenancy' | 'analytics'

export type Feature = {
  /** Which drawing stands in place of an icon. */
  readonly icon: FeatureDrawing
  readonly title: string
  readonly description: string
  readonly evidence: { readonly text: string; readonly href: string }
}

export const FEATURES_HEAD = {
  title: 'What Septet does',
  lead: 'Finds idle GPU time, plans a better layout, rolls it out safely, and measures the savings.',
}

const FLEET = 'large-fleet'
const OPENB = 'default, 130 %: septet'
const DAY = 'GPUs for the pods of the recorded day'
const RECUT = 'shared: displaced at fewest GPUs, exact, beside a repack'

/** The six promises of the product, each with its evidence. */
export const FEATURES: readonly Feature[] = [
  {
    icon: 'partitioning',
    title: 'Dynamic GPU partitioning',
    description:
      'MIG layouts sized for running and queued work, applied node by node and rolled back if a check fails.',
    evidence: {
      text: `${amount(receiptFigure('fleet-reconfiguration', RECUT))} pods displaced, not ${amount(receiptBaseline('fleet-reconfiguration', RECUT))}`,
      href: receiptHref('fleet-reconfiguration'),
    },
  },
  {
    icon: 'allocation',
    title: 'Dynamic allocation',
    description:
      'Picks the best GPU or slice for each pod, and replays on your own trace. Your scheduler still binds the pods.',
    evidence: {
      text: `${amount(receiptFigure('online-placement', OPENB), 1)}% allocated, FGD ${amount(receiptBaseline('online-placement', OPENB), 1)}%`,
      href: receiptHref('online-placement'),
    },
  },
  {
    icon: 'cost',
    title: 'Cost reduction',
    description: 'Every GPU-hour is accounted for: used, idle, unallocated, stranded, oversized, or broken.',
    evidence: {
      text: `${amount(receiptFigure('claim-cost-savings', DAY))} GPUs did the work of ${amount(receiptBaseline('claim-cost-savings', DAY))}`,
      href: receiptHref('claim-cost-savings'),
    },
  },
  {
    icon: 'monitoring',
    title: 'Performance monitoring',
    description: 'Per-instance metrics from dcgm-exporter or Prometheus, with alerts to Slack, email, or a webhook.',
    evidence: {
      text: `10,000 GPUs summarized in ${amount(receiptFigure(FLEET, 'GET /api/v1/summary, p99'))} ms, p99`,
      href: receiptHref(FLEET),
    },
  },
  {
    icon: 'tenancy',
    title: 'Secure multi-tenancy',
    description: 'Hardware isolation through MIG, plus roles, namespace scopes, and an audit log.',
    evidence: { text: 'Every permission, explained', href: '/docs/configuration' },
  },
  {
    icon: 'analytics',
    title: 'Utilization analytics',
    description: 'Capacity from installed to effective over any time range, with the formula behind each number.',
    evidence: { text: 'Metric definitions', href: '/docs/glossary' },
  },
]
