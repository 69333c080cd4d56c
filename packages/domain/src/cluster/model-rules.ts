import type { PodRules } from './node-rules.ts'
import type { PodScheduling } from './scheduling.ts'

/** Labels by which nodes tell the model of their GPUs: of GPU feature discovery, GKE and Karpenter on AWS. */
const MODEL_LABELS: ReadonlySet<string> = new Set([
  'nvidia.com/gpu.product',
  'nvidia.com/gpu.family',
  'nvidia.com/gpu.memory',
  'cloud.google.com/gke-accelerator',
  'karpenter.k8s.aws/instance-gpu-name',
])

/** Which GPU models a pod asks for: its node selector and affinity as far as they are about that; undefined: it takes any. */
export function modelRules({
  nodeSelector,
  nodeTerms,
}: Pick<PodScheduling, 'nodeSelector' | 'nodeTerms'>): PodRules | undefined {
  const selected = Object.entries(nodeSelector).filter(([key]) => MODEL_LABELS.has(key))
  const terms = nodeTerms.map((term) => term.filter(({ key }) => MODEL_LABELS.has(key)))
  // Terms are alternatives: by one that names no model it may take any.
  const isAny = terms.some((term) => term.length === 0)
  if (selected.length === 0 && (isAny || terms.length === 0)) return undefined
  return { nodeSelector: Object.fromEntries(selected), nodeTerms: isAny ? [] : terms, tolerations: [] }
}
