/** How a name on the wall was tried. */
export type Tried = 'real program' | 'recorded answers' | 'published format'

export type Platform = {
  readonly name: string
  /** What stands for its logo: the name as text, because logos are their owners'. */
  readonly logo: string
  readonly relation: 'reads' | 'runs on' | 'answers'
  readonly tried: Tried
  /** What exactly was tried, in a sentence. */
  readonly how: string
}

export const PLATFORM_WALL = {
  title: 'What it runs against, and how that was tried',
  lead: 'A name here says what Septet reads, runs on or answers, and what the tests use in its place. It is not an endorsement by anyone. No physical GPU has been part of a test yet.',
  tried: {
    'real program': 'the real program runs in the tests',
    'recorded answers': 'held to recorded answers of the real thing',
    'published format': 'built to its published format; the real thing did not run',
  },
} as const satisfies { title: string; lead: string; tried: Record<Tried, string> }

export const PLATFORMS: readonly Platform[] = [
  {
    name: 'Prometheus',
    logo: 'Prometheus',
    relation: 'reads',
    tried: 'real program',
    how: 'Version 2.42 scrapes the demo cluster and answers for the past; its promtool checks the recording rules.',
  },
  {
    name: 'VictoriaMetrics',
    logo: 'VictoriaMetrics',
    relation: 'reads',
    tried: 'real program',
    how: 'A single node answers the same queries as Prometheus, and must agree with it.',
  },
  {
    name: 'PostgreSQL',
    logo: 'PostgreSQL',
    relation: 'runs on',
    tried: 'real program',
    how: 'Version 18 comes with Septet; version 15 by address passes the same suite.',
  },
  {
    name: 'kubectl',
    logo: 'kubectl',
    relation: 'answers',
    tried: 'real program',
    how: 'Version 1.35 lists, watches and patches the demo cluster.',
  },
  {
    name: 'Kubernetes API',
    logo: 'Kubernetes',
    relation: 'reads',
    tried: 'recorded answers',
    how: 'Answers of a 1.32 API server, and a contract suite that any real server can be held to.',
  },
  {
    name: 'dcgm-exporter',
    logo: 'dcgm-exporter',
    relation: 'reads',
    tried: 'published format',
    how: 'Old and new metric names, MIG labels, and every way in which they go missing.',
  },
  {
    name: 'NVIDIA GPU Operator',
    logo: 'GPU Operator',
    relation: 'reads',
    tried: 'published format',
    how: 'Feature labels and MIG configurations are read; plans are written as mig-parted files.',
  },
  {
    name: 'Dynamic Resource Allocation',
    logo: 'DRA',
    relation: 'reads',
    tried: 'published format',
    how: 'Slices and claims give placements where the cluster has them.',
  },
  {
    name: 'Kueue',
    logo: 'Kueue',
    relation: 'reads',
    tried: 'published format',
    how: 'Workloads, cluster queues and local queues of v1beta2 and v1beta1.',
  },
  {
    name: 'Karpenter',
    logo: 'Karpenter',
    relation: 'reads',
    tried: 'published format',
    how: 'Pool, capacity type, GPU labels and the annotation that forbids disruption.',
  },
  {
    name: 'GKE, EKS, AKS',
    logo: 'GKE EKS AKS',
    relation: 'reads',
    tried: 'published format',
    how: 'Pool, accelerator and sharing labels, and machine types. No account of theirs was used.',
  },
  {
    name: 'Grafana Mimir, Cortex',
    logo: 'Mimir Cortex',
    relation: 'reads',
    tried: 'published format',
    how: 'The same query API with a tenant header; their own servers did not run.',
  },
]
