/** A screen of the dashboard, its path below `/dashboard` or `/demo`. */
export type DashboardSection = {
  readonly name: string
  readonly path: string
  /** Whether it stays marked on the pages below its path. */
  readonly deep?: boolean
}

/** The screens in their order. */
export const sectionsOf = ({ demo }: { readonly demo: boolean }): readonly DashboardSection[] => [
  { name: 'Summary', path: '/' },
  { name: 'Fleet', path: '/fleet' },
  { name: 'Partitions', path: '/partitions' },
  { name: 'Workloads', path: '/workloads' },
  { name: 'Cost', path: '/cost' },
  { name: 'Actions', path: '/actions', deep: true },
  { name: 'Alerts', path: '/alerts' },
  // The demo is nobody's: it has nothing to set.
  ...(demo ? [] : [{ name: 'Settings', path: '/settings', deep: true }]),
]
