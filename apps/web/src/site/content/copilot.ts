import { PARTITIONS_PER_NODE, SAMPLE, SAMPLE_NODES } from './sample-figures.ts'

export type CopilotIcon = 'cost' | 'utilization' | 'workloads' | 'partitions'

/** One example of the co-pilot demo. The response is typed in steps of one character and must fit between 3 and 11 seconds. */
export type CopilotExample = {
  readonly icon: CopilotIcon
  readonly prompt: string
  readonly response: string
  readonly category: string
  /** The operations whose answers the response quotes. */
  readonly operations: readonly string[]
}

export const COPILOT = {
  title: 'Ask it in a sentence',
  lead: 'Four questions that a platform team asks every week, with the figures that answer them.',
  status: 'No model key needed.',
  note: 'The co-pilot answers the questions it knows by rules, with the evidence for every number. The figures here are those of the sample data.',
  more: { label: 'Ask the operations yourself', href: '/#mcp' },
} as const

const [recut, scaledDown, roomy, busiest] = SAMPLE_NODES

export const COPILOT_EXAMPLES: readonly CopilotExample[] = [
  {
    icon: 'cost',
    category: 'Cost',
    prompt: 'What have we saved, and what is next?',
    response: `Total cost savings are ${SAMPLE.savings}, ${SAMPLE.savingsChange}. Next: scale down ${scaledDown.node}, ${scaledDown.utilization} utilized, for ${SAMPLE.scaleDown}.`,
    operations: ['summary.get', 'recommendations.list'],
  },
  {
    icon: 'utilization',
    category: 'Utilization',
    prompt: 'Are our GPUs busy enough?',
    response: `GPU utilization is ${SAMPLE.utilization} against a target of ${SAMPLE.target}: ${SAMPLE.aboveTarget}. The busiest is ${busiest.node}, at ${busiest.utilization}.`,
    operations: ['summary.get', 'partitions.list'],
  },
  {
    icon: 'workloads',
    category: 'Workloads',
    prompt: 'How long is the queue, and what shortens it?',
    response: `${SAMPLE.active} workloads are active: ${SAMPLE.running} running, ${SAMPLE.queued} queued. Moving the batch queue to the night saves ${SAMPLE.queueMinutes} of queue time.`,
    operations: ['summary.get', 'recommendations.list'],
  },
  {
    icon: 'partitions',
    category: 'Partitions',
    prompt: 'Where is a MIG partition free?',
    response: `${roomy.node} has ${roomy.available} of ${PARTITIONS_PER_NODE} partitions free, ${recut.node} has ${recut.available}; two nodes have none. MIG efficiency is ${SAMPLE.migEfficiency}.`,
    operations: ['partitions.list', 'summary.get'],
  },
]
