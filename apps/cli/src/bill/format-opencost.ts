import { type OpenCostComparison, reasonsOnce } from '@septet/domain'

import { table, type Column } from '../report/table.ts'

type NodeRow = OpenCostComparison['nodes'][number]
type NamespaceRow = OpenCostComparison['namespaces'][number]

/** Our figures beside OpenCost's, and why they differ, as text for a terminal. */
export function formatOpenCost({ nodes, namespaces }: OpenCostComparison): string {
  const nodeColumns: Column<NodeRow>[] = [
    { title: 'Beside OpenCost, by node', text: ({ name }) => name },
    { title: 'GPU-h', text: ({ ours }) => hours(ours.gpuHours), right: true },
    { title: 'theirs', text: ({ theirs }) => hours(theirs.gpuHours), right: true },
    { title: 'Cost', text: ({ ours }) => money(ours.cost), right: true },
    { title: 'their total', text: ({ theirs }) => money(theirs.cost), right: true },
    { title: 'their GPUs', text: ({ theirGpuCost }) => money(theirGpuCost), right: true },
  ]
  const namespaceColumns: Column<NamespaceRow>[] = [
    { title: 'By namespace', text: ({ name }) => (name === '' ? '(unallocated)' : name) },
    { title: 'GPU-h', text: ({ ours }) => hours(ours.gpuHours), right: true },
    { title: 'theirs', text: ({ theirs }) => hours(theirs.gpuHours), right: true },
    { title: 'Cost', text: ({ ours }) => money(ours.cost), right: true },
    { title: 'theirs', text: ({ theirs }) => money(theirs.cost), right: true },
  ]
  return [
    ...table(nodes, nodeColumns),
    ...reasonsOnce([...nodes, ...namespaces.map((each) => ({ ...each, name: each.name || 'unallocated' }))]),
    '',
    ...table(namespaces, namespaceColumns),
    '',
  ].join('\n')
}

const hours = (value: number | undefined): string =>
  value === undefined ? 'unknown' : value.toLocaleString('en-US', { maximumFractionDigits: 1 })
const money = (value: number | undefined): string =>
  value === undefined
    ? 'unknown'
    : value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
