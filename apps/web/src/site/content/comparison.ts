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
    cutWords: 'One layout per node label',
    weaknesses: [
      {
        text: 'An admin sets the layout by a label on the node; the node’s GPU pods are ended to apply it.',
        source: 'operatorMig',
      },
      {
        text: 'No user workload may run on GPUs being configured, and the node may need a reboot.',
        source: 'operatorMig',
      },
      {
        text: 'After a manual change the device plugin needs a restart, or reports stale counts.',
        source: 'devicePlugin992',
      },
    ],
    better: [
      {
        text: 'It applies layouts, and is the vendor’s own supported path. Septet’s plans end in its configuration.',
        source: 'operatorSupport',
      },
    ],
    color: 'ink',
  },
  {
    name: 'HAMi',
    logo: 'HAMi',
    cut: 'layers',
    cutWords: 'Layers, limited by a library',
    weaknesses: [
      {
        text: 'Limits on a shared GPU rest on a CUDA interception library loaded into the container.',
        source: 'hamiCore',
      },
      {
        text: 'v2.9.0 picks MIG layouts from lists of whole geometries; a placement-aware version was merged later and drains a node to migrate.',
        source: 'hamiMig',
      },
      { text: 'OpenCost bills a HAMi fraction as a whole GPU.', source: 'opencost3828' },
    ],
    better: [
      { text: 'Shares GPUs that cannot do MIG, from many vendors.', source: 'hamiDiligence' },
      { text: 'A CNCF incubating project since July 2026.', source: 'hamiIncubating' },
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
        text: 'Dynamic MIG was deprecated from 2.19 and is no longer supported; a change of profile takes an admin.',
        source: 'runaiMig',
      },
      {
        text: 'Fractions do not combine with MIG, and MIG devices of the mixed strategy are not in its screens or API.',
        source: 'runaiMig',
      },
      {
        text: 'In KAI v0.17.0 sharing is off by default, and its memory limit needs HAMi-core or MPS to be enforced.',
        source: 'kaiSharing',
      },
    ],
    better: [
      { text: 'Schedules workloads, with quotas and fair share.', source: 'runaiScheduler' },
      { text: 'Gang scheduling on clusters of thousands of nodes.', source: 'kaiReadme' },
    ],
    color: 'ink',
  },
  {
    name: 'OpenCost and Kubecost',
    logo: 'OpenCost',
    cut: 'ruler',
    cutWords: 'Measures, does not cut',
    weaknesses: [
      { text: 'Read-only by design: it says what GPUs cost, not how to cut them.', source: 'opencostChart' },
      { text: 'Kubecost 2.x does not support MIG sharing, and shows shared GPUs at no cost.', source: 'kubecost' },
      { text: 'Kubecost 2.x keeps its GPU page for the Enterprise plan.', source: 'kubecost' },
    ],
    better: [
      {
        text: 'Prices everything in a cluster and the cloud bill around it. Septet prices GPU nodes.',
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
    title: 'A plan knows how good it is',
    description:
      'Every layout comes with a bound that no other layout can beat, as a certificate anyone can check in whole numbers.',
    highlight: `${amount(receiptFigure('mig-packing', 'lists with the proven optimum'))} of 45`,
    evidence: { text: 'packing lists at the proven fewest GPUs', href: receiptHref('mig-packing') },
  },
  {
    icon: 'displaced',
    title: 'Running work stays where it is',
    description:
      'The fewest GPUs for all, and among those layouts the one that displaces the fewest pods, with a legal order of steps.',
    highlight: `−${amount((1 - receiptFigure('fleet-reconfiguration', RECUT) / receiptBaseline('fleet-reconfiguration', RECUT)) * 100)}%`,
    evidence: { text: 'pods displaced, beside a plain repack', href: receiptHref('fleet-reconfiguration') },
  },
  {
    icon: 'placement',
    title: 'Real placements, not counts',
    description:
      'A profile fits where the driver lets it start. Septet counts in those places, so memory that no profile can reach shows as stranded.',
    highlight: `${amount(receiptFigure('claim-gpu-types', 'boards with known MIG placements'))} boards`,
    evidence: { text: 'with their placement tables', href: receiptHref('claim-gpu-types') },
  },
  {
    icon: 'unknown',
    title: 'Unknown is not zero',
    description:
      'Some GPU counters do not exist under MIG. A missing reading stays missing, with its reason, instead of dragging an average down.',
    highlight: 'not measured ≠ 0',
    evidence: { text: 'what each word means', href: '/docs/glossary' },
  },
  {
    icon: 'role',
    title: 'Needs little, changes nothing',
    description:
      'One reader role, without Secrets and without access through nodes. Every change leaves as files that a person applies.',
    highlight: 'get, list, watch',
    evidence: { text: 'the role, right by right', href: '/docs/configuration' },
  },
  {
    icon: 'speed',
    title: 'A fleet in one question',
    description:
      'A layout for 10,000 GPUs and 50,000 workloads, bound included, is decided at once. Cutting GPUs anew still takes the driver its time.',
    highlight: `${amount(receiptFigure('claim-reconfiguration', 'plan with its bound, p95 warm'))} ms`,
    evidence: { text: '95 of 100 plans are faster', href: receiptHref('claim-reconfiguration') },
  },
]

export const COMPARISON = {
  title: 'Beside what you may run already',
  lead: 'Four ways to share or account for GPUs on Kubernetes, by their own published documents. Each limit has a source and a day, and each product is ahead of Septet somewhere.',
  advantagesTitle: 'Where Septet differs',
  advantagesLead: 'Measured on public traces and on generated fleets. Each figure leads to the run it comes from.',
  callTitle: 'Judge it on a cluster',
  call: 'The demo cluster needs no GPU. Your own needs a kubeconfig with a reader role.',
}
