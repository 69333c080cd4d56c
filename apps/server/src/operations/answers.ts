import type { InputOf, OPERATIONS, OperationKey } from '@septet/contract'
import type { Caller, GpuNode, ReadManifest, RecommendationStore, Store } from '@septet/domain'

import type { Facts } from '../facts.ts'
import { recentSavings, type RecentSavings } from '../savings/recent-savings.ts'
import type { AgentCalls } from '../agent-calls.ts'
import { accessAnswers } from './access/access-answers.ts'
import { actPolicyAnswers } from './actions/act-policy-answers.ts'
import { admissionAnswers, type AdmissionFace } from './actions/admission-answers.ts'
import { actionAnswers } from './actions/action-answers.ts'
import { alertAnswers } from './alerts/alert-answers.ts'
import type { AlertService } from './alerts/alert-service.ts'
import type { AccessService } from './access/access-service.ts'
import { answering, type Answer, type Answering } from './answering/answering.ts'
import { askAs } from './answering/ask-as.ts'
import { openAudited, type RecordFact } from './answering/audited.ts'
import type { Engine } from '@septet/copilot'
import { copilotAnswers } from './copilot/copilot-answers.ts'
import { costAnswers } from './cost/cost-answers.ts'
import { listClusters } from './clusters/clusters.ts'
import { liveFindings } from './cost/cost.ts'
import { fleetAnswers } from './fleet/fleet-answers.ts'
import { listModels } from './clusters/models.ts'
import { liveMonths } from './summary/months.ts'
import { personAnswers } from './people/person-answers.ts'
import { partitionAnswers } from './partitions/partition-answers.ts'
import { everyRecommendation } from './recommendations/every-recommendation.ts'
import { recommendationsOfNamespaces } from './recommendations/namespace-recommendations.ts'
import { listPrices, putPrice, removePrice } from './cost/prices.ts'
import { liveQuality } from './clusters/quality.ts'
import { dismissRecommendation, liveRecommendations, restoreRecommendation } from './recommendations/recommendations.ts'
import { liveRecommendation } from './recommendations/recommendation-files.ts'
import { SAMPLE_ANSWERS } from './sample/sample-answers.ts'
import { listSavings } from './savings/savings.ts'
import { knownSavings } from './savings/verified-savings.ts'
import { scenarioAnswers } from './scenarios/scenario-answers.ts'
import { runScenarioHere } from './scenarios/run-scenario-here.ts'
import { openScenarioService, type RunScenario } from './scenarios/scenario-service.ts'
import { reportAnswers } from './report/report-answers.ts'
import { replayHistory } from './shadow/replay-history.ts'
import { shadowAnswers } from './shadow/shadow-answers.ts'
import { openShadowService, type RunReplay, type ShadowService } from './shadow/shadow-service.ts'
import { liveSearch } from './clusters/search.ts'
import { clusterTotals } from './clusters/totals.ts'
import type { Installation } from './settings/about.ts'
import type { ClusterService } from './clusters/cluster-service.ts'
import { demoFaultAnswers, type DemoFaults } from './settings/demo-fault-answers.ts'
import { agentAnswers } from './settings/agent-answers.ts'
import { settingsAnswers } from './settings/settings-answers.ts'
import { liveSummary } from './summary/summary.ts'
import { liveTrend } from './summary/trend.ts'
import { workloadAnswers } from './workloads/workload-answers.ts'

/** The one implementation of every operation: what every face calls. Who may ask what is decided here, for all of them. */
export type Answers = Readonly<Record<OperationKey, Answer>>

/** The language model that answers questions, as much of it as anybody may know. */
export type CopilotModel = {
  readonly name: string
  /** Host and port of its API. */
  readonly host: string
  readonly isMasked: boolean
  readonly engineFor: (caller: Caller) => Engine | undefined
}

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
  /** Reads what somebody means to submit. */
  readonly readManifest: ReadManifest
  /** Undefined where no demo cluster runs. */
  readonly demoFaults?: DemoFaults | undefined
  /** Undefined where the API server is not listened to. */
  readonly admission?: AdmissionFace | undefined
  /** Calls of tools by programs; undefined where none can come. */
  readonly agentCalls?: AgentCalls
  /** A language model for the co-pilot; undefined: only fixed questions are answered. */
  readonly copilot?: CopilotModel | undefined
  /** Computes scenarios; in this thread, between other work, where none is given. */
  readonly runScenario?: RunScenario
  /** Replays the past; in this thread where none is given. */
  readonly runReplay?: RunReplay
}

