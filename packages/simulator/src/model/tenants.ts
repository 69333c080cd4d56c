import { draw, mix, pick, pickWeighted } from './hash.ts'

/** What a workload does; decides how long it runs and how busy it keeps its partition. */
export type WorkKind = 'training' | 'inference' | 'notebook' | 'analytics'

const TENANTS = [
  { name: 'ml-platform', weight: 12 },
  { name: 'team-search', weight: 11 },
  { name: 'recommendations', weight: 10 },
  { name: 'research-language', weight: 10 },
  { name: 'research-vision', weight: 8 },
  { name: 'team-speech', weight: 7 },
  { name: 'ads-ranking', weight: 6 },
  { name: 'fraud-detection', weight: 5 },
  { name: 'forecasting', weight: 4 },
  { name: 'genomics', weight: 4 },
  { name: 'robotics-sim', weight: 4 },
  { name: 'document-understanding', weight: 4 },
  { name: 'support-assistant', weight: 3 },
  { name: 'data-science', weight: 3 },
  { name: 'media-encoding', weight: 2 },
  { name: 'edge-models', weight: 2 },
  { name: 'trust-and-safety', weight: 2 },
  { name: 'maps-routing', weight: 2 },
  { name: 'model-evaluation', weight: 2 },
  { name: 'sandbox', weight: 1 },
] as const

const WORK: Readonly<Record<WorkKind, readonly string[]>> = {
  training: [
    'llm-pretrain',
    'llm-finetune',
    'ranker-train',
    'vision-backbone',
    'asr-finetune',
    'reward-model',
    'diffusion-train',
    'contrastive-embed',
    'tabular-sweep',
    'protein-fold-train',
  ],
  inference: [
    'chat-serving',
    'embedding-api',
    'ranker-serving',
    'speech-to-text',
    'reranker',
    'image-tagger',
    'moderation',
    'summarizer',
    'fraud-scorer',
    'translation',
  ],
  notebook: ['notebook', 'jupyter', 'workbench', 'explore'],
  analytics: ['feature-build', 'embed-backfill', 'frame-extract', 'nightly-scoring', 'index-rebuild', 'sequence-align'],
}

/** What a model server serves, by the name of the work; any other serves the last one. */
const SERVED = {
  'chat-serving': 'meta-llama/Llama-3.3-70B-Instruct',
  summarizer: 'mistralai/Mistral-Small-24B-Instruct',
  translation: 'google/gemma-3-12b-it',
  moderation: 'meta-llama/Llama-Guard-3-8B',
  'image-tagger': 'Qwen/Qwen2.5-VL-7B-Instruct',
  'speech-to-text': 'openai/whisper-large-v3',
  '': 'Qwen/Qwen3-8B',
}

const IMAGE: Readonly<Record<WorkKind, string>> = {
  training: 'registry.example.com/train/pytorch:2.9-cuda13',
  inference: 'registry.example.com/serve/vllm:0.14',
  notebook: 'registry.example.com/notebook/jupyter:4.4',
  analytics: 'registry.example.com/batch/rapids:26.10',
}

const CONTAINER: Readonly<Record<WorkKind, string>> = {
  training: 'trainer',
  inference: 'server',
  notebook: 'notebook',
  analytics: 'worker',
}

/** Namespaces that ask for GPUs: 20 in a small cluster, 100 in a large one. */
export const tenantNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => nameOf(TENANTS[index % TENANTS.length]?.name ?? 'sandbox', index))

/** The namespace that a piece of work belongs to; the larger teams have more of it. */
export function tenantFor(seed: number, count: number): string {
  const { name } = pickWeighted(TENANTS, draw(seed, 31))
  const groups = Math.max(1, Math.floor(count / TENANTS.length))
  const group = mix(seed, 32) % groups
  return nameOf(name, group * TENANTS.length)
}

export const workName = (role: WorkKind, seed: number): string => pick(WORK[role], draw(seed, 33))
export const imageOf = (role: WorkKind): string => IMAGE[role]
/** The model that a pod of a server serves. */
export const servedModelOf = (pod: string): string =>
  Object.entries(SERVED).find(([work]) => pod.startsWith(work))?.[1] ?? ''
export const containerOf = (role: WorkKind): string => CONTAINER[role]

function nameOf(name: string, index: number): string {
  const group = Math.floor(index / TENANTS.length)
  return group === 0 ? name : `${name}-${group + 1}`
}
