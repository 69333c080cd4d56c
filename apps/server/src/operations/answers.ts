import type { InputOf, OPERATIONS } from '@septet/contract'
import type { Engine } from '@septet/copilot'
import type { Caller, RecommendationStore, Store } from '@septet/domain'
import type { AgentCalls } from '../agent-calls.ts'
import type { Facts } from '../facts.ts'
import { recentSavings, type RecentSavings } from '../savings/cluster-savings.ts'
import type { AccessService } from './access/access-service.ts'
import { recordAnswers } from './access/audit-log.ts'
import { loginAnswers } from './access/logins.ts'
import { memberAnswers } from './access/members.ts'
import { sessionAnswers } from './access/sessions.ts'
import { tokenAnswers } from './access/tokens.ts'
import { actPolicyAnswers } from './actions/act-policy-answers.ts'
import { actionAnswers } from './actions/action-answers.ts'
import { admissionAnswers, type AdmissionFace } from './actions/admission-answers.ts'
import type { AlertService } from './alerts/alert-service.ts'
import { alertAnswers } from './alerts/alerts.ts'
import { channelAnswers } from './alerts/channels.ts'
import { answering, type AnswersOf, type Answers, askAs } from './answering/answering.ts'
import { openAudited, type RecordFact } from './answering/audited.ts'
import type { KeptAnswers } from './answering/kept-answers.ts'
import type { ClusterService } from './clusters/cluster-service.ts'
import { listClusters, listModels, connectionAnswers } from './clusters/clusters.ts'
import { liveQuality } from './clusters/quality.ts'
import { liveSearch } from './clusters/search.ts'
import { clusterTotals } from './clusters/totals.ts'
import { copilotAnswers } from './copilot/copilot-answers.ts'
import { budgetAnswers } from './cost/budgets.ts'
import { ledgerAnswers } from './cost/ledger.ts'
import { costAnswers } from './cost/cost.ts'
import { openCostAnswers } from './cost/opencost.ts'
import { priceAnswers } from './cost/prices.ts'
import { tenantAnswers } from './cost/tenants.ts'
import { tokenCostAnswers } from './cost/token-cost.ts'
import { fleetAnswers } from './fleet/fleet-map.ts'
import { partitionAnswers } from './partitions/partition-answers.ts'
import { personAnswers } from './people/person-data.ts'
import { planAnswers } from './plans/live-plan.ts'
import { recommendationsOfNamespaces } from './recommendations/namespace-recommendations.ts'
import { liveRecommendations, recommendationAnswers } from './recommendations/recommendations.ts'
import { reportAnswers } from './report/report.ts'
import { SAMPLE_ANSWERS } from './sample/sample-answers.ts'
import { listSavings } from './savings/savings.ts'
import { knownSavings } from './savings/verified-savings.ts'
import { scenarioAnswers } from './scenarios/scenario-answers.ts'
import { openScenarioService, type RunScenario, runScenarioHere } from './scenarios/scenario-service.ts'
import { agentAnswers } from './settings/agent-answers.ts'
import { settingsAnswers, type Installation, demoFaultAnswers, type DemoFaults } from './settings/settings-answers.ts'
import { replayHistory } from './shadow/replay-history.ts'
import { shadowAnswers } from './shadow/shadow-answers.ts'
import { openShadowService, type RunReplay } from './shadow/shadow-service.ts'
import { liveMonths } from './summary/months.ts'
import { liveSummary, liveTrend } from './summary/summary.ts'
import type { ReadsManifest } from './workloads/starts.ts'
import { workloadAnswers } from './workloads/workloads.ts'

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
  readonly readManifest: ReadsManifest
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
  /** What many ask is worked out once; every question is answered anew where this is left out. */
  readonly kept?: KeptAnswers
}

