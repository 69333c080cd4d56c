import { COPILOT_QUESTIONS } from '@septet/contract/copilot-questions'

export type CopilotIcon = 'cost' | 'utilization' | 'workloads' | 'partitions'

/**
 * One example of the co-pilot demo. The response is what the co-pilot answers on sample data, word for word; it is
 * typed in steps of one character and must fit between 3 and 11 seconds.
 */
export type CopilotExample = {
  readonly icon: CopilotIcon
  readonly prompt: string
  readonly response: string
  readonly category: string
  /** The operations that the answer cites. */
  readonly operations: readonly string[]
}

export const COPILOT = {
  title: 'Ask the AI co-pilot',
  lead: 'Fixed questions, sourced answers, no model key. These are its replies on sample data.',
  more: { label: 'Try it in the demo', href: '/demo' },
} as const

export const COPILOT_EXAMPLES: readonly CopilotExample[] = [
  {
    icon: 'cost',
    category: 'Cost',
    prompt: COPILOT_QUESTIONS['largest-saving'],
    response:
      'Now, there are 3 recommendations. The largest saving is “Scale down gpu-a100-07” ($1,200/mo off the bill, estimated).',
    operations: ['recommendations.list'],
  },
  {
    icon: 'utilization',
    category: 'Utilization',
    prompt: COPILOT_QUESTIONS['trend-this-week'],
    response: 'This week, utilization peaked at 92.0% on Thu.',
    operations: ['utilization.trend'],
  },
  {
    icon: 'workloads',
    category: 'Workloads',
    prompt: COPILOT_QUESTIONS['longest-wait'],
    response: 'Now, “ml-training/Job/speech-pretraining” has been waiting longest: 12 min. 1 workload in total.',
    operations: ['workloads.list'],
  },
  {
    icon: 'partitions',
    category: 'Partitions',
    prompt: COPILOT_QUESTIONS['free-partition'],
    response: 'Now, 0 whole GPUs are free. 3 MIG partitions are. They are on “gpu-a100-03” and “gpu-h100-01”.',
    operations: ['partitions.list'],
  },
]
