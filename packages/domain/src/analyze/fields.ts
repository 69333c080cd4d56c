import type { Units } from '../units.ts'

/** All there is to know of one field of telemetry. */
export type Field = {
  /**
   * What dcgm-exporter calls it, the older of two spellings first: DCGM 4.6 renamed fields (NVIDIA/DCGM
   * `dcgmlib/dcgm_field_naming.py`), and what an exporter emits follows its counters file, so both occur in one cluster.
   */
  readonly metrics: readonly [string] | readonly [string, string]
  readonly unit: keyof Units
  /** Some exporters give it as a percentage. */
  readonly percent?: true
  /** 0 is how the exporter says that there is none. */
  readonly zeroIsNone?: true
  readonly of: Subject
  /** What a cluster lacks without it. */
  readonly neededFor: string
  /** How the card of a GPU shows it. Memory in use has a place of its own there: it is summed over instances. */
  readonly shown?: {
    readonly label: string
    readonly formula: string
    /** The parts of all holders are in it, so that who sees only some of these is not told. */
    readonly ofAll?: true
  }
}

/**
 * What a field is about. The engine's count only where busy can be believed, and their means are weighed by the time that
 * was measured. The device's are its own, and stand beside a counter that is missing or stuck. The board's are the same
 * for every instance of a GPU: each instance tells them, and they are kept of whole GPUs only, so that none counts twice.
 */
type Subject = 'engine' | 'device' | 'board'

/**
 * Every field of telemetry. What reads, judges, keeps, rolls up, tells and shows them is made from this table. A new field
 * is a row here, one below for each figure that is kept of it with a migration that adds its column, and a line in the
 * demo cluster's exporter.
 */
export const FIELDS = {
  /** Share of time any kernel ran. Not available under MIG. */
  kernelTime: {
    metrics: ['DCGM_FI_DEV_GPU_UTIL', 'DCGM_FI_DEV_GPU_UTIL_RATIO'],
    unit: 'ratio',
    percent: true,
    of: 'engine',
    neededFor: 'whether any kernel ran; stands in for busy on whole GPUs',
  },
  /** Share of time the compute engine was busy. The meaning of "busy" everywhere. */
  busy: {
    metrics: ['DCGM_FI_PROF_GR_ENGINE_ACTIVE', 'DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO'],
    unit: 'ratio',
    of: 'engine',
    neededFor: 'how busy a GPU is; the only measure on MIG devices',
  },
  effective: {
    metrics: ['DCGM_FI_PROF_SM_ACTIVE', 'DCGM_FI_PROF_SM_UTIL_RATIO'],
    unit: 'ratio',
    of: 'engine',
    neededFor: 'how much of the GPU the work fills',
  },
  tensor: {
    metrics: ['DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 'DCGM_FI_PROF_TENSOR_UTIL_RATIO'],
    unit: 'ratio',
    of: 'engine',
    neededFor: 'use of the tensor cores',
  },
  memoryBus: {
    metrics: ['DCGM_FI_PROF_DRAM_ACTIVE', 'DCGM_FI_PROF_DRAM_UTIL_RATIO'],
    unit: 'ratio',
    of: 'engine',
    neededFor: 'how busy the memory is',
  },
  memoryUsed: {
    metrics: ['DCGM_FI_DEV_FB_USED'],
    unit: 'MiB',
    of: 'device',
    neededFor: 'memory in use; right sizes need it',
  },
  memoryFree: {
    metrics: ['DCGM_FI_DEV_FB_FREE'],
    unit: 'MiB',
    of: 'device',
    neededFor: 'memory in use; right sizes need it',
  },
  memoryReserved: {
    metrics: ['DCGM_FI_DEV_FB_RESERVED'],
    unit: 'MiB',
    of: 'device',
    neededFor: 'what the driver keeps of the memory',
  },
  power: {
    metrics: ['DCGM_FI_DEV_POWER_USAGE', 'DCGM_FI_DEV_BOARD_POWER_WATTS'],
    unit: 'W',
    of: 'board',
    neededFor: 'power',
    shown: { label: 'Power', formula: 'power drawn by the whole GPU', ofAll: true },
  },
  temperature: {
    metrics: ['DCGM_FI_DEV_GPU_TEMP', 'DCGM_FI_DEV_GPU_TEMP_CELSIUS'],
    unit: '°C',
    of: 'board',
    neededFor: 'temperature',
    shown: { label: 'Temperature', formula: 'temperature of the GPU' },
  },
  /** Only memory on the package (HBM) has the sensor: boards with GDDR tell 0 or nothing. */
  memoryTemperature: {
    metrics: ['DCGM_FI_DEV_MEMORY_TEMP', 'DCGM_FI_DEV_MEMORY_TEMP_CELSIUS'],
    unit: '°C',
    zeroIsNone: true,
    of: 'board',
    neededFor: 'temperature of the memory; only boards with HBM have it',
    shown: { label: 'Memory temperature', formula: 'temperature of the GPU’s memory' },
  },
  /** Last XID code; sticky until the driver restarts. */
  xid: {
    metrics: ['DCGM_FI_DEV_XID_ERRORS', 'DCGM_FI_DEV_XID_ERROR'],
    unit: 'code',
    zeroIsNone: true,
    of: 'board',
    neededFor: 'faults that the driver reports (XID)',
  },
} as const satisfies Record<string, Field>

/** How the values of a bucket become one: the mean over time, or the highest. */
export type FieldFold = 'mean' | 'peak'

/** What a usage row keeps, by name. The column is the name in snake case. */
export const KEPT = {
  busy: { field: 'busy', fold: 'mean' },
  busyPeak: { field: 'busy', fold: 'peak' },
  effective: { field: 'effective', fold: 'mean' },
  memoryUsed: { field: 'memoryUsed', fold: 'mean' },
  memoryPeak: { field: 'memoryUsed', fold: 'peak' },
  power: { field: 'power', fold: 'mean' },
  memoryTemperature: { field: 'memoryTemperature', fold: 'mean' },
} as const satisfies Record<string, { readonly field: keyof typeof FIELDS; readonly fold: FieldFold }>
