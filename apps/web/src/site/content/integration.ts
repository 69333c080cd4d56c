import { amount, receiptFigure, receiptHref } from './receipt-figures.ts'

export type IntegrationStep = {
  readonly step: number
  readonly title: string
  readonly description: string
  readonly time: 'under 1 minute' | '2-3 minutes' | 'instant'
  /** The same time as a bar: it ends between these minutes after the one before. */
  readonly minutes: { readonly least: number; readonly most: number }
  readonly command: string
}

/** Something that another product writes into the cluster, and what Septet makes of it. */
type ReadFact = { readonly what: string; readonly use: string; readonly planned?: boolean }

export type Neighbor = { readonly name: string; readonly role: string; readonly facts: readonly ReadFact[] }

const FRESH = 'git clone, install, build and start to first page'

export const INTEGRATION = {
  title: 'Beside Karpenter, not instead of it',
  lead: 'Karpenter decides which nodes there are. Septet says what their GPUs should be cut into, and which of them nobody needs. It reads what Karpenter and Kueue write down, and changes nothing of theirs.',
  times: 'Times to set aside.',
  measured: {
    text: `Measured: a fresh clone installs, builds and answers in ${amount(receiptFigure('start', FRESH))} s.`,
    href: receiptHref('start'),
  },
} as const

export const INTEGRATION_STEPS: readonly IntegrationStep[] = [
  {
    step: 1,
    title: 'Grant the reader role',
    description: 'Get, list and watch; no Secrets, no writes. Karpenter and Kueue stay as they are.',
    time: 'under 1 minute',
    minutes: { least: 0, most: 1 },
    command: 'kubectl apply -f deploy/reader-clusterrole.yaml',
  },
  {
    step: 2,
    title: 'Start Septet beside it',
    description: 'With your kubeconfig and your Prometheus. It lists nodes, pods and queues, then reads past usage.',
    time: '2-3 minutes',
    minutes: { least: 2, most: 3 },
    command: 'SEPTET_KUBECONFIG=~/.kube/config SEPTET_PROMETHEUS_URL=http://127.0.0.1:9090 npm start',
  },
  {
    step: 3,
    title: 'See it by pool and queue',
    description: 'Capacity, cost and recommendations stand under the names that Karpenter and Kueue gave.',
    time: 'instant',
    minutes: { least: 0, most: 0 },
    command: "curl -s 'http://127.0.0.1:7070/api/v1/cost?cluster=demo&by=pool'",
  },
]

export const NEIGHBORS: readonly Neighbor[] = [
  {
    name: 'Karpenter',
    role: 'makes and removes nodes',
    facts: [
      { what: 'karpenter.sh/nodepool', use: 'The pool that capacity, cost and recommendations are told by' },
      { what: 'karpenter.sh/do-not-disrupt', use: 'No plan evicts that pod' },
      { what: 'karpenter.sh/capacity-type', use: 'Where a displaced pod may go' },
      { what: 'karpenter.k8s.aws/instance-gpu-*', use: 'GPU model and count, where feature discovery does not run' },
      { what: 'NodePool, NodeClaim', use: 'Limits and disruption budgets of a pool', planned: true },
    ],
  },
  {
    name: 'Kueue',
    role: 'holds work back until its quota is free',
    facts: [
      { what: 'Workload', use: 'Waiting work before it has pods, and why, in Kueue’s own words' },
      { what: 'ClusterQueue', use: 'Queue lengths and nominal quotas, which changes of requests must keep to' },
      { what: 'LocalQueue', use: 'Which cluster queue a workload stands in' },
      { what: 'ResourceFlavor', use: 'Which nodes a queue’s work may use, to tell whether it would start' },
    ],
  },
  {
    name: 'OpenCost',
    role: 'prices what runs',
    facts: [{ what: 'assets, allocations', use: 'Its cost beside Septet’s in a report, and why the two differ' }],
  },
]
