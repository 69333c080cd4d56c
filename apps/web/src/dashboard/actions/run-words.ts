/** Every way that can be chosen, in groups. */
export const RUN_GROUPS: readonly {
  readonly title: string
  readonly about: string
  readonly runs: readonly string[]
}[] = [
  {
    title: 'Whole GPUs',
    about: 'Each workload gets whole GPUs.',
    runs: ['whole.best-fit', 'whole.septet'],
  },
  {
    title: 'MIG, fixed layout',
    about: 'As today, or a built-in GPU Operator layout on as many GPUs as small workloads need.',
    runs: ['today', 'static.balanced', 'static.1g', 'static.2g', 'static.3g'],
  },
  {
    title: 'MIG on demand',
    about: 'Repartitions free capacity as workloads arrive, without moving any.',
    runs: ['mig.best-fit', 'mig.septet-elastic', 'mig.septet'],
  },
  {
    title: 'Time-slicing',
    about: 'Equal software shares within one namespace. No isolation.',
    runs: ['slices2.septet', 'slices4.best-fit', 'slices4.septet', 'slices8.septet'],
  },
]

const POLICIES: Readonly<Record<string, string>> = {
  'best-fit': 'best fit',
  septet: 'Septet',
  'septet-elastic': 'Septet, fewest GPUs',
}

/** `MIG on demand, best fit`. A name that nobody knows is said as it is. */
export function runName(run: string): string {
  const [mode = ''] = run.split('.')
  if (mode === 'today') return 'MIG as today'
  const [, title] = MODES.find(([begins]) => mode.startsWith(begins)) ?? []
  return title === undefined ? run : `${title} ${runChoice(run)}`
}

const MODES = [
  ['static', 'MIG fixed,'],
  ['whole', 'Whole GPUs,'],
  ['mig', 'MIG on demand,'],
  ['slices', 'Time-sliced'],
] as const

/** The part that tells it from its group: for a choice under the group's title. */
export function runChoice(run: string): string {
  const [mode = '', policy = ''] = run.split('.')
  if (mode === 'today') return 'as today'
  if (mode === 'static') return `all-${policy}`
  const replicas = /^slices(\d+)$/u.exec(mode)?.[1]
  const by = mode === 'mig' && policy === 'septet' ? 'Septet, full fleet' : (POLICIES[policy] ?? policy)
  return replicas === undefined ? by : `in ${replicas}, ${by}`
}
