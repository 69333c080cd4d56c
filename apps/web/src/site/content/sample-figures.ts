/**
 * The sample figures of the product specification that the site quotes. They are what the operations answer for the
 * source "Sample data"; a test compares the two.
 */
export const SAMPLE = {
  savings: '$324K',
  savingsChange: '+18% vs last month',
  utilization: '87.3%',
  target: '85%',
  aboveTarget: '+2.3% above target',
  active: '127',
  running: '104',
  queued: '23',
  migEfficiency: '94.7%',
  scaleDown: '$1,200/month',
  queueMinutes: '23 minutes',
  performanceGain: '15%',
} as const

/** The sample nodes that the site names, with their 8 partitions each and how busy they are. */
export const SAMPLE_NODES = [
  { node: 'gpu-a100-03', available: 1, utilization: '91%' },
  { node: 'gpu-a100-07', available: 0, utilization: '62%' },
  { node: 'gpu-h100-01', available: 2, utilization: '88%' },
  { node: 'gpu-h200-02', available: 0, utilization: '97%' },
] as const

export const PARTITIONS_PER_NODE = 8
