import type { ReportFile } from '@septet/contract'

/** The files of a report, in the order in which they are offered; the keys are the contract's REPORT_FILES. */
export const REPORT_FILE_WORDS = {
  pdf: { name: 'Report', kind: 'PDF', holds: 'Two to five pages with charts and slice bars, to print or to send on' },
  focus: {
    name: 'Cost for FinOps tools',
    kind: 'FOCUS CSV',
    holds: 'What each namespace cost, in the columns of FOCUS 1.2',
  },
  cost: { name: 'Cost', kind: 'CSV', holds: 'GPU-hours and dollars by namespace, model and pool, part by part' },
  workloads: { name: 'Workloads', kind: 'CSV', holds: 'What runs and waits, how busy it is and what it costs' },
  waits: {
    name: 'Waits',
    kind: 'CSV',
    holds: 'What work waited for, by workload and cause, with the change that ends it',
  },
  partitions: { name: 'Partitions', kind: 'CSV', holds: 'MIG nodes with what is cut, held and free' },
  trend: { name: 'Utilization over time', kind: 'CSV', holds: 'Busy, busy of allocated and allocated, point by point' },
  months: { name: 'Months', kind: 'CSV', holds: 'Baseline, optimized and savings of each month' },
  findings: { name: 'Findings', kind: 'CSV', holds: 'Waste and faults, largest first' },
  recommendations: { name: 'Recommendations', kind: 'CSV', holds: 'What to change and what it would bring' },
  actions: { name: 'Actions', kind: 'CSV', holds: 'What Septet did in this time, and what came of each' },
  savings: { name: 'Savings', kind: 'CSV', holds: 'What each action was estimated at, and what it saved as measured' },
  json: { name: 'Everything', kind: 'JSON', holds: 'All of the above with formulas, windows and sources' },
} satisfies Record<ReportFile, { readonly name: string; readonly kind: string; readonly holds: string }>

export const REPORT_FILE_NAMES = Object.keys(REPORT_FILE_WORDS).filter(isReportFile)

function isReportFile(name: string): name is ReportFile {
  return Object.hasOwn(REPORT_FILE_WORDS, name)
}

/** The end of a file's name. */
export const extensionOf = (file: ReportFile): string => (file === 'pdf' || file === 'json' ? file : 'csv')
