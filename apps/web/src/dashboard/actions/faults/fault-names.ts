/** The faults of the demo cluster in a few words; what each does says the demo cluster. */
export const faultName = (kind: string): string => NAMES[kind] ?? kind

const NAMES: Readonly<Record<string, string>> = {
  'mig-failed': 'A MIG change fails',
  'mig-stuck-pending': 'A MIG change hangs',
  'mig-reboot': 'A MIG change restarts the node',
  'slow-mig': 'A MIG change is slow',
  'late-device-plugin': 'New slices come late',
  'drifted-layout': 'A manual layout change',
  'withheld-device': 'A device becomes unhealthy',
  'node-vanishes': 'A node disappears',
  'ignores-sigterm': 'Pods are slow to stop',
  'budget-never-allows': 'A disruption budget allows nothing',
  'api-409': 'Writes meet a conflict',
  'api-429': 'Writes are rate-limited',
  'api-500': 'Writes fail',
  'answer-lost': 'Answers to writes are lost',
  'answer-wrong': 'Answers to writes are wrong',
  'config-race': 'A conflicting configuration write',
  'watch-cut': 'Watches are cut off',
}
