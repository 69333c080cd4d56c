import { isForVms } from './device-parts.ts'

/**
 * True for the extended resources that stand for a GPU or a part of one. Not for monitoring resources
 * (`gpu.intel.com/i915_monitoring`) nor for fractions of memory or cores (`nvidia.com/gpumem`): those count no devices.
 * Volcano's `vgpu-number` counts shares, and virtual machines ask for a board or a vGPU by its name. Sources: NVIDIA k8s-device-plugin README, ROCm k8s-device-plugin, Intel device plugins for Kubernetes.
 */
export const isGpuResource = (name: string): boolean => isForVms(name) || FAMILIES.some((family) => family.test(name))

const FAMILIES = [
  /^nvidia\.com\/gpu(\.shared)?$/,
  /^nvidia\.com\/mig-[^/]+$/,
  /^volcano\.sh\/vgpu-number$/,
  /^amd\.com\/(gpu|[a-z]+_nps\d+)$/,
  /^gpu\.intel\.com\/(i915|xe)$/,
] as const

const SUFFIXES = new Map([
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['Ki', 1024],
  ['Mi', 1024 ** 2],
])

/** A count of devices as Kubernetes writes quantities (`8`, `1k`); undefined when it is not a whole number of them. */
export function readCount(quantity: string | number | undefined): number | undefined {
  const match = /^(\d+)(k|M|Ki|Mi)?$/.exec(String(quantity ?? '').trim())
  const factor = SUFFIXES.get(match?.[2] ?? '')
  return match === null || factor === undefined ? undefined : Number(match[1]) * factor
}

/** Whether a name is no GPU resource, but so near one that it is meant for one: `nvidia.com/gpus`, `nvidia.com/mig_1g.10gb`. */
export const isMisspelledGpu = (name: string): boolean =>
  !isGpuResource(name) && (closest(name, USUAL) !== undefined || /^nvidia\.com\/mig/iu.test(name))

const USUAL = ['nvidia.com/gpu', 'nvidia.com/gpu.shared', 'amd.com/gpu', 'gpu.intel.com/i915', 'gpu.intel.com/xe']

/** The name that differs least, in two letters at most; undefined where none is so near. */
export function closest(name: string, among: readonly string[]): string | undefined {
  const near = among.map((other) => ({ other, apart: lettersApart(name.toLowerCase(), other.toLowerCase()) }))
  return near.filter(({ apart }) => apart <= 2).toSorted((a, b) => a.apart - b.apart)[0]?.other
}

/** How many letters have to be put in, left out or changed to make one text of the other (Levenshtein). */
function lettersApart(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [at, letter] of a.split('').entries()) {
    const next = [at + 1]
    for (const [to, other] of b.split('').entries())
      next.push(Math.min((next[to] ?? 0) + 1, (row[to + 1] ?? 0) + 1, (row[to] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}
