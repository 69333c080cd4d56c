import { SCREENSHOTS } from './screenshots.ts'

type Shot = (typeof SCREENSHOTS)[keyof typeof SCREENSHOTS]

/** A picture of the running product, with what it shows in words and where the figures in it come from. */
export type AnalyticsPicture = {
  readonly shot: Shot
  /** What a phone shows in its place: the same screen, taken at a phone's width. */
  readonly phone: Shot
  /** Always seen beside the picture. */
  readonly label: 'Demo cluster' | 'Sample data'
  readonly title: string
  readonly text: string
  /** For those who do not see the picture. */
  readonly words: string
}

export const ANALYTICS = {
  title: 'See where GPU time goes',
  lead: 'Screens from the running product, on simulated and sample data.',
  open: { label: 'Open the live demo', href: '/demo' },
} as const

export const ANALYTICS_PICTURES: readonly [AnalyticsPicture, ...AnalyticsPicture[]] = [
  {
    shot: SCREENSHOTS['summary-demo'],
    phone: SCREENSHOTS['summary-demo-phone'],
    label: 'Demo cluster',
    title: 'Where the capacity went',
    text: 'Every hour you paid for, used or not.',
    words:
      'The summary of the demo cluster: a notice that some devices are not measured, four figures (estimated cost savings, GPU utilization against its target, active workloads, MIG efficiency), the utilization trend of the last 24 hours, and a table of where capacity went, in GPU-hours and dollars.',
  },
  {
    shot: SCREENSHOTS['partitions-demo'],
    phone: SCREENSHOTS['partitions-demo-phone'],
    label: 'Demo cluster',
    title: 'Every GPU, slice by slice',
    text: 'One bar per GPU, filled as high as it was busy.',
    words:
      'MIG Partition Status of the demo cluster: eight nodes, each with its GPUs drawn as slice bars at their placements, the number of partitions in use, how busy they are, and how many are free.',
  },
  {
    shot: SCREENSHOTS['summary-sample'],
    phone: SCREENSHOTS['summary-sample-phone'],
    label: 'Sample data',
    title: 'Explore before you connect',
    text: 'Sample data, labeled as such everywhere.',
    words:
      'The summary with sample data: $324K total cost savings, 87.3% GPU utilization against a target of 85%, 127 active workloads, 94.7% MIG efficiency, and a week of utilization and efficiency.',
  },
]
