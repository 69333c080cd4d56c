import { amount, receiptFigure, receiptHref } from './receipt-figures.ts'

export type IntegrationStep = {
  readonly step: number
  readonly title: string
  readonly description: string
  readonly time: 'under 1 minute' | '2-3 minutes' | 'instant'
  /** The same time as a bar: it ends between these minutes after the one before. */
  readonly minutes: { readonly least: number; readonly most: number }
  readonly command: string
  /** The end of the description, where the documentation says how. */
  readonly how?: { readonly text: string; readonly href: string }
}

/** Something that another product writes into the cluster, and what Septet makes of it. */
type ReadFact = { readonly what: string; readonly use: string }

export type Neighbor = { readonly name: string; readonly role: string; readonly facts: readonly ReadFact[] }

const FRESH = 'git clone, install, build and start to first page'

export const INTEGRATION = {
  title: 'Works alongside Karpenter',
  lead: 'Karpenter picks the nodes. Septet slices their GPUs, and honors Karpenter’s disruption rules.',
  fold: 'What Septet reads',
  measured: {
    text: `Clone to first page, measured: ${amount(receiptFigure('start', FRESH))} s`,
    href: receiptHref('start'),
  },
} as const

export const INTEGRATION_STEPS: readonly IntegrationStep[] = [
  {
    step: 1,
    title: 'Grant read access',
    description: 'Get, list, and watch. No Secrets, no writes.',
    time: 'under 1 minute',
    minutes: { least: 0, most: 1 },
    command: 'kubectl apply -f deploy/reader-clusterrole.yaml',
  },
  {
    step: 2,
    title: 'Start Septet',
    description: 'With your Prometheus and',
    how: { text: 'that account’s kubeconfig', href: '/docs/configuration#a-kubeconfig-with-only-these-rights' },
    time: '2-3 minutes',
    minutes: { least: 2, most: 3 },
    command: 'SEPTET_KUBECONFIG=reader.kubeconfig SEPTET_PROMETHEUS_URL=http://127.0.0.1:9090 npm start',
  },
  {
    step: 3,
    title: 'See cost by node pool',
    description: 'Open it in your browser: cost under the pool names you already use.',
    time: 'instant',
    minutes: { least: 0, most: 0 },
    command: 'http://127.0.0.1:7070/dashboard/cost?cluster=cluster&by=pool',
  },
]

export const NEIGHBORS: readonly Neighbor[] = [
  {
    name: 'Karpenter',
    role: 'adds and removes nodes',
    facts: [
      { what: 'karpenter.sh/nodepool', use: 'Groups capacity, cost, and recommendations by pool' },
      { what: 'karpenter.sh/do-not-disrupt', use: 'Keeps a pod from being evicted by any plan' },
      { what: 'karpenter.sh/capacity-type', use: 'Decides where a displaced pod may go' },
      { what: 'karpenter.k8s.aws/instance-gpu-*', use: 'GPU model and count where feature discovery isn’t running' },
      { what: 'NodePool', use: 'Disruption budgets, honored when Septet removes a node' },
    ],
  },
  {
    name: 'Kueue',
    role: 'queues work until quota is free',
    facts: [
      { what: 'Workload', use: 'Pending work before it has pods, and why it’s pending' },
      { what: 'ClusterQueue', use: 'Queue lengths, and the quotas a resize must fit' },
      { what: 'LocalQueue', use: 'The cluster queue a workload is in' },
      { what: 'ResourceFlavor', use: 'The nodes a queue may use, to predict whether a job starts' },
    ],
  },
  {
    name: 'OpenCost',
    role: 'prices what runs',
    facts: [
      { what: 'assets, allocations', use: 'Its costs next to Septet’s in a report, with the difference explained' },
    ],
  },
]
