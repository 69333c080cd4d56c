import { grouped } from '@septet/domain/words'
import type { Workload } from './use-workloads.ts'

/** "nvidia.com/mig-3g.40gb" as "mig-3g.40gb": the vendor says nothing that the rest does not. */
export const resourceWords = (resource: string): string => resource.replace(/^nvidia\.com\//u, '')

/** What it asks for: "2 × mig-3g.40gb + 1 × gpu". */
export const requestWords = ({ requests, gpu }: Pick<Workload, 'requests' | 'gpu'>): string =>
  requests.length === 0
    ? gpu
    : requests.map(({ resource, count }) => `${count} × ${resourceWords(resource)}`).join(' + ')

/** What it holds: "4 × 1g.10gb on A100-80GB". */
export const holdingWords = ({ holds }: Pick<Workload, 'holds'>): string =>
  holds === null ? '' : holds.parts.map(({ shape, model, count }) => `${count} × ${shape} · ${model}`).join(', ')

/** GPU-equivalents with as many digits as tell something: 0.14, 1.5, 16. */
export const gpuCount = (gpus: number): string => grouped(gpus, gpus < 1 ? 2 : gpus < 100 ? 1 : 0)

const CLASS_WORDS: Readonly<Record<string, string>> = {
  training: 'ML training',
  inference: 'Inference',
  analytics: 'Analytics',
  notebook: 'Notebook',
  unknown: 'Unknown',
}

/** The class of work, in words; one that is not known yet as it is. */
export const classWords = (kind: string): string =>
  Object.hasOwn(CLASS_WORDS, kind) ? (CLASS_WORDS[kind] ?? kind) : kind

/** Where it stands, and the color that repeats it. */
export const STATUS_WORDS = {
  running: { words: 'Running', tone: 'good' },
  queued: { words: 'Queued', tone: 'secondary' },
  ended: { words: 'Ended', tone: 'secondary' },
} as const satisfies Record<Workload['status'], unknown>
