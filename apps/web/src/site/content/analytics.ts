import { SCREENSHOTS } from './screenshots.ts'

/** A picture of the running product, with what it shows in words and where the figures in it come from. */
export type AnalyticsPicture = {
  readonly shot: (typeof SCREENSHOTS)[keyof typeof SCREENSHOTS]
  /** Always seen beside the picture. */
  readonly label: 'Demo cluster' | 'Sample data'
  readonly title: string
  readonly text: string
  /** For those who do not see the picture. */
  readonly words: string
}

export const ANALYTICS = {
  title: 'What it looks like at work',
  lead: 'Pictures of the running product, taken by a script. The demo cluster is simulated and read over the same protocols as a real one; the sample data are fixed figures. Neither is a customer’s.',
  open: { label: 'Open the demo', href: '/demo' },
} as const

export const ANALYTICS_PICTURES: readonly [AnalyticsPicture, ...AnalyticsPicture[]] = [
  {
    shot: SCREENSHOTS['summary-demo'],
    label: 'Demo cluster',
    title: 'Where the capacity went',
    text: 'Used, idle-held, unallocated, stranded, oversized and broken time add up to what was paid for. What was not measured is named, never drawn as zero.',
    words:
      'The summary of the demo cluster: a notice that some devices are not measured, four figures (estimated cost savings, GPU utilization against its target, active workloads, MIG efficiency), the utilization trend of the last 24 hours, and a table of where capacity went, in GPU-hours and dollars.',
  },
  {
    shot: SCREENSHOTS['partitions-demo'],
    label: 'Demo cluster',
    title: 'Every GPU at its real placements',
    text: 'One slice bar per GPU: filled as high as it was busy, idle-held hatched, free outlined, stranded dotted, not measured ruled.',
    words:
      'MIG Partition Status of the demo cluster: eight nodes, each with its GPUs drawn as slice bars at their placements, the number of partitions in use, how busy they are, and how many are free.',
  },
  {
    shot: SCREENSHOTS['summary-sample'],
    label: 'Sample data',
    title: 'The sample week',
    text: 'Fixed figures to look around with before a cluster is connected. They are called sample data wherever they appear.',
    words:
      'The summary with sample data: $324K total cost savings, 87.3% GPU utilization against a target of 85%, 127 active workloads, 94.7% MIG efficiency, and a week of utilization and efficiency.',
  },
]
