import { notFound } from '@septet/contract'

import type { SampleAnswers } from '../answering/answering.ts'
import { SAMPLE_ANSWERED } from '../answering/source.ts'
import { best, worksOf } from '../clusters/search.ts'
import { sampleFleet, sampleGpu } from './sample-fleet.ts'
import { sampleEfficiency, samplePartitions } from './sample-partitions.ts'
import { sampleRecommendations } from './sample-recommendations.ts'
import { sampleNodes, sampleWorkloadRows } from './sample-tables.ts'
import { sampleWaitsAnswer } from './sample-waits.ts'
import { sampleMonthsAnswer, sampleSummary, sampleTrend, sampleWorkloads } from './sample.ts'

const refuse = (detail: string, todo: string) => (): never => {
  throw notFound(detail, todo)
}
const nothingBehind = refuse(
  'Sample data has fixed recommendations: there is nothing to dismiss.',
  'Choose a cluster; /api/v1/clusters lists them.',
)
const nothingToChange = refuse(
  'Sample data are fixed figures: there is no cluster to change.',
  'Choose a cluster or the demo cluster; /api/v1/clusters lists them.',
)
const noGpus = refuse(
  'Sample data are fixed figures: there are no GPUs to plan for.',
  'Choose a cluster or the demo cluster; /api/v1/clusters lists them.',
)
const noWorkload = refuse(
  'Sample data are fixed figures: its workloads have no pods, owners or events.',
  'Choose a cluster or the demo cluster; /api/v1/clusters lists them.',
)
const noScenario = refuse(
  'Sample data has fixed figures and no workloads, so there is nothing to simulate.',
  'Choose a cluster, for example the demo cluster.',
)

/**
 * The fixed figures of the product's specification, as a source: what each operation answers of it, and why it does not
 * where there is nothing behind a figure to look into or to change.
 */
export const SAMPLE_ANSWERS: SampleAnswers = {
  summaryGet: sampleSummary,
  utilizationTrend: sampleTrend,
  costMonths: sampleMonthsAnswer,
  workloadsList: sampleWorkloads,
  workloadsGet: noWorkload,
  queueWaits: sampleWaitsAnswer,
  partitionsList: samplePartitions,
  partitionsEfficiency: sampleEfficiency,
  partitionsRoom: noGpus,
  plansMake: noGpus,
  fleetMap: ({ known }) => sampleFleet(known),
  fleetGpu: sampleGpu,
  fleetBroken: () => ({ ...SAMPLE_ANSWERED, gpus: [] }),
  // Sample data has fixed savings and no usage, so that nothing of it can be cut.
  costBreakdown: ({ by }) => ({
    ...SAMPLE_ANSWERED,
    by,
    groups: [],
    total: null,
    unpricedGpuHours: 0,
    within: null,
    labels: [],
    observedSeconds: 0,
    notes: [],
    before: null,
  }),
  costTokens: ({ by, split }) => ({
    ...SAMPLE_ANSWERED,
    by,
    split,
    groups: [],
    total: null,
    withoutWorkload: null,
    uncounted: { workloads: 0, examples: [], gpuHours: 0, usd: null },
    unread: 'Sample data are fixed figures: no inference engine counts anything.',
    readAt: null,
    notes: [],
  }),
  costLedger: ({ step }) => ({ ...SAMPLE_ANSWERED, step, lines: [] }),
  costDays: ({ zone }) => ({ ...SAMPLE_ANSWERED, zone, days: [], coarse: false }),
  budgetsList: () => ({ ...SAMPLE_ANSWERED, outlook: null, budgets: [] }),
  openCostCompare: () => ({ ...SAMPLE_ANSWERED, address: null, nodes: [], namespaces: [] }),
  pricesUsed: () => ({ ...SAMPLE_ANSWERED, observedSeconds: 0, uses: [] }),
  findingsList: () => ({ ...SAMPLE_ANSWERED, findings: [] }),
  qualityGet: () => ({
    ...SAMPLE_ANSWERED,
    measuredDevices: 0,
    devices: 0,
    reasons: [],
    targets: [],
    problems: [],
  }),
  recommendationsList: sampleRecommendations,
  recommendationsGet: nothingBehind,
  recommendationsDismiss: nothingBehind,
  recommendationsRestore: nothingBehind,
  searchFind: (wanted) => ({
    ...SAMPLE_ANSWERED,
    ...best(
      [
        ...sampleNodes.map(({ node, model }) => ({ kind: 'node' as const, id: node, name: node, detail: model })),
        ...worksOf(sampleWorkloadRows.map((row) => ({ ...row, id: `${row.namespace}/Job/${row.name}`, kind: 'Job' }))),
      ],
      wanted,
    ),
  }),
  alertsList: () => ({
    ...SAMPLE_ANSWERED,
    note: 'Sample data is fixed: nothing happens in it, so there is nothing to alert about.',
    total: 0,
    firing: [],
    pending: 0,
    history: [],
  }),
  actionsList: () => ({
    ...SAMPLE_ANSWERED,
    acting: { state: 'observe', because: 'Sample data are fixed figures: there is nothing to change.', stops: [] },
    actions: [],
  }),
  // Its fixed savings are of nobody's actions.
  savingsList: () => ({
    ...SAMPLE_ANSWERED,
    savings: [],
    ledger: {
      capacityFreed: { realized: null, estimated: null },
      billReduced: { realized: null, estimated: null },
    },
  }),
  admissionList: () => ({
    ...SAMPLE_ANSWERED,
    listening: false,
    since: SAMPLE_ANSWERED.asOf ?? new Date(0).toISOString(),
    warned: 0,
    changed: 0,
    unrecorded: null,
    interruption: null,
    answers: [],
  }),
  admissionSetup: nothingToChange,
  shadowGet: refuse(
    'Sample data are fixed figures: there are no recorded hours to replay.',
    'Choose a cluster or the demo cluster; /api/v1/clusters lists them.',
  ),
  actPoliciesGet: nothingToChange,
  actPoliciesPut: nothingToChange,
  actionsGet: nothingToChange,
  actionsFiles: nothingToChange,
  actionsPropose: nothingToChange,
  appointmentsPropose: nothingToChange,
  actionsApprove: nothingToChange,
  actionsReject: nothingToChange,
  actionsUndo: nothingToChange,
  actingStop: nothingToChange,
  actingResume: nothingToChange,
  alertsAcknowledge: nothingBehind,
  alertsSilence: nothingBehind,
  startsCheck: refuse(
    'Sample data are fixed figures: there is no scheduler to ask.',
    'Choose a cluster or the demo cluster; /api/v1/clusters lists them.',
  ),
  scenariosInput: noScenario,
  scenariosStart: noScenario,
}
