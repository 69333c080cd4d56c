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
  'busy-namespaces': 'How utilized is each namespace?',
  'busy-models': 'How utilized is each GPU model?',
  'busy-pools': 'How utilized is each pool?',
  'busy-nodes': 'How utilized is each node?',
  'fits-1g.10gb': 'Where is a 1g.10gb free?',
  'fits-1g.5gb': 'Which GPUs can be cut into 1g.5gb?',
  'held-not-running': 'Which GPUs are held by pods that do not run?',
  'used-without-request': 'Which GPUs are used without a request?',
  'stranded-capacity': 'Which capacity is stranded?',
  'nodes-to-repartition': 'Which nodes should be repartitioned?',
  'least-used': 'Which workloads use least of what they hold?',
  'costliest-namespace': 'Which namespace costs the most?',
  'token-cost': 'What does a million tokens cost?',
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

/** A line of the query bar is not longer than this, in characters. */
export const LONGEST_LINE = 300

export type CopilotQuestion = keyof typeof COPILOT_QUESTIONS
