export type Section = { readonly name: string; readonly path: string | undefined; readonly later: string }

/** The screens in their order; those without a path are not built yet, and say what they will be. */
export const SECTIONS: readonly Section[] = [
  { name: 'Summary', path: '/dashboard', later: '' },
  { name: 'Fleet', path: undefined, later: 'A map of every GPU, node by node.' },
  { name: 'Partitions', path: undefined, later: 'Every MIG layout, and what would fit better.' },
  { name: 'Workloads', path: undefined, later: 'What runs, what waits, and why.' },
  { name: 'Cost', path: undefined, later: 'Cost and waste by tenant, model and workload.' },
  { name: 'Actions', path: undefined, later: 'Plans, their approval, and what came of them.' },
  { name: 'Settings', path: undefined, later: 'Clusters, prices and policies.' },
]
