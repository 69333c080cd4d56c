import { grouped } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { Answer } from '../../api.ts'

type Summary = Answer<'summaryGet'>

/** No GPU now and none in the range: every figure of the page would be about nothing. */
export const hasNoGpus = ({ source, asOf, capacity, cost }: Summary): boolean =>
  source.kind !== 'sample' &&
  asOf !== null &&
  capacity.gpus === 0 &&
  cost.hours !== null &&
  // Who sees some namespaces alone is not told of the cluster's GPUs.
  cost.hours.unallocated !== null &&
  cost.hours.capacity === 0

/** In place of empty figures: what was looked for, and why it may be missing. */
export function NoGpus({ summary: { source, capacity } }: { readonly summary: Summary }) {
  return (
    <section className="enters grid gap-5 rounded-card border border-line bg-surface px-6 py-10 sm:px-10">
      <h2 className="text-20 font-semibold tracking-tight">
        No node of <bdi>{source.name}</bdi> offers GPUs
      </h2>
      <p className="max-w-xl text-ink-soft">
        {nodesRead(capacity.nodes)} Septet counts GPUs a node offers as <Code>nvidia.com/gpu</Code>, as a shared GPU or
        as MIG resources, and those that a DRA driver publishes.
      </p>
      <ol className="grid max-w-xl list-decimal gap-2 pl-5 text-ink-soft marker:text-ink-quiet">
        <li>
          Check that the device plugin or GPU Operator is installed and its pods run on the GPU nodes.{' '}
          <Code>{OFFERED}</Code> shows what is offered.
        </li>
        <li>Are the GPU nodes up? An autoscaler may have taken them all away; then this page fills when one comes.</li>
      </ol>
    </section>
  )
}

// In quotes: a shell would take the backslash away, and kubectl then look for a field "nvidia".
const OFFERED = "kubectl get nodes -o 'custom-columns=NAME:.metadata.name,GPU:.status.allocatable.nvidia\\.com/gpu'"

const nodesRead = (nodes: number): string => {
  if (nodes === 0) return 'The cluster has no nodes right now.'
  return nodes === 1 ? 'Its one node was read.' : `Its ${grouped(nodes)} nodes were read.`
}

const Code = ({ children }: { readonly children: ReactNode }) => (
  <code className="font-mono text-12 [overflow-wrap:anywhere] text-ink">{children}</code>
)
