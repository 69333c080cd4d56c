/** A way to cut one A100-40GB, as the specification lists them. */
export type PartitioningConfiguration = {
  readonly name: string
  readonly instances: string
  readonly description: string
  readonly useCase: string
  /** The instances by profile; where they sit is worked out from the board's geometry. */
  readonly profiles: readonly string[]
}

/** A board to try: what it is called here, and the name by which its driver reports it. */
export type ExplorerBoard = { readonly label: string; readonly model: string }

export const PARTITIONING = {
  title: 'Slice a GPU with MIG',
  lead: 'Each size fits only in certain positions. Try it: Septet plans by the same rules.',
  configurations: 'Three layouts for an A100-40GB',
  explorer: 'Build your own',
} as const

export const PARTITIONING_CONFIGURATIONS: readonly PartitioningConfiguration[] = [
  {
    name: '1g.5gb',
    instances: '7 × 1g.5gb',
    description: 'Seven small instances. The eighth memory slice has no compute slice left to pair with.',
    useCase: 'Notebooks, small models, tests',
    profiles: ['1g.5gb', '1g.5gb', '1g.5gb', '1g.5gb', '1g.5gb', '1g.5gb', '1g.5gb'],
  },
  {
    name: '2g.10gb and 3g.20gb',
    instances: '2 × 2g.10gb + 1 × 3g.20gb',
    description: 'Mixed sizes, with nothing left over.',
    useCase: 'Serving next to fine-tuning',
    profiles: ['2g.10gb', '2g.10gb', '3g.20gb'],
  },
  {
    name: '7g.40gb',
    instances: '1 × 7g.40gb',
    description: 'The whole GPU as one instance, still in MIG mode.',
    useCase: 'Training, large batches',
    profiles: ['7g.40gb'],
  },
]

/** The first is the board of the configurations above. */
export const EXPLORER_BOARDS: readonly [ExplorerBoard, ...ExplorerBoard[]] = [
  { label: 'A100-40GB', model: 'A100-SXM4-40GB' },
  { label: 'A100-80GB', model: 'A100-SXM4-80GB' },
  { label: 'H100-80GB', model: 'H100 80GB HBM3' },
  { label: 'A30', model: 'A30' },
]

/** What the explorer begins with: room for one more profile, and none for another. */
export const EXPLORER_START: readonly string[] = ['3g.20gb', '2g.10gb']
