import { listed } from '../words.ts'
import type { GpuNode, Problem } from './node.ts'
import type { Pod } from './workload.ts'

/**
 * Pods of several namespaces on a node whose GPUs Septet shares, which it does for one namespace alone: shared GPUs keep the
 * resource's name, so whoever tolerates the node's taints is placed there later, too. Nodes that others share are their choice.
 */
export function mixedTenants(
  { name, sharing, room }: Pick<GpuNode, 'name' | 'sharing' | 'room'>,
  pods: readonly Pick<Pod, 'namespace' | 'requests'>[],
): Problem | undefined {
  const how = WORDS[sharing.kind]
  if (how === undefined || room.labels[CONFIG]?.startsWith(OURS) !== true) return undefined
  const asking = pods.filter(({ requests }) => requests.length > 0)
  const namespaces = [...new Set(asking.map(({ namespace }) => namespace))].toSorted()
  if (namespaces.length < 2) return undefined
  return {
    code: CODE,
    message:
      `Pods of ${listed(namespaces)} share the GPUs of ${name} (${how}), which Septet shares for one ` +
      'namespace: they can slow each other down, and are not isolated from each other’s faults and memory. Take the ' +
      'toleration for the node’s taint away from those that do not belong there, or undo the sharing under Actions.',
    object: `node/${name}`,
  }
}

/** Whether a problem says what somebody else does on a node: who is limited to namespaces is not told it. */
export const tellsOfOthers = ({ code }: Pick<Problem, 'code'>): boolean => OTHERS.has(code)

const CODE = 'shared-by-namespaces'
const OTHERS: ReadonlySet<string> = new Set([CODE, 'used-without-request'])
const CONFIG = 'nvidia.com/device-plugin.config'
/** How the configurations begin that Septet adds. */
const OURS = 'septet-'
const WORDS: Readonly<Partial<Record<GpuNode['sharing']['kind'], string>>> = {
  'time-slicing': 'time-slicing',
  mps: 'MPS',
}
