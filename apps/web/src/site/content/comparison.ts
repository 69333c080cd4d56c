import type { SourceKey } from './comparison-sources.ts'
import { amount, receiptBaseline, receiptFigure, receiptHref } from './receipt-figures.ts'

/** How a product divides a GPU, drawn as its mark. */
export type Cut = 'fixed' | 'layers' | 'fractions' | 'ruler'
export type Sourced = { readonly text: string; readonly source: SourceKey }

export type Competitor = {
  readonly name: string
  /** Short text that stands for its logo, which is not ours to show. */
  readonly logo: string
  readonly cut: Cut
  readonly cutWords: string
  readonly weaknesses: readonly Sourced[]
  readonly better: readonly Sourced[]
  /** Color of its mark: a token of the theme. */
  readonly color: 'ink' | 'ink-soft' | 'ink-quiet'
}

/** Compared by published documentation; nothing here was tried side by side. */
export const COMPETITORS: readonly Competitor[] = [
  {
    name: 'GPU Operator, static MIG',
    logo: 'GPU Operator',
    cut: 'fixed',
    cutWords: 'One MIG layout per node label',
    weaknesses: [
      {
        text: 'An admin sets the layout with a node label, and the node’s GPU pods are terminated to apply it.',
        source: 'operatorMig',
      },
      {
        text: 'No user workload may run on the GPUs being reconfigured, and the node may need a reboot.',
        source: 'operatorMig',
      },
      {
        text: 'After a manual change, the device plugin must restart or it reports stale counts.',
        source: 'devicePlugin992',
      },
    ],
    better: [
      {
        text: 'NVIDIA’s supported way to apply MIG layouts. Septet hands its plans to it.',
        source: 'operatorSupport',
      },
    ],
    color: 'ink',
  },
  {
    name: 'HAMi',
    logo: 'HAMi',
    cut: 'layers',
    cutWords: 'Soft limits by a CUDA library',
    weaknesses: [
      {
        text: 'Limits on a shared GPU rely on a CUDA interception library loaded into the container.',
        source: 'hamiCore',
      },
      {
        text: 'v2.9.0 picks MIG layouts from fixed lists; a placement-aware version was merged later and drains a node to migrate.',
        source: 'hamiMig',
      },
      { text: 'OpenCost bills a HAMi fraction as a whole GPU.', source: 'opencost3828' },
    ],
    better: [
      { text: 'Shares GPUs without MIG, from many vendors.', source: 'hamiDiligence' },
      { text: 'CNCF incubating project since July 2026.', source: 'hamiIncubating' },
    ],
    color: 'ink-soft',
  },
  {
    name: 'NVIDIA Run:ai with KAI',
    logo: 'Run:ai + KAI',
    cut: 'fractions',
    cutWords: 'Fractions of whole GPUs',
    weaknesses: [
      {
        text: 'Dynamic MIG was deprecated in 2.19 and is no longer supported; an admin changes profiles.',
        source: 'runaiMig',
      },
      {
        text: 'Fractions can’t be combined with MIG, and mixed-strategy MIG devices don’t appear in its UI or API.',
        source: 'runaiMig',
      },
      {
        text: 'In KAI v0.17.0, sharing is off by default and needs HAMi-core or MPS to enforce memory limits.',
        source: 'kaiSharing',
      },
    ],
    better: [
      { text: 'Schedules workloads with quotas and fair share.', source: 'runaiScheduler' },
      { text: 'Gang scheduling on clusters of thousands of nodes.', source: 'kaiReadme' },
    ],
    color: 'ink',
  },
  {
    name: 'OpenCost and Kubecost',
    logo: 'OpenCost',
    cut: 'ruler',
    cutWords: 'Reports cost, doesn’t partition',
    weaknesses: [
      { text: 'Read-only by design: it reports what GPUs cost, not how to partition them.', source: 'opencostChart' },
      { text: 'Kubecost 2.x doesn’t support MIG sharing and shows shared GPUs at no cost.', source: 'kubecost' },
      { text: 'Kubecost 2.x reserves its GPU page for the Enterprise plan.', source: 'kubecost' },
    ],
    better: [
      {
        text: 'Prices the whole cluster and the cloud bill. Septet prices only GPU nodes.',
        source: 'opencostReadme',
      },
      { text: 'Its specification is the open standard for Kubernetes cost.', source: 'opencostSpec' },
    ],
    color: 'ink-soft',
  },
]

export type AdvantageIcon = 'bound' | 'placement' | 'displaced' | 'unknown' | 'role' | 'speed'
export type Advantage = {
  readonly icon: AdvantageIcon
  readonly title: string
  readonly description: string
  /** The short thing to remember; a figure has its receipt behind it. */
  readonly highlight: string
  readonly evidence: { readonly text: string; readonly href: string }
}

const RECUT = 'shared: displaced at fewest GPUs, exact, beside a repack'

/** Six ways in which Septet differs from the four above. */
export const ADVANTAGES: readonly Advantage[] = [
  {
    icon: 'bound',
    title: 'Provably good layouts',
    description: 'Each layout comes with a bound you can check.',
    highlight: `${amount(receiptFigure('mig-packing', 'lists with the proven optimum'))} of 45`,
    evidence: { text: 'packings proven optimal', href: receiptHref('mig-packing') },
  },
  {
    icon: 'displaced',
    title: 'Fewer evictions',
    description: 'Fewest GPUs first, then fewest pods moved.',
    highlight: `−${amount((1 - receiptFigure('fleet-reconfiguration', RECUT) / receiptBaseline('fleet-reconfiguration', RECUT)) * 100)}%`,
    evidence: { text: 'evictions vs. a plain repack', href: receiptHref('fleet-reconfiguration') },
  },
  {
    icon: 'placement',
    title: 'Real MIG placements',
    description: 'Profiles go only where the driver allows.',
    highlight: `${amount(receiptFigure('claim-gpu-types', 'boards with known MIG placements'))} boards`,
    evidence: { text: 'with placement tables', href: receiptHref('claim-gpu-types') },
  },
  {
    icon: 'unknown',
    title: 'No fake zeros',
    description: 'What MIG doesn’t expose reads “not measured”.',
    highlight: 'unknown ≠ 0',
    evidence: { text: 'metric definitions', href: '/docs/glossary' },
  },
  {
    icon: 'role',
    title: 'Read-only by default',
    description: 'Making changes takes separate credentials.',
    highlight: 'get, list, watch',
    evidence: { text: 'all permissions', href: '/docs/configuration' },
  },
  {
    icon: 'speed',
    title: 'Built for large fleets',
    description: 'Plans 10,000 GPUs and 50,000 workloads at once.',
    highlight: `${amount(receiptFigure('claim-reconfiguration', 'plan with its bound, p95 warm'))} ms`,
    evidence: { text: 'planning time, p95', href: receiptHref('claim-reconfiguration') },
  },
]

export const COMPARISON = {
  title: 'Compare with what you run',
  lead: 'Four ways to share GPUs or track their cost on Kubernetes, from their own docs. Each beats Septet at something.',
  fold: 'Limits and strengths',
  limits: 'Limits',
  better: 'Better than Septet at',
  advantagesTitle: 'What Septet adds',
  callTitle: 'Try it on your own cluster',
  call: 'All it needs is a read-only kubeconfig.',
}
