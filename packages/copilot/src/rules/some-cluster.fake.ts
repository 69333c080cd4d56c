import type { Ask } from '@septet/tools'

const WORKLOADS = ['lab/Job/train-7', 'web/Deployment/chat', 'lab/Pod/twin', 'web/Pod/twin']
const FOUND = [
  { kind: 'node', id: 'node-a', name: 'node-a', detail: '8 × H100-80GB-HBM3' },
  { kind: 'gpu', id: 'GPU-node-a-0', name: 'GPU-node-a-0', detail: 'GPU 0 of node-a, H100-80GB-HBM3' },
  ...WORKLOADS.map((id) => ({ kind: 'workload', id, name: id.split('/')[2], detail: 'a workload' })),
  ...['lab', 'web'].map((id) => ({ kind: 'namespace', id, name: id, detail: 'a namespace' })),
]

/** What questions need to know of a cluster before they are answered: what its things are called. */
export const someCluster: Ask = async (key, input) => {
  const answers: Readonly<Record<string, unknown>> = {
    workloadsList: {
      choices: { namespaces: ['lab', 'web'], tenants: ['research'], classes: ['notebook', 'training'] },
    },
    partitionsList: {
      facets: {
        models: [{ name: 'H100-80GB-HBM3' }, { name: 'A100-SXM4-80GB' }],
        pools: [{ name: 'spot' }, { name: '' }],
        states: [],
      },
    },
    searchFind: { found: FOUND.filter((one) => holds(one, 'query' in input ? input.query : '')) },
  }
  return answers[key] as never
}

const holds = ({ id, detail }: { readonly id: string; readonly detail: string }, query: string): boolean =>
  query
    .toLowerCase()
    .split(' ')
    .every((word) => `${id} ${detail}`.toLowerCase().includes(word))
