import type { Pod, PodId } from '../cluster/workload.ts'
import type { Option } from './options-in-order.ts'
import type { GpuSpace } from './gpu-space.ts'

/** GPUs that are cut, held and open in the same way: what can be done with one can be done with each. */
export type SpaceKind = {
  readonly id: number
  /** One of them. */
  readonly like: GpuSpace
  /** Worked out once for all of them, by question. */
  readonly options: Map<string, readonly Option[]>
  readonly capacities: Map<string, number>
}

/** Tells the kind of a GPU; kinds are numbered as they come. */
export class SpaceKinds {
  readonly #pods: ReadonlyMap<PodId, Pod>
  readonly #kinds = new Map<string, SpaceKind>()
  readonly #known = new WeakMap<GpuSpace, SpaceKind>()

  constructor(pods: ReadonlyMap<PodId, Pod>) {
    this.#pods = pods
  }

  of(space: GpuSpace): SpaceKind {
    const known = this.#known.get(space)
    if (known !== undefined) return known
    const key = this.#keyOf(space)
    const kind = this.#kinds.get(key) ?? {
      id: this.#kinds.size,
      like: space,
      options: new Map<string, readonly Option[]>(),
      capacities: new Map<string, number>(),
    }
    this.#kinds.set(key, kind)
    this.#known.set(space, kind)
    return kind
  }

  /** Which pod holds a slot does not count, but which slots one pod holds together does, and whether pods can ask for it. */
  #keyOf({ gpu, node, board, actuator, open, slots }: GpuSpace): string {
    const holders: PodId[] = []
    let key = `${gpu.model}|${board?.key}|${node.mig.strategy}|${actuator}|${open}|${gpu.migEnabled}`
    for (const { profile, placement, partition, resource, shared, pods } of slots) {
      key += ` ${profile}@${placement?.start}${partition === undefined ? '+' : '='}${resource === '' ? '!' : ''}`
      for (const pod of pods) {
        if (!holders.includes(pod)) holders.push(pod)
        key += `,${holders.indexOf(pod)}${shared ? `/${this.#pods.get(pod)?.namespace}` : ''}`
      }
    }
    return key
  }
}
