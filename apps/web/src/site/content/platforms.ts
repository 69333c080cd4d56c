/** How a name on the wall was tried. */
export type Tried = 'real program' | 'recorded answers' | 'published format'

export type PlatformMark = 'metrics' | 'database' | 'terminal' | 'api' | 'gpu' | 'queue' | 'nodes' | 'cloud'

export type Platform = {
  readonly name: string
  /** What stands for its logo: the name as text. */
  readonly logo: string
  /** What kind of thing it is; drawn, because logos are their owners'. */
  readonly mark: PlatformMark
  readonly tried: Tried
  /** What exactly was tried, in a sentence. */
  readonly how: string
}

export const PLATFORM_WALL = {
  title: 'Works with',
  lead: 'The stack you already run. On physical GPUs, only the MIG tables are checked so far (H100, H200).',
  fold: 'How each one was tested',
  tried: {
    'real program': 'runs in our tests',
    'recorded answers': 'recorded responses',
    'published format': 'published format',
  },
} as const satisfies { title: string; lead: string; fold: string; tried: Record<Tried, string> }

export const PLATFORMS: readonly Platform[] = [
  {
    name: 'Prometheus',
    logo: 'Prometheus',
    mark: 'metrics',
    tried: 'real program',
    how: 'Version 2.42 scrapes the demo cluster and serves its history; promtool checks the recording rules.',
  },
  {
    name: 'VictoriaMetrics',
    logo: 'VictoriaMetrics',
    mark: 'metrics',
    tried: 'real program',
    how: 'A single node must return the same results as Prometheus.',
  },
  {
    name: 'PostgreSQL',
    logo: 'PostgreSQL',
    mark: 'database',
    tried: 'real program',
    how: 'Version 18 is bundled; an external version 15 passes the same suite.',
  },
  {
    name: 'kubectl',
    logo: 'kubectl',
    mark: 'terminal',
    tried: 'real program',
    how: 'Version 1.35 lists, watches, and patches the demo cluster.',
  },
  {
    name: 'Kubernetes API',
    logo: 'Kubernetes',
    mark: 'api',
    tried: 'recorded answers',
    how: 'Recorded from a 1.32 API server, with a contract suite that any real server can run.',
  },
  {
    name: 'dcgm-exporter',
    logo: 'dcgm-exporter',
    mark: 'gpu',
    tried: 'published format',
    how: 'Old and new metric names, MIG labels, and every way they go missing.',
  },
  {
    name: 'NVIDIA GPU Operator',
    logo: 'GPU Operator',
    mark: 'gpu',
    tried: 'published format',
    how: 'Reads feature labels and MIG configurations; writes plans as mig-parted files.',
  },
  {
    name: 'Dynamic Resource Allocation',
    logo: 'DRA',
    mark: 'api',
    tried: 'published format',
    how: 'Reads placements from ResourceSlices and claims.',
  },
  {
    name: 'Kueue',
    logo: 'Kueue',
    mark: 'queue',
    tried: 'published format',
    how: 'Workloads, cluster queues, and local queues, v1beta1 and v1beta2.',
  },
  {
    name: 'Karpenter',
    logo: 'Karpenter',
    mark: 'nodes',
    tried: 'published format',
    how: 'Pool, capacity type, GPU labels, and the do-not-disrupt annotation.',
  },
  {
    name: 'GKE, EKS, AKS',
    logo: 'GKE, EKS, AKS',
    mark: 'cloud',
    tried: 'published format',
    how: 'Pool, accelerator, and sharing labels, and machine types.',
  },
  {
    name: 'Grafana Mimir, Cortex',
    logo: 'Mimir, Cortex',
    mark: 'metrics',
    tried: 'published format',
    how: 'The Prometheus query API with a tenant header.',
  },
]
