import { NOTHING_MEASURED, instant, mib, ratio, seconds, watts, type UsageRow } from '@septet/domain'

/** A Tuesday, 13:00 UTC. */
export const NOW = instant(Date.UTC(2026, 10, 17, 13))

/** A plausible 5-minute row; a test names only what it is about. */
export const usageRow = (changes: Partial<UsageRow> = {}): UsageRow => ({
  at: NOW,
  span: '5m',
  node: 'node-1',
  pool: 'a100-pool',
  gpu: 'GPU-1',
  partition: 'GPU-1',
  profile: '',
  model: 'A100-SXM4-80GB',
  machine: '',
  kind: 'held',
  share: ratio(1),
  namespace: 'team-a',
  workload: 'team-a/Job/train',
  pod: 'team-a/train-0',
  workloadClass: 'training',
  present: seconds(300),
  measured: seconds(300),
  idle: seconds(0),
  oversized: seconds(0),
  ...NOTHING_MEASURED,
  busy: ratio(0.5),
  busyPeak: ratio(0.9),
  effective: ratio(0.3),
  memoryUsed: mib(20_000),
  memoryPeak: mib(30_000),
  power: watts(250.5),
  reason: undefined,
  ...changes,
})
