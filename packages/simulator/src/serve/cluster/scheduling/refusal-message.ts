import { compareText } from '@septet/domain'

/** The scheduler's sentence for what each node said; a node may lack several things. */
export function refusalMessage(nodes: number, reasons: readonly string[]): string {
  const counted = [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, { length }]) => `${length} ${reason}`)
    .toSorted(compareText)
  const hopeless = reasons.filter((reason) => HOPELESS.some((words) => reason.startsWith(words))).length
  const rest = nodes - hopeless
  const preemption = [
    ...(hopeless > 0 ? [`${hopeless} Preemption is not helpful for scheduling`] : []),
    ...(rest > 0 ? [`${rest} No preemption victims found for incoming pod`] : []),
  ]
  return `0/${nodes} nodes are available: ${counted.join(', ')}. preemption: 0/${nodes} nodes are available: ${preemption.join(', ')}.`
}

/** What no eviction of pods would change. */
const HOPELESS = [
  'node(s) were unschedulable',
  'node(s) had untolerated taint',
  "node(s) didn't match Pod's node affinity/selector",
  "node(s) didn't match pod topology spread constraints (missing",
  "node(s) didn't match pod affinity rules",
] as const
