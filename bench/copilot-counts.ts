import { agree, plural, short } from '@septet/domain/words'

import type { Model } from './copilot-clusters.ts'
import { HOURS, type Asked } from './copilot-questions.ts'

const NAMESPACES = ['lab', 'web', 'vision']
const answered = { verdict: 'answered' } as const

/** Questions for a number, as people type them. */
export function countsOf({ gpus, waiting }: Model): readonly Asked[] {
  const nodes = new Set(gpus.map(({ node }) => node)).size
  const down = new Set(gpus.filter((gpu) => gpu.down).map(({ node }) => node)).size
  const inUse = gpus.filter((gpu) => gpu.boxes.some(({ holder }) => holder !== undefined)).length
  return [
    {
      ...answered,
      family: 'nodes-down',
      question: 'how many nodes are down?',
      says: [`${down} of ${plural(nodes, 'GPU node')}`],
    },
    {
      ...answered,
      family: 'in-use',
      question: 'how many gpus r in use',
      says: [`${inUse} of ${plural(gpus.length, 'GPU')}`],
    },
    {
      ...answered,
      family: 'waiting',
      question: 'number of pending pods',
      says: [`, ${plural(waiting.length, 'workload')} ${agree(waiting.length, 'is', 'are')} waiting`],
    },
    {
      ...answered,
      family: 'busy-then',
      question: 'how busy were the GPUs in the last hour',
      says: ['Over the past hour', ', GPUs were busy', 'target of 85%'],
    },
    ...NAMESPACES.flatMap((namespace) => ofNamespace(namespace, gpus)),
  ]
}

/** What is held on nodes that are ready: elsewhere nothing is. */
function ofNamespace(namespace: string, gpus: Model['gpus']): readonly Asked[] {
  const boxes = gpus.filter(({ down }) => !down).flatMap((gpu) => gpu.boxes)
  const own = boxes.filter(({ holder }) => holder?.startsWith(`${namespace}/`) === true)
  const share = own.reduce((sum, box) => sum + box.share, 0)
  if (own.length === 0) return []
  return [
    {
      ...answered,
      family: 'held-by',
      question: `how many gpus does ${namespace} hold rn`,
      says: [`namespace “${namespace}” holds ${short(share)} GPU`, `in ${plural(own.length, 'workload')}`],
    },
    {
      ...answered,
      family: 'held-hours',
      question: 'gpu hours per ns today vs yesterday',
      row: [namespace, (share * HOURS).toFixed(1)],
    },
  ]
}
