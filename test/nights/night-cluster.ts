import { instant, ratio, type DeviceSample, type Inventory, type TelemetryReading } from '@septet/domain'
import { draw } from '@septet/domain/testing'

import { randomFrom } from '../../bench/random-from.ts'

const NODES = [
  { name: 'a', model: 'H100-80GB-HBM3', slots: ['', ''] },
  { name: 'b', model: 'H100-80GB-HBM3', slots: ['3g.40gb', '3g.40gb'] },
  { name: 'c', model: 'A100-SXM4-80GB', slots: [''] },
] as const
/** GPUs that are there all the time: those of a, of b and of c. */
export const GPUS = 4

type Slot = { readonly node: number; readonly slot: number }
const SLOTS: readonly Slot[] = NODES.flatMap(({ slots }, node) => slots.map((_, slot) => ({ node, slot })))

/** A small cluster on which work comes and goes by a seed. */
export class NightCluster {
  readonly #seed: number
  readonly #random: () => number
  readonly #holders: (string | undefined)[] = SLOTS.map(() => undefined)
  #made = 0

  constructor(seed: number) {
    this.#seed = seed
    this.#random = randomFrom(seed)
  }

  /** Some work ends, and some begins. */
  step(): void {
    for (const [index, holder] of this.#holders.entries()) {
      if (holder !== undefined && this.#random() < 0.03) this.#holders[index] = undefined
      else if (holder === undefined && this.#random() < 0.08) {
        this.#made += 1
        this.#holders[index] = `${this.#random() < 0.5 ? 'lab' : 'web'}/job-${this.#made}`
      }
    }
  }

  #drawn() {
    const boxes = (node: number): readonly string[] =>
      SLOTS.flatMap((slot, index) =>
        slot.node === node ? [`[${NODES[node]?.slots[slot.slot] ?? ''} ${this.#holders[index] ?? '-'}]`] : [],
      )
    const lines = NODES.flatMap(({ name, model, slots }, node) =>
      slots[0] === ''
        ? boxes(node).map((box) => `${name} ${model} ${box}`)
        : [`${name} ${model} ${boxes(node).join(' ')}`],
    )
    return draw`${lines.join('\n')}`
  }

  inventory(at: number): Inventory {
    const { nodes, cluster: _, allocations: __, ...rest } = this.#drawn()
    return {
      ...rest,
      takenAt: instant(at),
      nodes: nodes.map(({ gpus, model: ___, ...node }) => ({
        ...node,
        gpuCount: gpus.length,
        reportedProfiles: undefined,
        devices: [],
      })),
    }
  }

  /** What exporters say: every device, with who holds it and how busy it is. */
  reading(at: number): TelemetryReading {
    const drawn = this.#drawn()
    // However often it is read at an instant, it says the same.
    const random = randomFrom(this.#seed + at / 1000)
    const holderOf = new Map(drawn.allocations.map(({ partition, pod }) => [partition, pod]))
    const samples = drawn.nodes.flatMap(({ name, product, gpus }) =>
      gpus.flatMap(({ id, index, partitions }): DeviceSample[] => {
        const of = { at: instant(at), node: name, gpu: id, index, model: product }
        const sample = (partition: string): DeviceSample => {
          const [namespace = '', pod = ''] = holderOf.get(partition)?.split('/') ?? []
          const holder = pod === '' ? {} : { holder: { namespace, pod, container: 'main' } }
          return {
            ...of,
            ...holder,
            busy: ratio(pod === '' ? 0 : random() < 0.3 ? 0 : 0.2 + 0.7 * random()),
          }
        }
        const instances = partitions.flatMap((partition) =>
          partition.kind === 'mig'
            ? [{ ...sample(partition.id), instance: { id: partition.instance, profile: partition.profile } }]
            : [],
        )
        return instances.length === 0 ? [sample(id)] : [{ ...of, busy: ratio(0.5) }, ...instances]
      }),
    )
    const targets = drawn.nodes.map(({ name }) => ({
      target: name,
      node: name,
      kind: 'up' as const,
      lastSeen: instant(at),
      detail: '',
    }))
    return { at: instant(at), samples, targets, problems: [] }
  }
}
