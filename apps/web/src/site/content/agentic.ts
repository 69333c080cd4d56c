/** One step of what Septet does by itself. */
export type AgenticStep = { readonly title: string; readonly text: string }

/** One line of the typing demo. */
export type AgenticLine = { readonly from: 'operator' | 'septet'; readonly text: string }

export const AGENTIC = {
  title: 'It proposes. You decide',
  lead: 'Septet finds, tries out and explains. It changes a cluster only where you gave it the rights, class by class, and takes back what does not hold.',
  demo: {
    title: 'One question, answered by the planner',
    note: 'Two drawn nodes, not a cluster of anybody’s. The planner’s words are checked against the planner by a test.',
  },
  more: { label: 'How Septet acts, and what it never does', href: '/docs/acting' },
} as const

export const AGENTIC_STEPS: readonly AgenticStep[] = [
  {
    title: 'Finds',
    text: 'Six rules read usage, prices and the cluster as it is, and write recommendations with their evidence. Nothing is built on telemetry that cannot be trusted.',
  },
  {
    title: 'Tries it out',
    text: 'Every step of a plan is applied to a copy of the cluster first. Guardrails refuse with a reason: disruption budgets, quotas, pods that nothing would make again.',
  },
  {
    title: 'Writes the way back',
    text: 'Each plan comes with the steps that undo it, as files to review in a pull request, or for Septet to carry out.',
  },
  {
    title: 'Acts',
    text: 'Applies what you approved, or what you put on auto: guardrails first, then a dry run, then step by step. It verifies, watches, and undoes what does not hold. One switch stops everything.',
  },
]

/** Asked of the planner about the two nodes of `AGENTIC_BARS`; the lines of Septet quote its answer. */
export const AGENTIC_LINES: readonly AgenticLine[] = [
  { from: 'operator', text: 'Cut node-a for 3g + 2g + 1g + 1g, and give me node-b whole.' },
  {
    from: 'septet',
    text: 'node-a, three steps: Cordon node-a. Cut node-a: GPU 0: 2 × 1g.5gb + 1 × 2g.10gb + 1 × 3g.20gb. Uncordon node-a.',
  },
  { from: 'septet', text: 'Tried on a copy: executable. Pods displaced: 0.' },
  {
    from: 'septet',
    text: 'node-b, refused: lab/notebook has no controller: once stopped, nothing makes it again. Stop it yourself, or name it among the pods that may be lost.',
  },
  { from: 'septet', text: 'Way back: Cordon node-a. Cut node-a: GPU 0: 1 × 7g.40gb. Uncordon node-a.' },
  { from: 'operator', text: 'Good. I will put it in a pull request.' },
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
    label: 'node-a by the plan',
    instances: [
      { profile: '2g.10gb', start: 0, size: 2 },
      { profile: '1g.5gb', start: 2, size: 1 },
      { profile: '1g.5gb', start: 3, size: 1 },
      { profile: '3g.20gb', start: 4, size: 4 },
    ],
  },
  {
    label: 'node-b, left as it is',
    instances: [
      { profile: '3g.20gb', start: 0, size: 4, holder: 'lab/notebook' },
      { profile: '3g.20gb', start: 4, size: 4 },
    ],
  },
]
