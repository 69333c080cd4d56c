import type { CountedFleet } from '../../fleet/counted-fleet.ts'
import { barriersIn, HOSTNAME } from '../../fleet/node-barriers.ts'
import type { AskedJob, AskedPods } from './asked-job.ts'

/** The job with as many pods as there are nodes with GPUs that they may run on, one on each, where it is of that kind. */
export const onEachNode = (fleet: CountedFleet, job: AskedJob): AskedJob => ({
  ...job,
  groups: job.groups.map((pods) => (pods.onEachNode === true ? spreadOut(fleet, pods) : pods)),
})

function spreadOut(fleet: CountedFleet, pods: AskedPods): AskedPods {
  const may = barriersIn(fleet, pods.scheduling).filter((barrier) => barrier === undefined).length
  const apart = { topologyKey: HOSTNAME, most: 'apart', selector: [], namespaces: [], own: true } as const
  // Where it may run nowhere, the one pod that is judged says why.
  return { ...pods, count: Math.max(1, may), spread: [apart] }
}
