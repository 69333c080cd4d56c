/**
 * True for the extended resources that stand for a GPU or a part of one. Not for monitoring resources
 * (`gpu.intel.com/i915_monitoring`) nor for fractions of memory or cores (`nvidia.com/gpumem`): those count no devices.
 * Volcano's `vgpu-number` counts shares. Sources: NVIDIA k8s-device-plugin README, ROCm k8s-device-plugin, Intel device plugins for Kubernetes.
 */
export function isGpuResource(name: string): boolean {
  return FAMILIES.some((family) => family.test(name))
}

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
