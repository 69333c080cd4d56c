import { OPERATIONS, type Operation, type OperationKey } from '@septet/contract'
import type { Store } from '@septet/domain'
import { z } from 'zod'

import type { ClusterFacts, Facts } from '../facts.ts'
import { listClusters } from './clusters.ts'
import { liveCost, liveFindings } from './cost.ts'
import { listModels } from './models.ts'
import { livePartitions } from './partitions.ts'
import { listPrices, putPrice, removePrice } from './prices.ts'
import { liveQuality } from './quality.ts'
import { dismissRecommendation, liveRecommendations, restoreRecommendation } from './recommendations.ts'
import { liveRecommendation } from './recommendation-files.ts'
import { Refusal } from './refusal.ts'
import {
  sampleCost,
  sampleFindings,
  samplePartitions,
  sampleQuality,
  sampleSummary,
  sampleTrend,
  sampleWorkloads,
} from './sample.ts'
import { sampleRecommendations } from './sample-recommendations.ts'
import { chooseCluster, needCluster } from './source.ts'
import { liveSummary } from './summary.ts'
import { liveTrend } from './trend.ts'
import { liveWorkloads } from './workloads.ts'

/** Answers one operation from unparsed input: parses it, answers, or throws a `Refusal`. */
type Answer = (input: unknown) => Promise<unknown>
/** The one implementation of every operation: what every face calls. */
export type Answers = Readonly<Record<OperationKey, Answer>>

export function makeAnswers({ facts, store, now }: { facts: Facts; store: Store; now: () => number }): Answers {
  const either = <Output>(
    id: string | undefined,
    live: (cluster: ClusterFacts) => Output | Promise<Output>,
    sample: () => Output,
  ): Output | Promise<Output> => {
    const cluster = chooseCluster(facts, id)
    return cluster === undefined ? sample() : live(cluster)
  }
  const { summaryGet, utilizationTrend, partitionsList, workloadsList, costBreakdown } = OPERATIONS
  return {
    clustersList: answer(OPERATIONS.clustersList, () => listClusters(facts)),
    summaryGet: answer(summaryGet, (input) =>
      either(input.cluster, (live) => liveSummary(live, input.range), sampleSummary),
    ),
    utilizationTrend: answer(utilizationTrend, (input) =>
      either(input.cluster, (live) => liveTrend(live, input.range), sampleTrend),
    ),
    partitionsList: answer(partitionsList, (input) =>
      either(input.cluster, (live) => livePartitions(live, input), samplePartitions),
    ),
    workloadsList: answer(workloadsList, (input) =>
      either(
        input.cluster,
        (live) => liveWorkloads(live, input),
        () => sampleWorkloads(input),
      ),
    ),
    costBreakdown: answer(costBreakdown, (input) =>
      either(
        input.cluster,
        (live) => liveCost(live, input),
        () => sampleCost(input.by),
      ),
    ),
    findingsList: answer(OPERATIONS.findingsList, (input) => either(input.cluster, liveFindings, sampleFindings)),
    recommendationsList: answer(OPERATIONS.recommendationsList, (input) =>
      either(
        input.cluster,
        (live) => liveRecommendations(live, store.recommendations, input),
        () => sampleRecommendations(),
      ),
    ),
    recommendationsGet: answer(OPERATIONS.recommendationsGet, (input) =>
      liveRecommendation(needCluster(facts, input.cluster), store.recommendations, input),
    ),
    recommendationsDismiss: answer(OPERATIONS.recommendationsDismiss, (input) =>
      dismissRecommendation(needCluster(facts, input.cluster), store.recommendations, { ...input, now: now() }),
    ),
    recommendationsRestore: answer(OPERATIONS.recommendationsRestore, (input) =>
      restoreRecommendation(needCluster(facts, input.cluster), store.recommendations, input),
    ),
    qualityGet: answer(OPERATIONS.qualityGet, (input) => either(input.cluster, liveQuality, sampleQuality)),
    pricesList: answer(OPERATIONS.pricesList, () => listPrices(store.prices)),
    pricesPut: answer(OPERATIONS.pricesPut, (input) => putPrice(store.prices, input, now())),
    pricesRemove: answer(OPERATIONS.pricesRemove, (input) => removePrice(store.prices, input)),
    modelsList: answer(OPERATIONS.modelsList, () => listModels()),
  }
}

function answer<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  implement: (input: z.output<Input>) => z.output<Output> | Promise<z.output<Output>>,
): Answer {
  return async (input) => {
    const parsed = z.safeParse(operation.input, input)
    if (parsed.success) return implement(parsed.data)
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
    throw new Refusal(
      'invalid-input',
      `${operation.http.method} ${operation.http.path}: ${issues.join('; ')}.`,
      'Correct the named fields; /api lists what each operation takes.',
    )
  }
}
