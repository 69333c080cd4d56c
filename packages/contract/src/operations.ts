import { clustersList } from './clusters.ts'
import { costBreakdown, findingsList, modelsList, pricesList, pricesPut, pricesRemove, qualityGet } from './cost.ts'
import { partitionsList, workloadsList } from './partitions.ts'
import {
  recommendationsDismiss,
  recommendationsGet,
  recommendationsList,
  recommendationsRestore,
} from './recommendations.ts'
import { summaryGet, utilizationTrend } from './summary.ts'

/** The one list. A new operation added here appears in every face at once. */
export const OPERATIONS = {
  clustersList,
  summaryGet,
  utilizationTrend,
  partitionsList,
  workloadsList,
  costBreakdown,
  findingsList,
  recommendationsList,
  recommendationsGet,
  recommendationsDismiss,
  recommendationsRestore,
  qualityGet,
  pricesList,
  pricesPut,
  pricesRemove,
  modelsList,
} as const

export type OperationKey = keyof typeof OPERATIONS
