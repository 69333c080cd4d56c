import { isForVms } from '../gpu/device-parts.ts'
import { profileOfResource } from '../gpu/profile-name.ts'
import { plural } from '../words.ts'
import { replicasOf } from './holders-per-device.ts'
import type { Gpu, GpuNode } from './node.ts'

/**
 * Why nothing is planned on a node, in sentences to act on; undefined where it is sound. A node that is not, is no supply:
 * nothing of it is cut, nobody is sent there, and it saves nothing. A cordoned node may be sound.
 */
export function unsoundNode(node: GpuNode): string | undefined {
  const { name, ready } = node
  if (!ready) return `${name} is not ready, so what becomes of a change cannot be seen. Bring it back first.`
  return unsettled(node) ?? whyWithheld(node)
}

/** Why nothing is planned on a GPU of a sound node; undefined where it is sound. */
export const unsoundGpu = (gpu: Gpu): string | undefined => faultyGpu(gpu) ?? unrequestedUse(gpu)

/** Why something is used outside of what Kubernetes gave out; undefined where nothing is known to be. */
export const unrequestedUse = ({ node, index, unrequestedSince }: Gpu): string | undefined =>
  unrequestedSince === undefined ? undefined : unrequestedUseWords(node, `GPU ${index}`)

export const unrequestedUseWords = (node: string, gpus: string): string =>
  `Something uses ${gpus} of ${node} outside Kubernetes’ requests: it is busy or has more than 1 GiB of memory in use that no pod is known to hold. Nothing is changed there meanwhile. Look on ${node} for processes on it, such as those of a pod that sets NVIDIA_VISIBLE_DEVICES and requests no GPU.`

/** Why a GPU of a sound node cannot be relied on, whoever uses it; undefined where it can. */
export function faultyGpu({ node, fault, stuck }: Gpu): string | undefined {
  if (fault !== undefined) return fault.message
  return stuck === true
    ? `A profiling counter on ${node} stays at 0 while its GPU visibly works, so it is unknown whether that GPU is in use. Restart dcgm-exporter on ${node} first.`
    : undefined
}

/** Why the last MIG change of a node is not over, or not known to have succeeded. */
function unsettled({ name, mig: { config = '', state } }: GpuNode): string | undefined {
  if (state === 'pending' || state === 'rebooting') {
    return `mig-manager still works on ${name} (${state}). Wait for it; if it stays so for more than ten minutes, restore the nvidia.com/gpu.deploy labels that say paused-for-mig-change and set nvidia.com/mig.config to another name.`
  }
  if (state === 'failed') {
    return `The last MIG change of ${name} failed, and mig-manager does not try again by itself. Check its log on ${name}, then give the node another configuration name.`
  }
  return state === undefined && config !== ''
    ? `${name} should get the MIG configuration ${config}, but mig-manager has not reported a result. Check that it runs there.`
    : undefined
}

/** Problems of a node that forbid any plan there. */
export const SAID_OF_NODE: ReadonlySet<string> = new Set([
  'devices-withheld',
  'mig-mode-unclear',
  'devices-for-virtual-machines',
  'gpus-reported-unhealthy',
])

/** Whether a node gives its GPUs to virtual machines, where nobody sees how busy they are. */
export const isVmNode = ({ allocatable, room }: Pick<GpuNode, 'allocatable' | 'room'>): boolean =>
  Object.entries(allocatable).some(([resource, count]) => count > 0 && isForVms(resource)) ||
  room.labels['nvidia.com/gpu.workload.config']?.startsWith('vm-') === true

/** Which of its devices a node withholds, nobody says: any that is free may be one of them, and mig-manager cuts all at once. */
function whyWithheld(node: GpuNode): string | undefined {
  const said = node.problems.find(({ code }) => SAID_OF_NODE.has(code))
  if (said !== undefined) return said.message
  const count = withheldGpus(node)
  return count === 0
    ? undefined
    : `${node.name} offers ${plural(count, 'fewer GPU')} than it has; the device plugin calls them unhealthy or has stopped. Check its log there.`
}

/**
 * GPUs, not cut, that nobody can get: the device plugin calls them unhealthy, or it is gone and the kubelet offers none.
 * Where a DRA driver serves the node, the plugin may have given way to it, and where MIG devices are offered as GPUs the
 * count is not of these.
 */
export function withheldGpus({ gpus, allocatable, mig, sharing, servedByDra }: GpuNode): number {
  const whole = gpus.filter(({ migEnabled }) => !migEnabled).length
  if (mig.strategy === 'single' && whole < gpus.length) return 0
  const named = Object.entries(allocatable).filter(([resource]) => profileOfResource(resource) === undefined)
  const offered = named.reduce((sum, [, count]) => sum + count, 0) / replicasOf({ sharing })
  if (offered > 0) return Math.max(0, whole - Math.ceil(offered))
  return named.length > 0 && servedByDra !== true ? whole : 0
}

/** Whether the device plugin of a node is gone: its kubelet knows of devices and offers none at all, cut or not. */
export const offersNone = ({ allocatable, servedByDra, problems }: GpuNode): boolean =>
  servedByDra !== true &&
  problems.some(({ code }) => code === 'devices-withheld') &&
  Object.values(allocatable).every((count) => count === 0)
