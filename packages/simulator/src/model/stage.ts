import type { Activity } from './activity.ts'
import type { WorkKind } from './tenants.ts'

/** Work that always sits where the stage puts it, beside what is drawn by chance. */
export type Cast = {
  /** GPUs or MIG devices that it takes. */
  readonly units: number
  readonly role: WorkKind
  readonly namespace: string
  readonly name: string
  readonly activity: Partial<Pick<Activity, 'level' | 'memory' | 'attendance' | 'attentionHours'>>
  /** Nobody makes its pod again. */
  readonly bare?: true
  /** No disruption budget guards it: nobody would miss it for a minute. */
  readonly unguarded?: true
  /** Its pod says that it must not be evicted. */
  readonly doNotDisrupt?: true
  /** Short jobs, one after another: the next is submitted while the one before runs, and takes the node's first free GPU. */
  readonly takesTurns?: true
  /** Its Deployment is kept as a Git repository or a chart says, by this tool. */
  readonly managedBy?: 'argocd' | 'helm'
}

/** A node, or some GPUs of it, on which only the cast works; whatever the cast does not take stays free. */
export type StageScene = {
  readonly node: string
  /** All of them unless some are named. */
  readonly gpus?: readonly number[]
  /** The team that the node is kept for: by a taint that its pods tolerate, and a label by which they insist on it. */
  readonly dedicated?: string
  readonly cast: readonly Cast[]
}

const service = (namespace: string, name: string, level: number): Cast => ({
  units: 1,
  role: 'inference',
  namespace,
  name,
  activity: { level, memory: 0.78 },
})

/** A small model that one team tries out: bursts in its hours, and a fraction of the GPU's memory. */
const trial = (name: string, level: number, memory: number): Cast => ({
  units: 1,
  role: 'inference',
  namespace: 'data-science',
  name,
  activity: { level, memory },
  unguarded: true,
})

/** Clips that a team encodes night and day: minutes each, with the next ones always waiting. */
const encoder = (name: string): Cast => ({
  units: 1,
  role: 'analytics',
  namespace: 'media-encoding',
  name,
  activity: { level: 0.8, memory: 0.5 },
  takesTurns: true,
})

/**
 * What chance alone would not show at every hour of every seed. Names of nodes are those of the small fleet; the large
 * one spells them differently and has none of this.
 */
export const SCENES: readonly StageScene[] = [
  // GPUs in MIG mode that nobody holds, cut so small that what the queue asks for fits on none.
  { node: 'gpu-h100-08', gpus: [6, 7], cast: [] },
  // A pool of two nodes whose work fits on one: the other has been empty for months.
  { node: 'gpu-a100-40-02', cast: [] },
  // Four small services of one team with a whole GPU each, on a board without MIG, on a node of the team's own.
  {
    node: 'gpu-l40s-05',
    dedicated: 'playground',
    cast: [
      trial('playground-summarizer', 0.26, 0.1),
      trial('playground-reranker', 0.22, 0.08),
      trial('playground-tagger', 0.3, 0.12),
      trial('playground-translation', 0.24, 0.09),
    ],
  },
  // A notebook that nobody looks at, a pod that somebody started by hand, and two GPUs that are free.
  {
    node: 'gpu-l40s-04',
    cast: [
      {
        units: 1,
        role: 'notebook',
        namespace: 'research-vision',
        name: 'explore-thesis',
        activity: { attendance: 0, memory: 0.3 },
      },
      { ...service('sandbox', 'debug-decoder', 0.5), bare: true },
    ],
  },
  // Full at all times, and work waits for just this node although others of its kind have room.
  {
    node: 'gpu-l40s-01',
    cast: [
      { ...service('media-encoding', 'transcode-live', 0.85), doNotDisrupt: true },
      { ...service('media-encoding', 'frame-upscale', 0.75), managedBy: 'argocd' },
      service('media-encoding', 'thumbnail-select', 0.7),
      service('media-encoding', 'audio-cleanup', 0.65),
    ],
  },
  // Full too, with work that ends every few minutes: what waits for it can be told when it starts.
  {
    node: 'gpu-l40s-03',
    cast: [encoder('encode-clips'), encoder('encode-previews'), encoder('encode-trailers'), encoder('encode-archive')],
  },
  // A pool that is full at all times, and work that insists on it.
  {
    node: 'gpu-a30-04',
    cast: [
      service('document-understanding', 'layout-parse', 0.8),
      { ...service('document-understanding', 'table-extract', 0.7), managedBy: 'helm' },
      service('document-understanding', 'handwriting', 0.75),
      service('document-understanding', 'entity-link', 0.65),
    ],
  },
]

/** Whom a node is kept for; undefined where anybody may come. */
export const dedicatedTo = (node: string | undefined): string | undefined =>
  SCENES.find((scene) => scene.node === node)?.dedicated

/** Work that insists on a place which the scenes keep full. */
export const PINNED = [
  { role: 'inference', namespace: 'media-encoding', selector: { 'kubernetes.io/hostname': 'gpu-l40s-01' } },
  { role: 'analytics', namespace: 'media-encoding', selector: { 'kubernetes.io/hostname': 'gpu-l40s-01' } },
  { role: 'analytics', namespace: 'document-understanding', selector: { 'node.cluster.x-k8s.io/pool': 'a30-whole' } },
] as const satisfies readonly { role: WorkKind; namespace: string; selector: Readonly<Record<string, string>> }[]

/** Layouts of GPUs on the stage. */
export const STAGED_LAYOUTS: Readonly<Record<string, string>> = {
  'gpu-h100-08/6': '1g.10gb@0 1g.10gb@1 1g.10gb@2 1g.10gb@3 1g.10gb@4 1g.10gb@5 1g.10gb@6',
  'gpu-h100-08/7': '2g.20gb@0 2g.20gb@2 2g.20gb@4 1g.10gb@6',
}
