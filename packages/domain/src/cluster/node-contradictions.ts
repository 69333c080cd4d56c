import { agree, plural } from '../words.ts'
import { findModel } from '../gpu/catalog.ts'
import type { Device, NodeEvidence } from './assemble-devices.ts'
import type { Problem } from './node.ts'

export type NodeFacts = {
  readonly evidence: NodeEvidence
  /** GPUs that the API's labels and counts speak of. */
  readonly expected: number
  readonly devices: readonly Device[]
  /** Profiles of MIG devices that fit on no GPU. */
  readonly homeless: readonly string[]
  /** Whether it is guessed which GPUs are in MIG mode. */
  readonly unclear: boolean
  readonly model: string | undefined
}

/** Where the sources of a node contradict each other, or name a board we do not know; each in one sentence to act on. */
export function contradictionsOf(facts: NodeFacts): readonly Problem[] {
  return [
    unknownBoard(facts),
    wrongCount(facts),
    wrongModel(facts),
    homelessInstances(facts),
    unclearMode(facts),
  ].filter((problem) => problem !== undefined)
}

function unknownBoard({ evidence: { node, seen }, devices, model }: NodeFacts): Problem | undefined {
  const product = node.product === '' ? seen[0]?.model : node.product
  if (model !== undefined || devices.length === 0) return undefined
  const name = product === undefined || product === '' ? 'a GPU without a product label' : `the GPU "${product}"`
  return problem('unknown-board', node.name, [
    `${node.name} has ${name}, which the catalog does not know.`,
    'Its GPU-hours and utilization are counted, each GPU as a whole; MIG geometry is not.',
    'Set a price for this model in Settings → Prices to see its cost.',
  ])
}

function wrongCount({ evidence: { node, seen }, expected }: NodeFacts): Problem | undefined {
  const visible = new Set(seen.map(({ gpu }) => gpu)).size
  if (visible === 0 || expected === 0 || visible === expected) return undefined
  const kept =
    visible < expected
      ? `The ${expected - visible} without telemetry ${agree(expected - visible, 'stays in the count, its', 'stay in the count, their')} utilization is unknown. Look for them with nvidia-smi on the node.`
      : 'Septet goes by the devices. Restart gpu-feature-discovery on the node so that its labels are rewritten.'
  return problem('label-contradicts-devices', node.name, [
    `The labels of ${node.name} say ${plural(expected, 'GPU')}, its exporter sees ${visible}.`,
    kept,
  ])
}

function wrongModel({ evidence: { node, seen } }: NodeFacts): Problem | undefined {
  const labelled = findModel(node.product)?.name
  const other = seen.find((sighting) => (findModel(sighting.model)?.name ?? labelled) !== labelled)
  if (labelled === undefined || other === undefined) return undefined
  return problem('label-contradicts-devices', node.name, [
    `The label of ${node.name} says ${labelled}, its exporter says ${other.model} for GPU ${other.index}.`,
    'Septet goes by the device. Restart gpu-feature-discovery on the node so that its labels are rewritten.',
  ])
}

function homelessInstances({ evidence: { node }, homeless }: NodeFacts): Problem | undefined {
  if (homeless.length === 0) return undefined
  return problem('label-contradicts-devices', node.name, [
    `The kubelet of ${node.name} offers ${homeless.length} MIG devices (${[...new Set(homeless)].join(', ')})`,
    'for which its GPUs have no room. They are left out; the rest of the node is counted.',
    'Restart the device plugin on the node if it was just repartitioned.',
  ])
}

function unclearMode({ evidence: { node }, unclear }: NodeFacts): Problem | undefined {
  if (!unclear) return undefined
  return problem('mig-mode-unclear', node.name, [
    `Which GPUs of ${node.name} are in MIG mode is not evident: its kubelet offers fewer whole GPUs than are not`,
    'partitioned, and neither partitions nor use tell which are meant. They are counted; nothing is planned on the node.',
    `Look with nvidia-smi on ${node.name} for the GPUs in MIG mode, and partition them or turn the mode off.`,
  ])
}

const problem = (code: string, node: string, sentences: readonly string[]): Problem => ({
  code,
  message: sentences.join(' '),
  object: `node/${node}`,
})
