/** What is worth asking on each screen, by the first part of its path. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': ['What did the fleet cost this month?', 'Where is the most waste?', 'Which workloads are waiting, and why?'],
  fleet: ['Which GPUs are idle?', 'Which GPUs have faults?', 'How busy was the fleet in the last 7 days?'],
  partitions: ['Where is a 1g.10gb free?', 'Which capacity is stranded?', 'Which nodes should be repartitioned?'],
  workloads: ['Which workloads are waiting, and why?', 'Which workloads use least of what they hold?'],
  cost: ['Which namespace costs the most?', 'How much of the cost is idle?', 'What is the forecast for this month?'],
  actions: ['What should I do first?', 'What have we saved, verified?', 'Which actions wait for approval?'],
  alerts: ['What is wrong now?', 'Which GPUs have faults?'],
}

/** Questions to begin with, on the screen of that path. */
export const exampleQuestions = (path: string): readonly string[] =>
  EXAMPLES[path.split('/')[1] ?? ''] ?? EXAMPLES[''] ?? []
