import type { Demo } from '../cluster.ts'
import { takeNodeAway } from '../node-removal.ts'
import { allowDisruption, forbidDisruption } from './budget-faults.ts'
import type { FaultName } from './fault-kinds.ts'
import type { Fault, FaultWish } from './fault-list.ts'
import { refreshNode } from '../node-devices.ts'

/** Ends all watches of a resource, or all there are. */
export type CutWatches = (resource: string | undefined) => void
type Stage = { readonly cluster: Demo; readonly cutWatches: CutWatches }

type Effect = {
  begin(stage: Stage, fault: Fault): void
  end?(stage: Stage, fault: Fault): void
}

/** Faults that show as soon as they are wanted. All others wait for what they hit. */
const EFFECTS: Partial<Record<FaultName, Effect>> = {
  'budget-never-allows': {
    begin: ({ cluster }, fault) => forbidDisruption(cluster, fault),
    end: ({ cluster }, fault) => allowDisruption(cluster, fault),
  },
  'withheld-device': {
    begin: ({ cluster }, fault) => withholdDevice(cluster, fault),
    end: ({ cluster }, fault) => offerDevice(cluster, fault),
  },
  'node-vanishes': {
    begin: ({ cluster }, fault) => {
      if (fault.node !== undefined) takeNodeAway(cluster, fault.node)
      cluster.faults.remove(fault.id)
    },
  },
  'watch-cut': {
    begin: ({ cluster, cutWatches }, fault) => {
      cutWatches(fault.resource)
      cluster.faults.remove(fault.id)
    },
  },
}

/** Makes something go wrong. Throws where it needs to be told more, or names a node that is not there. */
export function beginFault(stage: Stage, wish: FaultWish): Fault {
  const { cluster } = stage
  if (wish.node !== undefined && cluster.world.node(wish.node) === undefined) throw new Error(`no node ${wish.node}`)
  const fault = cluster.faults.add(wish)
  EFFECTS[fault.kind]?.begin(stage, fault)
  const lasts = fault.times === undefined && fault.seconds !== undefined
  if (lasts) cluster.agenda.at(cluster.now() + fault.seconds * 1000, () => void endFault(stage, fault.id))
  return fault
}

/** False when there is no such fault any more. */
export function endFault(stage: Stage, id: string): boolean {
  const fault = stage.cluster.faults.remove(id)
  if (fault !== undefined) EFFECTS[fault.kind]?.end?.(stage, fault)
  return fault !== undefined
}

/** The kubelet no longer offers one of a node's devices; somebody may hold it, and then goes on. */
function withholdDevice(cluster: Demo, { node = '' }: Fault): void {
  cluster.withheld.add(node)
  refreshNode(cluster, node)
}

function offerDevice(cluster: Demo, { node = '' }: Fault): void {
  cluster.withheld.delete(node)
  refreshNode(cluster, node)
  cluster.stirred = true
}
