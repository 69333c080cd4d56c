import type { Instant } from '../units.ts'
import type { DeviceSample, JudgedSample } from './sample.ts'

/** What the quality layer keeps from one reading to the next. */
export type QualityMemory = {
  readonly devices: ReadonlyMap<string, DeviceMemory>
  /** `modelName`s of which some device has exported profiling counters. */
  readonly profiledModels: ReadonlySet<string>
}

export type DeviceMemory = {
  /** Which device it is: a sample without values and holder. */
  readonly device: DeviceSample
  readonly lastSeen: Instant
  readonly counter: CounterState
  /** When it last had a busy value of its own; undefined when never. */
  readonly busySeen: Instant | undefined
}

/** What is known of one device's profiling counter. */
export type CounterState = {
  /** Readings in a row that said exactly 0 while the GPU visibly worked. */
  readonly contradictions: number
  /** Enough of them: from here on every 0 is doubted until the counter moves again. */
  readonly stuck: boolean
  /** This reading's busy is not to be believed. */
  readonly doubtful: boolean
}

export const emptyQualityMemory: QualityMemory = { devices: new Map(), profiledModels: new Set() }

/** The same for all samples of one device. GPU_I_ID alone is reused after a reconfiguration, so the profile is part of it. */
export const deviceKey = ({ gpu, instance, vgpu }: DeviceSample): string =>
  `${gpu}/${instance?.id ?? ''}/${instance?.profile ?? ''}/${vgpu ?? ''}`

/** What to keep after a reading: every present device, and absent ones as they were. */
export function remember(seen: {
  readonly present: readonly JudgedSample[]
  readonly absent: readonly JudgedSample[]
  readonly counters: ReadonlyMap<string, CounterState>
  readonly memory: QualityMemory
  readonly now: Instant
}): ReadonlyMap<string, DeviceMemory> {
  const devices = new Map<string, DeviceMemory>()
  for (const sample of seen.absent) {
    const key = deviceKey(sample)
    const known = seen.memory.devices.get(key)
    if (known !== undefined) devices.set(key, known)
  }
  for (const sample of seen.present) {
    const key = deviceKey(sample)
    const known = seen.memory.devices.get(key)
    devices.set(key, {
      device: bare(sample),
      lastSeen: seen.now,
      counter: seen.counters.get(key) ?? { contradictions: 0, stuck: false, doubtful: false },
      busySeen: sample.busy === undefined ? known?.busySeen : seen.now,
    })
  }
  return devices
}

function bare({ at, node, gpu, index, model, instance, vgpu }: DeviceSample): DeviceSample {
  return {
    at,
    node,
    gpu,
    index,
    model,
    ...(instance === undefined ? {} : { instance }),
    ...(vgpu === undefined ? {} : { vgpu }),
  }
}