/** The one implementation of every operation. Who may ask what is decided here, for all of them. */
export function makeAnswers(needs: AnswerNeeds): Answers {
  const { facts, store, now, record, kept, runScenario = runScenarioHere } = needs
  const { runReplay = (question) => replayHistory(store, question) } = needs
  const parts = {
    ...needs,
    answers: () => answers,
    recommendations: ({ namespaces }: Caller): RecommendationStore =>
      namespaces === undefined
        ? store.recommendations
        : recommendationsOfNamespaces(store.recommendations, facts, namespaces),
    savings: recentSavings(store.actions, now),
    scenarios: openScenarioService({ runScenario, notes: store.notes, now }),
    shadow: openShadowService({ runReplay, notes: store.notes, now }),
    nodesOf: (cluster: string) =>
      facts
        .clusters()
        .find(({ record: { id } }) => id === cluster)
        ?.picture()?.nodes ?? [],
  }
  const answers: Answers = answering({ facts, audited: openAudited(record, now), sample: SAMPLE_ANSWERS, kept })({
    ...clusterAnswers(parts),
    ...manyClusterAnswers(parts),
    ...partitionAnswers(),
    ...planAnswers(parts),
    ...workloadAnswers(parts),
    ...scenarioAnswers(parts),
    ...recommendationAnswers(parts),
    ...demoFaultAnswers(parts),
    ...actPolicyAnswers(parts),
    ...admissionAnswers(parts),
    ...actionAnswers(parts),
    ...shadowAnswers(parts),
    ...fleetAnswers(parts),
    ...costAnswers(parts),
    ...tokenCostAnswers(parts),
    ...budgetAnswers(parts),
    ...ledgerAnswers(parts),
    ...priceAnswers(parts),
    ...openCostAnswers(parts),
    ...tenantAnswers(parts),
    ...sessionAnswers(parts),
    ...memberAnswers(parts),
    ...tokenAnswers(parts),
    ...loginAnswers(parts),
    ...recordAnswers(parts),
    ...personAnswers(parts),
    ...reportAnswers(parts),
    ...settingsAnswers(parts),
    ...connectionAnswers(parts),
    ...copilotAnswers(parts),
    ...agentAnswers(parts),
    ...alertAnswers(parts),
    ...channelAnswers(parts),
  })
  return answers
}

/** Every recommendation that nobody said no to. */
const EVERY_OPEN: InputOf<typeof OPERATIONS.recommendationsList> = { dismissed: 'hide', limit: Infinity }

type Parts = Pick<AnswerNeeds, 'store' | 'now'> & {
  /** Asked late: a sum over clusters is made of the other answers. */
  readonly answers: () => Answers
  readonly recommendations: (caller: Caller) => RecommendationStore
  readonly savings: RecentSavings
}

/** What is told of one cluster. */
const clusterAnswers = ({
  store,
  now,
  recommendations,
  savings,
}: Parts): AnswersOf<'summary' | 'utilization' | 'costMonths' | 'savings' | 'search' | 'quality'> => ({
  summaryGet: (cluster, { range, zone }, { caller }) =>
    liveSummary(cluster, range, {
      zone,
      advice: () => liveRecommendations(cluster, recommendations(caller), EVERY_OPEN),
      measured: () => knownSavings(savings, cluster.record.id, caller.namespaces),
    }),
  utilizationTrend: (cluster, { range }) => liveTrend(cluster, range),
  costMonths: (cluster, _input, { caller: { namespaces } }) =>
    liveMonths(cluster, {
      measured: () => knownSavings(savings, cluster.record.id, namespaces),
      settings: store.settings,
    }),
  savingsList: listSavings({ actions: store.actions, now }),
  searchFind: liveSearch,
  qualityGet: liveQuality,
})

/** All clusters at once: which there are, what they come to, and which GPUs there can be. */
const manyClusterAnswers = ({ answers }: Parts): AnswersOf<'clusters' | 'models'> => ({
  clustersList: (_input, { seen }) => listClusters(seen),
  clustersTotals: (input, { caller, seen }) => clusterTotals(seen.clusters(), input, askAs(answers(), caller)),
  modelsList: () => listModels(),
})
