import type { Gpu } from './node.ts'

/**
 * The fault that an XID code stands for, where the code says that this GPU cannot be relied on; undefined for codes that
 * blame the application, are informational, or only follow another. dcgm-exporter keeps the last code until the driver
 * restarts, which is also what clears these faults. Classes and actions: NVIDIA's XID catalog.
 */
export function faultOf(xid: number | undefined, gpu: string, node: string): Gpu['fault'] {
  const fault = FAULTS.get(xid ?? 0)
  if (xid === undefined || fault === undefined) return undefined
  return {
    code: fault.isLost === true ? 'gpu-lost' : 'gpu-fault',
    message: `GPU ${gpu} on ${node} reported XID ${xid}: ${fault.means}. ${fault.remedy}`,
    object: `gpu/${gpu}`,
    xid,
  }
}

/** Whether a GPU can do no work at all until somebody mends its node, whoever holds it. */
export const isLost = ({ fault }: Pick<Gpu, 'fault'>): boolean => fault?.code === 'gpu-lost'

type Fault = { readonly means: string; readonly remedy: string; readonly isLost?: true }

const RESET: Fault = {
  means: 'it needs a reset',
  remedy:
    'Pods on it may fail; other GPUs of the node are unaffected. Cordon the node, drain its GPU pods, reset the GPU.',
}
const RESTART: Fault = {
  means: 'it fell off the bus',
  isLost: true,
  remedy: 'Pods on it fail. Cordon the node, drain it and restart it; if it comes back, have the GPU replaced.',
}
const ECC: Fault = {
  means: 'a double-bit memory error',
  remedy: "Pods on it may fail. Drain its pods and follow NVIDIA's workflow for memory errors.",
}
const LINK: Fault = {
  means: 'an NVLink error',
  remedy: 'Jobs over several GPUs may fail. Check the links and the fabric manager of the node.',
}
const POWER: Fault = {
  means: 'auxiliary power is missing',
  isLost: true,
  remedy: 'The GPU may not run. Check the power connectors of the node.',
}

const FAULTS: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  ...[46, 62, 64, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156, 158].map((code) => [code, RESET] as const),
  [79, RESTART],
  [48, ECC],
  ...[74, 144, 145, 146, 147, 148, 149, 150].map((code) => [code, LINK] as const),
  [54, POWER],
])

/** The XID codes that stand for a fault of the GPU, lowest first. */
export const FAULT_XIDS: readonly number[] = [...FAULTS.keys()].toSorted((a, b) => a - b)
