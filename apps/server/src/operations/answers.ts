import { OPERATIONS, type OperationKey } from '@septet/contract'
import type { RecommendationStore, Store } from '@septet/domain'

import type { Caller } from '@septet/domain'
import type { ClusterFacts, Facts } from '../facts.ts'
import { accessAnswers } from './access/access-answers.ts'
import { alertAnswers } from './alerts/alert-answers.ts'
import type { AlertService } from './alerts/alert-service.ts'
import type { AccessService } from './access/access-service.ts'
import { answering, type Answer, type Answering } from './answering/answering.ts'
import { openAudited, type RecordFact } from './answering/audited.ts'
import { costAnswers } from './cost/cost-answers.ts'
import { listClusters } from './clusters/clusters.ts'
import { liveFindings } from './cost/cost.ts'
import { fleetAnswers } from './fleet/fleet-answers.ts'
import { listModels } from './clusters/models.ts'
import { liveMonths } from './summary/months.ts'
import { partitionAnswers } from './partitions/partition-answers.ts'
import { recommendationsOfNamespaces } from './recommendations/namespace-recommendations.ts'
import { listPrices, putPrice, removePrice } from './cost/prices.ts'
import { liveQuality } from './clusters/quality.ts'
import { dismissRecommendation, liveRecommendations, restoreRecommendation } from './recommendations/recommendations.ts'
import { liveRecommendation } from './recommendations/recommendation-files.ts'
import { sampleFindings, sampleMonthsAnswer, sampleQuality, sampleSummary, sampleTrend } from './sample/sample.ts'
import { sampleRecommendations } from './sample/sample-recommendations.ts'
import { scenarioAnswers } from './scenarios/scenario-answers.ts'
import { runScenarioHere } from './scenarios/run-scenario-here.ts'
import { openScenarioService, type RunScenario } from './scenarios/scenario-service.ts'
import { reportAnswers } from './report/report-answers.ts'
import { liveSearch, sampleSearch } from './clusters/search.ts'
import type { Installation } from './settings/about.ts'
import type { ClusterService } from './clusters/cluster-service.ts'
import { settingsAnswers } from './settings/settings-answers.ts'
import { chooseCluster, needCluster } from './answering/source.ts'
import { liveSummary } from './summary/summary.ts'
import { liveTrend } from './summary/trend.ts'
import type { VisibleFacts } from './answering/visible-facts.ts'
import { workloadAnswers } from './workloads/workload-answers.ts'

/** The one implementation of every operation: what every face calls. Who may ask what is decided here, for all of them. */
export type Answers = Readonly<Record<OperationKey, Answer>>

export type AnswerNeeds = {
  readonly facts: Facts
  readonly store: Store
  readonly now: () => number
  /** Adds a fact to the audit log. */
  readonly record: RecordFact
  readonly service: AccessService
  readonly clusters: ClusterService
  readonly installation: Installation
  readonly alerts: AlertService
  /** Computes scenarios; in this thread, between other work, where none is given. */
  readonly runScenario?: RunScenario
}

export function makeAnswers(needs: AnswerNeeds): Answers {
  const { facts, store, now, record, service, clusters, installation, alerts } = needs
  const answer = answering(facts, openAudited(record, now))
  const recommendations = ({ namespaces }: Caller): RecommendationStore =>
    namespaces === undefined
      ? store.recommendations
      : recommendationsOfNamespaces(store.recommendations, facts, namespaces)
  const answers: Answers = {
    clustersList: answer(OPERATIONS.clustersList, (_input, { seen }) => listClusters(seen)),
    ...clusterAnswers(answer),
    ...partitionAnswers(answer),
    ...workloadAnswers(answer, { store, recommendations }),
    ...scenarioAnswers(answer, { store, now, service: openScenarioService(needs.runScenario ?? runScenarioHere, now) }),
    recommendationsList: answer(OPERATIONS.recommendationsList, (input, { seen, caller }) =>
      either(seen, input.cluster, {
        live: (live) => liveRecommendations(live, recommendations(caller), input),
        sample: () => sampleRecommendations(),
      }),
    ),
    recommendationsGet: answer(OPERATIONS.recommendationsGet, (input, { seen, caller }) =>
      liveRecommendation(
        needCluster(seen, input.cluster),
        { recommendations: recommendations(caller), usage: store.usage, namespaces: caller.namespaces },
        input,
      ),
    ),
    recommendationsDismiss: answer(OPERATIONS.recommendationsDismiss, (input, { seen, caller }) =>
      dismissRecommendation(needCluster(seen, input.cluster), recommendations(caller), { ...input, now: now() }),
    ),
    recommendationsRestore: answer(OPERATIONS.recommendationsRestore, (input, { seen, caller }) =>
      restoreRecommendation(needCluster(seen, input.cluster), recommendations(caller), input),
    ),
    pricesList: answer(OPERATIONS.pricesList, (_input, { seen }) => listPrices(store.prices, seen)),
    pricesPut: answer(OPERATIONS.pricesPut, (input) => putPrice(store.prices, input, now())),
    pricesRemove: answer(OPERATIONS.pricesRemove, (input) => removePrice(store.prices, input)),
    modelsList: answer(OPERATIONS.modelsList, () => listModels()),
    ...fleetAnswers(answer, { store, now }),
    ...costAnswers(answer, { store, now }),
    ...accessAnswers(answer, { service, now }),
    ...reportAnswers(answer, { answers: () => answers, settings: store.settings, service, now }),
    ...settingsAnswers(answer, { clusters, installation, store, now }),
    ...alertAnswers(answer, { store, alerts, now }),
  }
  return answers
}

/** What is told of one cluster from its facts alone. */
const clusterAnswers = (answer: Answering) =>
  ({
    summaryGet: answer(OPERATIONS.summaryGet, (input, { seen }) =>
      either(seen, input.cluster, { live: (live) => liveSummary(live, input.range), sample: sampleSummary }),
    ),
    utilizationTrend: answer(OPERATIONS.utilizationTrend, (input, { seen }) =>
      either(seen, input.cluster, { live: (live) => liveTrend(live, input.range), sample: sampleTrend }),
    ),
    costMonths: answer(OPERATIONS.costMonths, (input, { seen }) =>
      either(seen, input.cluster, { live: liveMonths, sample: sampleMonthsAnswer }),
    ),
    searchFind: answer(OPERATIONS.searchFind, (input, { seen }) =>
      either(seen, input.cluster, { live: (live) => liveSearch(live, input), sample: () => sampleSearch(input) }),
    ),
    findingsList: answer(OPERATIONS.findingsList, (input, { seen }) =>
      either(seen, input.cluster, { live: liveFindings, sample: sampleFindings }),
    ),
    qualityGet: answer(OPERATIONS.qualityGet, (input, { seen }) =>
      either(seen, input.cluster, { live: liveQuality, sample: sampleQuality }),
    ),
  }) satisfies Partial<Answers>

function either<Output>(
  seen: VisibleFacts,
  id: string | undefined,
  from: { live(cluster: ClusterFacts): Output | Promise<Output>; sample(): Output },
): Output | Promise<Output> {
  const cluster = chooseCluster(seen, id)
  return cluster === undefined ? from.sample() : from.live(cluster)
}
