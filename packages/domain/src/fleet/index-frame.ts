import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { GpuId, GpuNode } from '../cluster/node.ts'
import type { NodeRequirement, PodScheduling } from '../cluster/scheduling.ts'
import type { Pod, PodId } from '../cluster/workload.ts'
import { compareText } from '../units.ts'
import { nodeRefusal } from '../cluster/node-rules.ts'
import type { GpuSpace } from './gpu-space.ts'
import { SpaceKinds } from './space-kind.ts'

/** What stays the same of a cluster while changes are tried on it. GPUs are numbered by id, nodes as they come. */
export class IndexFrame {
  readonly pods: ReadonlyMap<PodId, Pod>
  readonly kinds: SpaceKinds
  readonly nodes: readonly GpuNode[]
  readonly nodeNumbers: ReadonlyMap<string, number>
  readonly gpuNumbers: ReadonlyMap<GpuId, number>
  /** The node of each GPU. */
  readonly nodeOf: Int32Array
  /** The GPUs of each node, by id. */
  readonly gpusOf: readonly (readonly number[])[]
  /** GPUs in the order of the snapshot. */
  readonly asRead: readonly number[]
  /** Nodes that no rule of any pod tells apart have one number. */
  readonly #rules: Int32Array
  readonly #allowed = new Map<string, Uint8Array>()
  readonly #orders = new Map<string, GpuOrder>()

  constructor({ nodes, pods }: ClusterSnapshot, spaces: readonly GpuSpace[]) {
    this.pods = new Map(pods.map((pod) => [pod.id, pod]))
    this.kinds = new SpaceKinds(this.pods)
    this.nodeNumbers = new Map([...new Set(nodes.map(({ name }) => name))].map((name, index) => [name, index]))
    const byNumber: GpuNode[] = []
    for (const node of nodes) byNumber[this.nodeNumbers.get(node.name) ?? 0] = node
    this.nodes = byNumber
    const ids = spaces.map(({ gpu }) => gpu.id).toSorted(compareText)
    this.gpuNumbers = new Map(ids.map((id, index) => [id, index]))
    this.asRead = spaces.map(({ gpu }) => this.gpuNumbers.get(gpu.id) ?? 0)
    this.nodeOf = new Int32Array(spaces.length)
    const gpusOf: number[][] = byNumber.map(() => [])
    for (const { gpu, node } of spaces) {
      const number = this.gpuNumbers.get(gpu.id) ?? 0
      const at = this.nodeNumbers.get(node.name) ?? 0
      this.nodeOf[number] = at
      gpusOf[at]?.push(number)
    }
    for (const own of gpusOf) own.sort((a, b) => a - b)
    this.gpusOf = gpusOf
    this.#rules = rulesOf(byNumber, pods)
  }

  /** Nodes whose labels and taints let the pod come, by their numbers. */
  allowed({ nodeSelector, nodeTerms, tolerations }: PodScheduling): Uint8Array {
    const key = JSON.stringify([nodeSelector, nodeTerms, tolerations])
    const known = this.#allowed.get(key)
    if (known !== undefined) return known
    const verdicts: (number | undefined)[] = []
    const allowed = Uint8Array.from(this.nodes, (node, index) => {
      const rules = this.ruleClass(index)
      return (verdicts[rules] ??=
        nodeRefusal({ nodeSelector, nodeTerms, tolerations }, node.room) === undefined ? 1 : 0)
    })
    this.#allowed.set(key, allowed)
    return allowed
  }

  ruleClass(node: number): number {
    return this.#rules[node] ?? 0
  }

  /** GPUs by node name, then by id with this behind it. */
  byNode(suffix: string): GpuOrder {
    const known = this.#orders.get(suffix)
    if (known !== undefined) return known
    const ids = [...this.gpuNumbers.keys()]
    const text = (gpu: number): string => `${ids[gpu]}${suffix}`
    const order = [...this.nodes.keys()]
      .toSorted((a, b) => compareText(this.nodes[a]?.name ?? '', this.nodes[b]?.name ?? ''))
      .flatMap((node) => (this.gpusOf[node] ?? []).toSorted((a, b) => compareText(text(a), text(b))))
    const places = new Int32Array(order.length)
    for (const [place, gpu] of order.entries()) places[gpu] = place
    const made = { order, places }
    this.#orders.set(suffix, made)
    return made
  }
}

export type GpuOrder = { readonly order: readonly number[]; readonly places: Int32Array }

/**
 * Numbers nodes by their taints and by those labels that some pod's rules can tell apart: a value that no rule names is
 * like any other, so that one pod that names a host does not make every host a kind of its own.
 */
function rulesOf(nodes: readonly GpuNode[], pods: readonly Pod[]): Int32Array {
  const named = namedBy(pods)
  const numbers = new Map<string, number>()
  return Int32Array.from(nodes, ({ room }) => {
    const labels = named.map(({ key, values, compares }) => {
      const value = room.labels[key]
      return value === undefined || compares || values.has(value) ? [value] : []
    })
    const text = JSON.stringify([labels, room.taints])
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  })
}

type NamedLabel = { readonly key: string; readonly values: Set<string>; compares: boolean }

function namedBy(pods: readonly Pod[]): readonly NamedLabel[] {
  const named = new Map<string, NamedLabel>()
  for (const { scheduling } of pods) {
    for (const key of Object.keys(scheduling.nodeSelector)) labelOf(key).values.add(scheduling.nodeSelector[key] ?? '')
    for (const term of scheduling.nodeTerms) for (const requirement of term) note(requirement)
  }
  return [...named.values()]

  function note({ key, operator, values }: NodeRequirement): void {
    const label = labelOf(key)
    if (operator === 'Gt' || operator === 'Lt') label.compares = true
    else for (const value of values) label.values.add(value)
  }

  function labelOf(key: string): NamedLabel {
    const label = named.get(key) ?? { key, values: new Set<string>(), compares: false }
    named.set(key, label)
    return label
  }
}
