import type { ReportFile } from '@septet/contract'

/** The files of a report, in the order in which they are offered; the keys are the contract's REPORT_FILES. */
export const REPORT_FILE_WORDS = {
  pdf: {
    name: 'Report',
    kind: 'PDF',
    holds: 'A one-page summary for decision makers, then up to three pages of detail',
  },
  focus: {
    name: 'Cost for FinOps tools',
    kind: 'FOCUS 1.2 CSV',
    holds: 'Cost per month, namespace and part, in the columns of FOCUS',
  },
  'focus-1.0': { name: 'Cost for FinOps tools', kind: 'FOCUS 1.0 CSV', holds: 'The same for tools that read 1.0' },
  'focus-1.3': { name: 'Cost for FinOps tools', kind: 'FOCUS 1.3 CSV', holds: 'The same for tools that read 1.3' },
  cost: { name: 'Cost', kind: 'CSV', holds: 'GPU-hours and dollars by namespace, model and pool, broken down by use' },
  tokens: { name: 'Tokens', kind: 'CSV', holds: 'Tokens served by workload and dollars per million tokens' },
  workloads: { name: 'Workloads', kind: 'CSV', holds: 'Running and waiting workloads with utilization and cost' },
  waits: {
    name: 'Waits',
    kind: 'CSV',
    holds: 'Time spent waiting by workload and cause, with the fix',
  },
  partitions: { name: 'Partitions', kind: 'CSV', holds: 'MIG nodes with partitioned, held and free slices' },
  trend: { name: 'Utilization over time', kind: 'CSV', holds: 'Busy, busy of allocated and allocated share over time' },
  months: { name: 'Months', kind: 'CSV', holds: 'Baseline, optimized and savings of each month' },
  findings: { name: 'Findings', kind: 'CSV', holds: 'Waste and faults, largest first' },
  recommendations: { name: 'Recommendations', kind: 'CSV', holds: 'Recommended changes with estimated savings' },
  actions: { name: 'Actions', kind: 'CSV', holds: 'What Septet changed in this period, with results' },
  savings: { name: 'Savings', kind: 'CSV', holds: 'Estimated and measured savings of each action' },
  json: { name: 'Everything', kind: 'JSON', holds: 'All of the above with formulas, windows and sources' },
} satisfies Record<ReportFile, { readonly name: string; readonly kind: string; readonly holds: string }>

export const REPORT_FILE_NAMES = Object.keys(REPORT_FILE_WORDS).filter(isReportFile)

function isReportFile(name: string): name is ReportFile {
  return Object.hasOwn(REPORT_FILE_WORDS, name)
}
