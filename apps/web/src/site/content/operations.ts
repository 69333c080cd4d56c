import type { OperationKey } from '@septet/contract'

/** One operation of the contract as the site shows it: its name, its route, and whether it only reads. */
export type ShownOperation = {
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST'
  readonly path: string
  readonly effect: 'read' | 'propose' | 'act'
}

const reads = (name: string, path: string): ShownOperation => ({ name, method: 'GET', path, effect: 'read' })

/** The operations about clusters, GPUs and what they cost. The contract has more, for accounts and tokens. */
export const SHOWN_OPERATIONS = {
  clustersList: reads('clusters.list', '/api/v1/clusters'),
  summaryGet: reads('summary.get', '/api/v1/summary'),
  utilizationTrend: reads('utilization.trend', '/api/v1/utilization'),
  partitionsList: reads('partitions.list', '/api/v1/partitions'),
  workloadsList: reads('workloads.list', '/api/v1/workloads'),
  workloadsGet: reads('workloads.get', '/api/v1/workload'),
  costBreakdown: reads('cost.breakdown', '/api/v1/cost'),
  costMonths: reads('cost.months', '/api/v1/cost/months'),
  findingsList: reads('findings.list', '/api/v1/findings'),
  recommendationsList: reads('recommendations.list', '/api/v1/recommendations'),
  recommendationsGet: reads('recommendations.get', '/api/v1/recommendations/:id'),
  recommendationsDismiss: {
    name: 'recommendations.dismiss',
    method: 'PUT',
    path: '/api/v1/recommendations/:id/dismissal',
    effect: 'propose',
  },
  qualityGet: reads('quality.get', '/api/v1/quality'),
  pricesList: reads('prices.list', '/api/v1/prices'),
  modelsList: reads('models.list', '/api/v1/gpu-models'),
} as const satisfies Partial<Record<OperationKey, ShownOperation>>
