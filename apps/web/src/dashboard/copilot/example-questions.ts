import { COPILOT_QUESTIONS, type CopilotQuestion } from '@septet/contract/copilot-questions'

/** What is worth asking on each screen, by the first part of its path. */
const EXAMPLES: Readonly<Record<string, readonly CopilotQuestion[]>> = {
  '': ['cost-this-month', 'most-waste', 'waits-and-why'],
  fleet: ['idle-gpus', 'faulty-gpus', 'busy-past-week'],
  partitions: ['fits-1g.10gb', 'stranded-capacity', 'nodes-to-repartition'],
  workloads: ['waits-and-why', 'least-used'],
  cost: ['costliest-namespace', 'idle-cost', 'month-forecast'],
  actions: ['do-first', 'saved', 'to-approve'],
  alerts: ['wrong-now', 'faulty-gpus'],
}

/** Questions to begin with, on the screen of that path. */
export const exampleQuestions = (path: string): readonly string[] =>
  (EXAMPLES[path.split('/')[1] ?? ''] ?? EXAMPLES[''] ?? []).map((id) => COPILOT_QUESTIONS[id])
