import { FREE, HOST, LIMITED, OWN_NAMESPACES, TIER, ZONE, type Draws } from './drawn-jobs.ts'
import type { RefereeApi } from './referee-api.ts'

/** Gives the demo cluster what jobs may stumble over: labels, taints, cordons, quotas, and pods that take room or keep others away. */
export async function furnish(api: RefereeApi, draws: Draws): Promise<void> {
  for (const name of OWN_NAMESPACES)
    await api.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await api.call('POST', `/api/v1/namespaces/${LIMITED}/resourcequotas`, quota(draws))
  await markNodes(api, draws)
  for (let at = 0; at < 12; at += 1) {
    const name = `standing-${at}`
    const namespace = draws.pick([FREE, FREE, LIMITED])
    await api.makePod({ namespace, name, labels: { app: draws.pick(['shared', name]) }, spec: standing(draws) })
  }
}

async function markNodes(api: RefereeApi, draws: Draws): Promise<void> {
  const { items: nodes = [] } = await api.call('GET', '/api/v1/nodes')
  for (const [at, { metadata, spec }] of nodes.entries()) {
    const name = metadata?.name ?? ''
    const labels = {
      ...(draws.chance(0.6) ? { [TIER]: draws.pick(['gold', 'silver']) } : {}),
      'referee/rank': String(at % 10),
    }
    const taints = [...(spec?.taints ?? []), ...(draws.chance(0.12) ? [taint(draws)] : [])]
    const closed = draws.chance(0.05) ? { unschedulable: true } : {}
    await api.call('PATCH', `/api/v1/nodes/${name}`, { metadata: { labels }, spec: { taints, ...closed } })
  }
}

const quota = ({ pick, chance }: Draws): object => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'limits', namespace: LIMITED },
  spec: {
    hard: {
      pods: String(pick([6, 10, 20])),
      'requests.nvidia.com/gpu': String(pick([4, 8, 16])),
      ...(chance(0.5) ? { 'requests.nvidia.com/mig-1g.10gb': '2' } : {}),
      ...(chance(0.5) ? { 'requests.cpu': pick(['12', '2500m', '60']) } : {}),
      ...(chance(0.4) ? { memory: pick(['64Gi', '300Gi']) } : {}),
      ...(chance(0.2) ? { 'limits.cpu': '40' } : {}),
    },
    ...(chance(0.2) ? { scopes: [pick(['BestEffort', 'NotBestEffort', 'NotTerminating'])] } : {}),
  },
})

const taint = ({ pick }: Draws): object => ({
  key: pick(['referee/team', 'referee/maintenance']),
  value: pick(['vision', 'speech']),
  effect: pick(['NoSchedule', 'NoSchedule', 'NoExecute', 'PreferNoSchedule']),
})

/** A pod without a GPU that takes room, or keeps pods with some label off its node or its zone. */
function standing({ pick, chance }: Draws): object {
  const app = pick(['shared', 'drawn-7', 'drawn-21', 'drawn-40'])
  const term = {
    topologyKey: pick([HOST, ZONE]),
    labelSelector: chance(0.5)
      ? { matchLabels: { app } }
      : { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['standing'] }] },
    ...(chance(0.3) ? { namespaceSelector: {} } : {}),
  }
  const requests = { cpu: pick(['1', '20', '60']), memory: pick(['1Gi', '100Gi', '400Gi']) }
  return {
    containers: [{ name: 'main', image: 'registry.example.com/app/standing:1', resources: { requests } }],
    ...(chance(0.3)
      ? { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }
      : {}),
  }
}
