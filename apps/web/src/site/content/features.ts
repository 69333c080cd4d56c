import { amount, receiptBaseline, receiptFigure, receiptHref } from './receipt-figures.ts'

export type FeatureDrawing = 'partitioning' | 'allocation' | 'cost' | 'monitoring' | 'tenancy' | 'analytics'

export type Feature = {
  /** Which drawing stands in place of an icon. */
  readonly icon: FeatureDrawing
  readonly title: string
  readonly description: string
  /** What this version does, and what it does not do yet. */
  readonly today: string
  readonly evidence: { readonly text: string; readonly href: string }
}

const FLEET = 'large-fleet'
const OPENB = 'default, 130 %: septet'
const DAY = 'GPUs for the pods of the recorded day'
const RECUT = 'shared: displaced at fewest GPUs, exact, beside a repack'

/** The six promises of the product, each with what is true of it in this version. */
export const FEATURES: readonly Feature[] = [
  {
    icon: 'partitioning',
    title: 'Dynamic GPU partitioning',
    description:
      'Septet works out how each GPU should be cut for the work that runs and waits: MIG profiles at placements the driver accepts, and the order that gets there with the fewest pods displaced.',
    today:
      'Approve a plan and Septet carries it out through mig-manager: dry run, one node at a time, verified, taken back if it fails. Or take the same plan as files for a pull request.',
    evidence: {
      text: `${amount(receiptFigure('fleet-reconfiguration', RECUT))} pods displaced where a plain repack displaces ${amount(receiptBaseline('fleet-reconfiguration', RECUT))}`,
      href: receiptHref('fleet-reconfiguration'),
    },
  },
  {
    icon: 'allocation',
    title: 'Dynamic allocation',
    description:
      'For each pod: which GPU, which partition, and what that choice leaves for the next one. The same policy can be replayed on your own trace before anyone relies on it.',
    today:
      'Septet advises and simulates. It ships no scheduler: Kubernetes, Kueue or the scheduler you run still binds pods.',
    evidence: {
      text: `${amount(receiptFigure('online-placement', OPENB), 2)}% of 6,212 GPUs allocated on a public trace; FGD ${amount(receiptBaseline('online-placement', OPENB), 2)}% in the same run`,
      href: receiptHref('online-placement'),
    },
  },
  {
    icon: 'cost',
    title: 'Cost reduction',
    description:
      'Every GPU-hour goes into one of six parts: used, idle-held, unallocated, stranded, oversized, broken. They add up to what you pay, and each part of the waste has a name and an owner.',
    today:
      'Findings carry an estimate and the evidence behind it. After a change the saving is measured against the week before, with its interval, and never added to estimates.',
    evidence: {
      text: `${amount(receiptFigure('claim-cost-savings', DAY))} GPUs for a recorded day of ${amount(receiptBaseline('claim-cost-savings', DAY))} pods that held one each`,
      href: receiptHref('claim-cost-savings'),
    },
  },
  {
    icon: 'monitoring',
    title: 'Performance monitoring',
    description:
      'Reads dcgm-exporter, or any Prometheus-compatible engine that holds its metrics, per GPU instance. A reading that cannot be trusted becomes “not measured” with the reason, never a zero.',
    today:
      'Live events reach the page without reloading. Alerts go to Slack, mail or a webhook of your own; recording and alerting rules ship for Prometheus.',
    evidence: {
      text: `Summary of 10,000 GPUs answered in ${amount(receiptFigure(FLEET, 'GET /api/v1/summary, p99'))} ms, 99th percentile`,
      href: receiptHref(FLEET),
    },
  },
  {
    icon: 'tenancy',
    title: 'Secure multi-tenancy',
    description:
      'MIG separates memory and compute in hardware, and plans keep tenants that must not share a GPU apart. People get a role and the namespaces they may see, checked on the server at each request.',
    today:
      'Accounts with a second factor, three roles, API tokens, and an audit log. In the cluster Septet only reads, and no Secrets. It sets no quota and no network policy for you.',
    evidence: { text: 'The reader role and what each right is for', href: '/docs/configuration' },
  },
  {
    icon: 'analytics',
    title: 'Utilization analytics',
    description:
      'From what exists to what is effective: capacity, allocated, active, effective, over any range. MIG efficiency stays four numbers, because one blended figure hides which of them to fix.',
    today: 'Each figure says its formula, its window and how much of the window was measured.',
    evidence: { text: 'What each word means', href: '/docs/glossary' },
  },
]