export function makeAnswers(needs: AnswerNeeds): Answers {
  const { facts, store, now, record, service, clusters, installation, alerts, copilot } = needs
  const answer = answering(facts, openAudited(record, now), SAMPLE_ANSWERS)
  const recommendations = ({ namespaces }: Caller): RecommendationStore =>
    namespaces === undefined
      ? store.recommendations
      : recommendationsOfNamespaces(store.recommendations, facts, namespaces)
  const savings = recentSavings(store.actions, now)
  const nodesOf = nodesIn(facts)
  const answers: Answers = {
    ...manyClusterAnswers(answer, { answers: () => answers, recommendations }),
    ...clusterAnswers(answer, savings),
    ...partitionAnswers(answer, store),
    ...workloadAnswers(answer, { store, recommendations, nodesOf, readManifest: needs.readManifest, now }),
    ...scenarioAnswers(answer, { store, now, service: openScenarioService(needs.runScenario ?? runScenarioHere, now) }),
    summaryGet: answer.ofCluster('summaryGet', (cluster, { range, zone }, { caller }) =>
      liveSummary(cluster, range, {
        zone,
        advice: () => liveRecommendations(cluster, recommendations(caller), EVERY_OPEN),
        measured: () => knownSavings(savings, cluster.record.id, caller.namespaces),
      }),
    ),
    recommendationsList: answer.ofCluster('recommendationsList', (cluster, input, { caller }) =>
      liveRecommendations(cluster, recommendations(caller), input),
    ),
    recommendationsGet: answer.ofCluster('recommendationsGet', (cluster, input, { caller }) =>
      liveRecommendation(
        cluster,
        { recommendations: recommendations(caller), usage: store.usage, namespaces: caller.namespaces },
        input,
      ),
    ),
    recommendationsDismiss: answer.ofCluster('recommendationsDismiss', (cluster, input, { caller }) =>
      dismissRecommendation(cluster, recommendations(caller), { ...input, now: now() }),
    ),
    recommendationsRestore: answer.ofCluster('recommendationsRestore', (cluster, input, { caller }) =>
      restoreRecommendation(cluster, recommendations(caller), input),
    ),
    ...demoFaultAnswers(answer, needs.demoFaults),
    ...actPolicyAnswers(answer, { settings: store.settings, now }),
    ...admissionAnswers(answer, { store: store.admissions, face: needs.admission, now }),
    ...actionAnswers(answer, { store, recommendations, now }),
    ...shadowAnswers(answer, { store, now, service: shadowService(needs) }),
    savingsList: answer.ofCluster('savingsList', listSavings({ actions: store.actions, now })),
    ...priceAnswers(answer, store.prices, now),
    modelsList: answer.ofSeptet('modelsList', () => listModels()),
    ...fleetAnswers(answer, { store, now }),
    ...costAnswers(answer, { store, now, clusters }),
    ...accessAnswers(answer, { service, now }),
    ...personAnswers(answer, { service, store, record, now }),
    ...reportAnswers(answer, { answers: () => answers, settings: store.settings, service, now }),
    ...settingsAnswers(answer, { clusters, installation, store, now }),
    ...copilotAnswers(answer, { answers: () => answers, settings: store.settings, now, model: copilot?.engineFor }),
    ...agentAnswers(answer, { settings: store.settings, calls: needs.agentCalls, copilot, now }),
    ...alertAnswers(answer, { store, alerts, now }),
  }
  return answers
}

const nodesIn =
  (facts: Facts) =>
  (cluster: string): readonly GpuNode[] =>
    facts
      .clusters()
      .find(({ record: { id } }) => id === cluster)
      ?.picture()?.nodes ?? []

const shadowService = ({
  store,
  runReplay = (question) => replayHistory(store, question),
}: AnswerNeeds): ShadowService => openShadowService(runReplay)

/** Every recommendation that nobody said no to. */
const EVERY_OPEN: InputOf<typeof OPERATIONS.recommendationsList> = { dismissed: 'hide', limit: Infinity }

type ManyNeeds = {
  /** Asked late: a sum over clusters is made of the other answers. */
  readonly answers: () => Answers
  /** As far as the caller may see them. */
  readonly recommendations: (caller: Caller) => RecommendationStore
}

/** All clusters at once: which there are, what they come to, and what would help most among all of them. */
const manyClusterAnswers = (answer: Answering, { answers, recommendations }: ManyNeeds) => ({
  clustersList: answer.ofSeptet('clustersList', (_input, { seen }) => listClusters(seen)),
  clustersTotals: answer.ofSeptet('clustersTotals', (input, { caller, seen }) =>
    clusterTotals(seen.clusters(), input, askAs(answers(), caller)),
  ),
  recommendationsTotals: answer.ofSeptet('recommendationsTotals', (input, { caller, seen }) =>
    everyRecommendation(seen.clusters(), recommendations(caller), input),
  ),
})

/** What a GPU-hour costs. */
const priceAnswers = (answer: Answering, prices: Store['prices'], now: () => number) => ({
  pricesList: answer.ofSeptet('pricesList', (input, { seen }) => listPrices(prices, seen, input)),
  pricesPut: answer.ofSeptet('pricesPut', (input) => putPrice(prices, input, now())),
  pricesRemove: answer.ofSeptet('pricesRemove', (input) => removePrice(prices, input)),
})

/** What is told of one cluster from its facts alone. */
const clusterAnswers = (answer: Answering, savings: RecentSavings) =>
  ({
    utilizationTrend: answer.ofCluster('utilizationTrend', (cluster, { range }) => liveTrend(cluster, range)),
    costMonths: answer.ofCluster('costMonths', (cluster, _input, { caller: { namespaces } }) =>
      liveMonths(cluster, () => knownSavings(savings, cluster.record.id, namespaces)),
    ),
    searchFind: answer.ofCluster('searchFind', liveSearch),
    findingsList: answer.ofCluster('findingsList', liveFindings),
    qualityGet: answer.ofCluster('qualityGet', liveQuality),
  }) satisfies Partial<Answers>
