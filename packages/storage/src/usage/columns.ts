import { MEASURE_NAMES, PEAKS } from '@septet/domain'

/**
 * Fields of a usage row that repeat over and over. They are kept as numbers of the `words` table: at 10,000 GPUs a day
 * of 5-minute rows repeats the same few thousand texts 2.9 million times.
 */
export const WORD_FIELDS = [
  'node',
  'pool',
  'gpu',
  'partition',
  'profile',
  'model',
  'machine',
  'kind',
  'namespace',
  'workload',
  'pod',
  'workloadClass',
  'reason',
] as const
export type WordField = (typeof WORD_FIELDS)[number]

/** Numbers that every row has. */
export const REQUIRED_FIELDS = ['share', 'present', 'measured', 'idle', 'oversized'] as const

/** Fields that are numbers, kept in full precision so that a roll-up adds up to the same totals. */
export const NUMBER_FIELDS = [...REQUIRED_FIELDS, ...MEASURE_NAMES] as const
export type NumberColumn = (typeof NUMBER_FIELDS)[number]

/** The column of a field: its name in snake case. */
export const columnOf = (field: WordField | NumberColumn): string =>
  field.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

/** All that a row holds beside its cluster and its bucket, in the order in which it is written and packed. */
export const ROW_COLUMNS = [...WORD_FIELDS, ...NUMBER_FIELDS].map(columnOf)

/** The peaks of grouped rows, each under the name of its field. */
export const HIGHEST = PEAKS.map((peak) => `max(${columnOf(peak)}) as "${peak}"`).join(', ')

/** What tells rows of one bucket apart. Two namespaces may have pods of one name, so the namespace belongs to it. */
export const KEY_FIELDS = ['partition', 'namespace', 'pod', 'kind'] as const satisfies readonly WordField[]

/** What a roll-up keeps apart: everything but the reason, of which it keeps the one that cost the most seconds. */
export const ROLL_UP_FIELDS = WORD_FIELDS.filter((field) => field !== 'reason')
