/**
 * Fields of a usage row that repeat over and over. They are kept as numbers of the `words` table: at 10,000 GPUs a day
 * of 5-minute rows repeats the same few thousand texts 2.9 million times.
 */
export const WORD_COLUMNS = {
  node: 'node',
  pool: 'pool',
  gpu: 'gpu',
  partition: 'partition',
  profile: 'profile',
  model: 'model',
  kind: 'kind',
  namespace: 'namespace',
  workload: 'workload',
  pod: 'pod',
  workloadClass: 'workload_class',
  reason: 'reason',
} as const
export type WordField = keyof typeof WORD_COLUMNS

/** Fields that are numbers, kept in full precision so that a roll-up adds up to the same totals. */
export const NUMBER_COLUMNS = {
  share: 'share',
  present: 'present',
  measured: 'measured',
  idle: 'idle',
  busy: 'busy',
  busyPeak: 'busy_peak',
  effective: 'effective',
  memoryUsed: 'memory_used',
  memoryPeak: 'memory_peak',
  power: 'power',
} as const
export type NumberField = keyof typeof NUMBER_COLUMNS

export const WORD_FIELDS = [
  'node',
  'pool',
  'gpu',
  'partition',
  'profile',
  'model',
  'kind',
  'namespace',
  'workload',
  'pod',
  'workloadClass',
  'reason',
] as const satisfies readonly WordField[]
export const NUMBER_FIELDS = [
  'share',
  'present',
  'measured',
  'idle',
  'busy',
  'busyPeak',
  'effective',
  'memoryUsed',
  'memoryPeak',
  'power',
] as const satisfies readonly NumberField[]

/** What tells rows of one bucket apart. Two namespaces may have pods of one name, so the namespace belongs to it. */
export const KEY_FIELDS = ['partition', 'namespace', 'pod', 'kind'] as const satisfies readonly WordField[]

/** What a roll-up keeps apart: everything but the reason, of which it keeps the one that cost the most seconds. */
export const ROLL_UP_FIELDS = WORD_FIELDS.filter((field) => field !== 'reason')
