/** The questions that the co-pilot answers without a language model, in the words in which they are asked. */
export const COPILOT_QUESTIONS = {
  'saved-and-next': 'What have we saved, and what is next?',
  'busy-enough': 'Are our GPUs busy enough?',
  queue: 'How long is the queue, and what shortens it?',
  'free-partition': 'Where is a MIG partition free?',
  'cost-this-month': 'What did the fleet cost this month?',
  'most-waste': 'Where is the most waste?',
  'waits-and-why': 'Which workloads are waiting, and why?',
  'idle-gpus': 'Which GPUs are idle?',
  'faulty-gpus': 'Which GPUs have faults?',
  'busy-past-week': 'How busy was the fleet in the last 7 days?',
  'fits-1g.10gb': 'Where is a 1g.10gb free?',
  'stranded-capacity': 'Which capacity is stranded?',
  'nodes-to-repartition': 'Which nodes should be repartitioned?',
  'least-used': 'Which workloads use least of what they hold?',
  'costliest-namespace': 'Which namespace costs the most?',
  'idle-cost': 'How much of the cost is idle?',
  'month-forecast': 'What is the forecast for this month?',
  'do-first': 'What should I do first?',
  saved: 'What have we saved, verified?',
  'to-approve': 'Which actions wait for approval?',
  'wrong-now': 'What is wrong now?',
  'largest-saving': 'What would save the most?',
  'trend-this-week': 'How has utilization trended this week?',
  'longest-wait': 'Which workload waits longest?',
} as const

export type CopilotQuestion = keyof typeof COPILOT_QUESTIONS
