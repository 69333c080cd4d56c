/** What a fact about somebody else rests on: which copy was read, and its day or the day by which it was read. */
export type Source = {
  readonly title: string
  /** Version or commit of the copy. */
  readonly version: string
  /** ISO day, or month where no day is known. */
  readonly date: string
  /** Whether `date` is the copy's own day, or the last day by which an undated page was read. */
  readonly dated: 'published' | 'read by'
  readonly href: string
}

/** In the order in which they are numbered. */
export const SOURCES = {
  operatorMig: {
    title: 'NVIDIA GPU Operator, “GPU Operator with MIG”',
    version: 'docs 52dcb7b8',
    date: '2026-08-21',
    dated: 'published',
    href: 'https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html',
  },
  operatorSupport: {
    title: 'NVIDIA GPU Operator, “Platform support”',
    version: 'latest page',
    date: '2026-11-21',
    dated: 'read by',
    href: 'https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/platform-support.html',
  },
  operatorSlicing: {
    title: 'NVIDIA GPU Operator, “Time-slicing GPUs in Kubernetes”',
    version: 'latest page',
    date: '2026-11-21',
    dated: 'read by',
    href: 'https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html',
  },
  devicePlugin992: {
    title: 'k8s-device-plugin issue 992, as opened',
    version: 'issue 992',
    date: '2024-10-15',
    dated: 'published',
    href: 'https://github.com/NVIDIA/k8s-device-plugin/issues/992',
  },
  devicePlugin992Answer: {
    title: 'k8s-device-plugin issue 992, discussion',
    version: 'issue 992',
    date: '2025-11-20',
    dated: 'published',
    href: 'https://github.com/NVIDIA/k8s-device-plugin/issues/992',
  },
  draDriver: {
    title: 'NVIDIA DRA driver, README and feature gates',
    version: 'v0.4.0, 22407113',
    date: '2026-05-15',
    dated: 'published',
    href: 'https://github.com/NVIDIA/k8s-dra-driver-gpu',
  },
  hamiCore: {
    title: 'KAI Scheduler documentation of HAMi-core',
    version: 'about HAMi v2.9.0',
    date: '2026-08-07',
    dated: 'published',
    href: 'https://github.com/kai-scheduler/KAI-Scheduler',
  },
  hamiMig: {
    title: 'HAMi, development notes on dynamic MIG',
    version: '4707fb02, about v2.9.0',
    date: '2026-08-10',
    dated: 'published',
    href: 'https://github.com/Project-HAMi/HAMi',
  },
  hamiDocs: {
    title: 'HAMi, project site',
    version: 'documentation of v2.8.0',
    date: '2026-11-21',
    dated: 'read by',
    href: 'https://project-hami.io',
  },
  hamiIncubating: {
    title: 'CNCF landscape, “Update HAMi project status from sandbox to incubating”',
    version: 'pull request 4896',
    date: '2026-07-02',
    dated: 'published',
    href: 'https://github.com/cncf/landscape/pull/4896',
  },
  hamiDiligence: {
    title: 'CNCF TOC, HAMi incubation due diligence',
    version: 'pull request 2198',
    date: '2026-06-16',
    dated: 'published',
    href: 'https://github.com/cncf/toc/pull/2198',
  },
  opencost3828: {
    title: 'OpenCost issue 3828',
    version: 'open',
    date: '2026-06-02',
    dated: 'published',
    href: 'https://github.com/opencost/opencost/issues/3828',
  },
  runaiMig: {
    title: 'run-ai/docs and the self-hosted documentation, MIG and fractions',
    version: '7b7d291',
    date: '2026-11-21',
    dated: 'read by',
    href: 'https://github.com/run-ai/docs',
  },
  runaiReports: {
    title: 'run-ai/docs, reports.md',
    version: '7b7d291',
    date: '2026-11-21',
    dated: 'read by',
    href: 'https://github.com/run-ai/docs',
  },
  runaiScheduler: {
    title: 'NVIDIA Run:ai Scheduler, “Concepts and principles”',
    version: 'self-hosted v3.0',
    date: '2026-11-21',
    dated: 'read by',
    href: 'https://docs.nvidia.com/run-ai/self-hosted/documentation/platform-management/runai-scheduler/scheduling/concepts-and-principles',
  },
  kaiReadme: {
    title: 'KAI Scheduler, README',
    version: 'v0.18.2',
    date: '2026-10-01',
    dated: 'published',
    href: 'https://pkg.go.dev/github.com/kai-scheduler/KAI-scheduler@v0.18.2',
  },
  kaiSharing: {
    title: 'KAI Scheduler, GPU sharing',
    version: 'v0.17.0',
    date: '2026-08-07',
    dated: 'published',
    href: 'https://github.com/kai-scheduler/KAI-Scheduler',
  },
  opencostChart: {
    title: 'OpenCost Helm chart, roles',
    version: '2.5.17',
    date: '2026-04-28',
    dated: 'published',
    href: 'https://github.com/opencost/opencost-helm-chart',
  },
  opencostSpec: {
    title: 'OpenCost specification',
    version: '2026-07 copy',
    date: '2026-07',
    dated: 'published',
    href: 'https://opencost.io/docs/specification',
  },
  opencostReadme: {
    title: 'OpenCost, README',
    version: '0308e309',
    date: '2026-11-21',
    dated: 'read by',
    href: 'https://github.com/opencost/opencost',
  },
  kubecost: {
    title: 'Kubecost 2.x documentation',
    version: '94fe629e',
    date: '2025-10-20',
    dated: 'published',
    href: 'https://github.com/kubecost/docs',
  },
} as const satisfies Record<string, Source>

export type SourceKey = keyof typeof SOURCES

/** Sources with their footnote numbers, from 1. */
export const NUMBERED_SOURCES: readonly (Source & { readonly key: string; readonly number: number })[] = Object.entries(
  SOURCES,
).map(([key, source], index) => ({ ...source, key, number: index + 1 }))

/** The footnote number of a source. */
export const footnote = (key: SourceKey): number => Object.keys(SOURCES).indexOf(key) + 1

/** “published 2026-08-21” or “read by 2026-11-21”. */
export const sourceDay = ({ date, dated }: Source): string => `${dated} ${date}`
