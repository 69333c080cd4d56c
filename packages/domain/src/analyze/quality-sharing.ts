import { type Ratio, ratio } from '../units.ts'
import { deviceKey } from './quality-memory.ts'
import type { DeviceSample } from './sample.ts'

/**
 * Under `--kubernetes-virtual-gpus` a shared GPU has one series per pod, and in many releases each of them repeats the
 * device's own value (dcgm-exporter issues 582, 587, 642): adding them up multiplies reality. Equal siblings above 0 are
 * such repeats and say nothing about a pod. Where only replicas are told, a sample of the device itself is added, so
 * that the device stays measured. Equal zeros are kept: a device that does nothing does nothing for each pod.
 */
export function attribute(samples: readonly DeviceSample[]): {
  readonly samples: readonly DeviceSample[]
  /** Keys of replicas whose value is the device's. */
  readonly repeated: ReadonlySet<string>
} {
  const shared = samples.filter((sample) => sample.vgpu !== undefined)
  if (shared.length === 0) return { samples, repeated: new Set() }
  const devices = new Set(samples.filter((sample) => sample.vgpu === undefined).map(deviceKey))
  const repeated = new Set<string>()
  const added: DeviceSample[] = []
  for (const siblings of Map.groupBy(shared, (sample) => deviceKey(asDevice(sample))).values()) {
    const [first] = siblings.map(workOf)
    const same = siblings.length > 1 && siblings.every((one) => workOf(one) !== undefined && workOf(one) === first)
    if (same && first !== 0) for (const one of siblings) repeated.add(deviceKey(one))
    const device = deviceOf(siblings, same)
    if (device !== undefined && !devices.has(deviceKey(device))) added.push(device)
  }
  return { samples: [...samples, ...added], repeated }
}

/** Where no profiling counter is exported, kernels are what tells pods apart. */
const workOf = ({ busy, kernelTime }: DeviceSample): Ratio | undefined => busy ?? kernelTime

function asDevice(sample: DeviceSample): DeviceSample {
  const { vgpu: _vgpu, holder: _holder, ...device } = sample
  return device
}

/** Values told apart by pod are parts of the device's; repeated ones are the device's. */
function deviceOf(siblings: readonly DeviceSample[], same: boolean): DeviceSample | undefined {
  const [first] = siblings
  if (first === undefined) return undefined
  const { busy, kernelTime: _, ...device } = asDevice(first)
  const parts = siblings.map(workOf).filter((work) => work !== undefined)
  if (parts.length < siblings.length) return device
  const work = same ? (parts[0] ?? ratio(0)) : total(parts)
  return { ...device, ...(busy === undefined ? { kernelTime: work } : { busy: work }) }
}

const total = (parts: readonly Ratio[]): Ratio =>
  ratio(
    Math.min(
      1,
      parts.reduce((sum, part) => sum + part, 0),
    ),
  )
