import { SAMPLE_FIELDS, type SampleField } from '@septet/domain'

/** One metric name that dcgm-exporter may use, and what it tells. */
export type DcgmMetric = {
  readonly name: string
  readonly field: SampleField
  readonly scale: Scale
  /** Board-level: the same for every instance of a GPU, and useful beside them. */
  readonly board: boolean
  /** The older of two spellings; it wins where both are exported. */
  readonly old: boolean
}

/** How the number is to be read. `percent-or-ratio` is decided by what is observed, see `scale-memory.ts`. */
export type Scale = 'ratio' | 'percent-or-ratio' | 'mebibytes' | 'watts' | 'celsius' | 'code'

type Row = { readonly old: string; readonly current: string; readonly scale: Scale; readonly board?: true }

/**
 * DCGM 4.6 renamed fields (NVIDIA/DCGM `dcgmlib/dcgm_field_naming.py`); what an exporter emits follows its counters
 * file, so both spellings occur, also within one cluster. Where they are equal the field was not renamed.
 */
const TABLE = {
  kernelTime: { old: 'DCGM_FI_DEV_GPU_UTIL', current: 'DCGM_FI_DEV_GPU_UTIL_RATIO', scale: 'percent-or-ratio' },
  busy: { old: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE', current: 'DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO', scale: 'ratio' },
  effective: { old: 'DCGM_FI_PROF_SM_ACTIVE', current: 'DCGM_FI_PROF_SM_UTIL_RATIO', scale: 'ratio' },
  tensor: { old: 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', current: 'DCGM_FI_PROF_TENSOR_UTIL_RATIO', scale: 'ratio' },
  memoryBus: { old: 'DCGM_FI_PROF_DRAM_ACTIVE', current: 'DCGM_FI_PROF_DRAM_UTIL_RATIO', scale: 'ratio' },
  memoryUsed: { old: 'DCGM_FI_DEV_FB_USED', current: 'DCGM_FI_DEV_FB_USED', scale: 'mebibytes' },
  memoryFree: { old: 'DCGM_FI_DEV_FB_FREE', current: 'DCGM_FI_DEV_FB_FREE', scale: 'mebibytes' },
  memoryReserved: { old: 'DCGM_FI_DEV_FB_RESERVED', current: 'DCGM_FI_DEV_FB_RESERVED', scale: 'mebibytes' },
  power: { old: 'DCGM_FI_DEV_POWER_USAGE', current: 'DCGM_FI_DEV_BOARD_POWER_WATTS', scale: 'watts', board: true },
  temperature: { old: 'DCGM_FI_DEV_GPU_TEMP', current: 'DCGM_FI_DEV_GPU_TEMP_CELSIUS', scale: 'celsius', board: true },
  xid: { old: 'DCGM_FI_DEV_XID_ERRORS', current: 'DCGM_FI_DEV_XID_ERROR', scale: 'code', board: true },
} satisfies Record<SampleField, Row>

/** Every metric that is read, older spellings first. */
export const DCGM_METRICS: readonly DcgmMetric[] = SAMPLE_FIELDS.flatMap((field) => {
  const row: Row = TABLE[field]
  const shared = { field, scale: row.scale, board: row.board === true }
  const old = { ...shared, name: row.old, old: true }
  return row.old === row.current ? [old] : [old, { ...shared, name: row.current, old: false }]
})

const byName = new Map(DCGM_METRICS.map((metric) => [metric.name, metric]))

/** The metric of that name; undefined for one that is not read. */
export const dcgmMetric = (name: string): DcgmMetric | undefined => byName.get(name)

/** The names that a field may be exported under, older spelling first. */
export const dcgmNames = (field: SampleField): readonly string[] =>
  DCGM_METRICS.filter((metric) => metric.field === field).map((metric) => metric.name)
