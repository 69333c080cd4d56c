import {
  admissionView,
  byEveryOwner,
  knownSizes,
  type AdmissionView,
  type ClusterAnalysis,
  type ClusterReader,
  type ClusterSnapshot,
  type Instant,
  type OverrunModel,
  type RecommendPolicy,
  type Store,
  type WorkloadId,
} from '@septet/domain'

import type { PackedAdmission } from '../facts.ts'
import { AdmissionPacker } from '../read-model/packed-admission.ts'
import type { Segment } from '../usage/segments.ts'

type Parts = {
  readonly usage: Pick<Store['usage'], 'rows'>
  readonly reader: Pick<ClusterReader, 'objectsOf'>
}

export type LearnRequest = {
  readonly snapshot: ClusterSnapshot
  readonly analysis: Pick<ClusterAnalysis, 'workloads'>
  /** Which rows cover the window of the analysis. */
  readonly segments: readonly Segment[]
  readonly policy: RecommendPolicy
  /** Undefined until enough of the past was read. */
  readonly overrun: OverrunModel | undefined
}

const LEARN_EVERY_MS = 300_000
/** Those that held most GPU-hours: their rows of a week are read in about a second. */
const MOST_SIZED = 600

/** Keeps what new pods are judged by: sizes, learned every few minutes, and what is free in the newest snapshot. */
export class AdmissionViews {
  readonly #parts: Parts
  readonly #packer = new AdmissionPacker()
  #sizes: AdmissionView['sizes'] = new Map()
  #learnedAt: Instant | undefined
  #made:
    | { readonly of: ClusterSnapshot; readonly sizes: AdmissionView['sizes']; readonly view: PackedAdmission }
    | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The same object until the snapshot or the sizes are others; undefined before the first snapshot. */
  view(snapshot: ClusterSnapshot | undefined): PackedAdmission | undefined {
    if (snapshot === undefined) return undefined
    if (this.#made?.of !== snapshot || this.#made.sizes !== this.#sizes) {
      this.#made = { of: snapshot, sizes: this.#sizes, view: this.#packer.pack(admissionView(snapshot, this.#sizes)) }
    }
    return this.#made.view
  }

  /** Also of work that has ended: tomorrow's run of it is a new pod. Throws what the store throws; sizes then stay. */
  async learn({ snapshot, analysis, segments, policy, overrun }: LearnRequest): Promise<void> {
    const { cluster, takenAt } = snapshot
    const isDue = this.#sizes.size === 0 || takenAt - (this.#learnedAt ?? 0) >= LEARN_EVERY_MS
    if (overrun === undefined || !isDue) return
    const workloads = analysis.workloads.slice(0, MOST_SIZED).map(({ id }) => id)
    const read = segments.map(({ span, window }) => this.#parts.usage.rows({ cluster, span, window, workloads }))
    const rows = (await Promise.all(read)).flat()
    const sizes = knownSizes({ rows, usage: analysis.workloads, overrun, policy })
    this.#sizes = byEveryOwner(sizes, (id) => this.#ownersOf(id, snapshot))
    this.#learnedAt = takenAt
  }

  #ownersOf(id: WorkloadId, { workloads }: ClusterSnapshot): readonly WorkloadId[] {
    const workload = workloads.find((each) => each.id === id)
    const objects = workload === undefined ? undefined : this.#parts.reader.objectsOf(workload)
    if (workload === undefined || objects === undefined) return []
    return [...objects.owners.values()].flat().map(({ kind, name }) => `${workload.namespace}/${kind}/${name}`)
  }
}
