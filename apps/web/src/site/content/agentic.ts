/** One step of what Septet does by itself. */
export type AgenticStep = { readonly title: string; readonly text: string }

/** One line of the typing demo. */
export type AgenticLine = { readonly from: 'operator' | 'septet'; readonly text: string }

export const AGENTIC = {
  title: 'Agents that ask first',
  lead: 'Set each kind of change to observe, suggest, approve, or auto.',
  demo: {
    title: 'Ask the planner for a layout',
    note: 'The replies are the planner’s own.',
  },
  loop: {
    label: 'Watch a plan run',
    description:
      'A recording of the dashboard on the demo cluster: the plan to repartition a GPU node waits for approval, a person approves exactly that plan, its steps are applied one after another, and the result is verified.',
    note: 'Recorded on the demo cluster; waits are shortened.',
  },
  more: { label: 'How Septet acts', href: '/docs/acting' },
} as const

export const AGENTIC_STEPS: readonly AgenticStep[] = [
  { title: 'Finds the waste', text: 'Proposes fixes, with the evidence.' },
  {
    title: 'Rehearses the fix',
    text: 'Runs each step on a copy of the cluster, within budgets and quotas.',
  },
  {
    title: 'Applies what you approved',
    text: 'Dry run, then one node at a time. Or export a pull request.',
  },
  { title: 'Rolls back', text: 'Undoes what makes things worse. One switch stops everything.' },
]

/** Asked of the planner about the two nodes of `AGENTIC_BARS`; the lines of Septet quote its answer. */
export const AGENTIC_LINES: readonly AgenticLine[] = [
  { from: 'operator', text: 'Slice node-a into 3g + 2g + 1g + 1g, and free up node-b.' },
  {
    from: 'septet',
    text: 'node-a, three steps: Cordon node-a. Repartition node-a: GPU 0: 2 × 1g.5gb + 1 × 2g.10gb + 1 × 3g.20gb. Uncordon node-a.',
  },
  { from: 'septet', text: 'Simulated on a copy: executable. Pods displaced: 0.' },
  {
    from: 'septet',
    text: 'node-b, refused: lab/notebook has no controller: once stopped, it is not recreated. Stop it yourself, or list it among the pods that may be lost.',
  },
  { from: 'septet', text: 'Rollback: Cordon node-a. Repartition node-a: GPU 0: 1 × 7g.40gb. Uncordon node-a.' },
]

/** One GPU of the drawing, before the plan or after it. */
export type PlanBar = {
  readonly label: string
  readonly instances: readonly {
    readonly profile: string
    readonly start: number
    readonly size: number
    readonly holder?: string
  }[]
}

export const AGENTIC_BARS: readonly PlanBar[] = [
  { label: 'node-a now', instances: [{ profile: '7g.40gb', start: 0, size: 8 }] },
  {
    label: 'node-a after the plan',
    instances: [
      { profile: '2g.10gb', start: 0, size: 2 },
      { profile: '1g.5gb', start: 2, size: 1 },
      { profile: '1g.5gb', start: 3, size: 1 },
      { profile: '3g.20gb', start: 4, size: 4 },
    ],
  },
  {
    label: 'node-b, unchanged',
    instances: [
      { profile: '3g.20gb', start: 0, size: 4, holder: 'lab/notebook' },
      { profile: '3g.20gb', start: 4, size: 4 },
    ],
  },
]
