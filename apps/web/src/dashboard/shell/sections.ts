/** A screen of the dashboard, its path below `/dashboard` or `/demo`. */
export type Section = {
  readonly name: string
  /** Undefined: not there; `later` then says why. */
  readonly path: string | undefined
  readonly later: string
  /** Whether it stays marked on the pages below its path. */
  readonly deep?: boolean
}

/** The screens in their order; those without a path are not built yet, and say what they will be. */
export const sectionsOf = ({ demo }: { readonly demo: boolean }): readonly Section[] => [
  { name: 'Summary', path: '/', later: '' },
  { name: 'Fleet', path: undefined, later: 'A map of every GPU, node by node.' },
  { name: 'Partitions', path: undefined, later: 'Every MIG layout, and what would fit better.' },
  { name: 'Workloads', path: undefined, later: 'What runs, what waits, and why.' },
  { name: 'Cost', path: undefined, later: 'Cost and waste by tenant, model and workload.' },
  { name: 'Actions', path: undefined, later: 'Plans, their approval, and what came of them.' },
  // The demo is nobody's: it has nothing to set.
  ...(demo ? [] : [{ name: 'Settings', path: '/settings', later: '', deep: true }]),
]
