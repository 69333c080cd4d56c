import type { AdmissionView, ClusterRecord } from '@septet/domain'

import type { PackedAdmission } from '../facts.ts'
import type { AskingCluster, Changes } from './admission-messages.ts'

/** Unpacks one view after the other of a cluster; throws where the bytes are no view. */
export type Unpacker = { unpack(packed: PackedAdmission): AdmissionView }

type Known = Pick<ClusterRecord, 'id' | 'kind'> & {
  readonly unpacker: Unpacker
  readonly view: () => AdmissionView | undefined
}

/** What the thread that answers reviews was told of the clusters, and how many pods it has changed. */
export class AskingClusters {
  readonly #known = new Map<string, Known>()
  readonly #changes = new Map<string, Changes>()

  readonly #openUnpacker: () => Unpacker

  constructor(clusters: readonly AskingCluster[], openUnpacker: () => Unpacker) {
    this.#openUnpacker = openUnpacker
    for (const cluster of clusters) {
      this.put(cluster)
      this.#changes.set(cluster.id, cluster.changes)
    }
  }

  put({ id, kind, view: bytes }: Omit<AskingCluster, 'changes'>): void {
    const unpacker = this.#known.get(id)?.unpacker ?? this.#openUnpacker()
    let view: AdmissionView | undefined
    this.#known.set(id, {
      id,
      kind,
      unpacker,
      view: () => (bytes === undefined ? undefined : (view ??= unpacker.unpack({ bytes }))),
    })
  }

  remove = (id: string): void => void this.#known.delete(id)
  all = (): readonly Pick<ClusterRecord, 'id' | 'kind'>[] => [...this.#known.values()]

  /** Undefined where no such cluster is watched, or nothing is known of it yet. Throws where it cannot be unpacked. */
  viewOf = (id: string): AdmissionView | undefined => this.#known.get(id)?.view()

  changes = (id: string): Changes => this.#changes.get(id) ?? { made: 0, settled: 0 }

  changed(id: string): void {
    const { made, settled } = this.changes(id)
    this.#changes.set(id, { made: made + 1, settled })
  }

  settled(id: string, settled: number): void {
    this.#changes.set(id, { ...this.changes(id), settled })
  }
}
