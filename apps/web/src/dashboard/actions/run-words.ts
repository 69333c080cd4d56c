/** Every way that can be chosen, in groups. */
export const RUN_GROUPS: readonly {
  readonly title: string
  readonly about: string
  readonly runs: readonly string[]
}[] = [
  {
    title: 'MIG as today',
    about: 'Every GPU stays partitioned as it is.',
    runs: ['today'],
  },
  {
    title: 'MIG on demand',
    about: 'Repartitions free capacity as workloads arrive, without moving any.',
    runs: ['mig.best-fit', 'mig.septet-finish', 'mig.septet-usable', 'mig.septet-elastic'],
  },
]

const POLICIES: Readonly<Record<string, string>> = {
  'best-fit': 'best fit',
  'septet-finish': 'Septet, easiest to finish',
  'septet-usable': 'Septet, free parts usable',
  'septet-elastic': 'Septet, fewest GPUs',
}

/** `MIG on demand, best fit`. A name that nobody knows is said as it is. */
export function runName(run: string): string {
  const [mode = ''] = run.split('.')
  if (mode === 'today') return 'MIG as today'
  return mode === 'mig' ? `MIG on demand, ${runChoice(run)}` : run
}

/** The part that tells it from its group: for a choice under the group's title. */
export function runChoice(run: string): string {
  const [mode = '', policy = ''] = run.split('.')
  if (mode === 'today') return 'as today'
  return POLICIES[policy] ?? policy
}
