import type { NodeSpec } from '../../model/fleet.ts'
import { suffix } from '../../model/hash.ts'
import { textIn, type JsonObject } from '../kube/json.ts'
import { kindNamed } from '../kube/kinds.ts'
import { NODE, type Demo } from './cluster.ts'
import { takeNodeAway } from './node-removal.ts'
import { putObject } from './put-object.ts'

/** Machines that Karpenter brings when pods wait and ends when nobody needs them; the others stand there whoever needs them. */
const POOLS: readonly string[] = ['a100-40', 'l40s', 'a30', 't4']

/** Until a provider says that a machine is gone. */
const ENDS_MS = 6_000

const CLAIM = kindNamed('NodeClaim')

export function putNodePools(cluster: Demo): void {
  for (const key of POOLS) {
    const name = `gpu-${key}`
    const nodes = cluster.world.nodes.filter(({ hardware }) => hardware.key === key)
    const disruption = {
      consolidationPolicy: 'WhenEmpty',
      consolidateAfter: 'Never',
      budgets: [{ nodes: '10%' }],
    }
    putObject(cluster, 'NodePool', [
      { name, createdAt: Date.UTC(2025, 1, 3, 8) },
      { spec: { disruption }, status: { nodes: nodes.length, conditions: [{ type: 'Ready', status: 'True' }] } },
    ])
    for (const node of nodes) putClaim(cluster, node, name)
  }
}

function putClaim(cluster: Demo, node: NodeSpec, pool: string): void {
  const name = `${pool}-${suffix(node.seed, 5)}`
  const metadata = {
    finalizers: ['karpenter.sh/termination'],
    labels: { 'karpenter.sh/nodepool': pool, 'karpenter.sh/capacity-type': 'on-demand' },
  }
  const conditions = ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => ({ type, status: 'True' }))
  putObject(cluster, 'NodeClaim', [
    { name, createdAt: node.createdAt, metadata },
    { spec: { expireAfter: 'Never' }, status: { nodeName: node.name, conditions } },
  ])
}

/** Somebody deletes a NodeClaim: Karpenter has the machine ended, then lets go of both objects. */
export function claimWritten(cluster: Demo, claim: JsonObject): void {
  if (textIn(claim, 'metadata', 'deletionTimestamp') === '') return
  cluster.agenda.at(cluster.now() + ENDS_MS, () => {
    const node = textIn(claim, 'status', 'nodeName')
    if (cluster.store.get(NODE, node) !== undefined) takeNodeAway(cluster, node)
    cluster.store.remove(CLAIM, textIn(claim, 'metadata', 'name'))
  })
}
