import { rangeText } from '@septet/domain'
// Sample data is fixed: what the server says of it is what the page must show.
import {
  sampleMonthsAnswer,
  samplePartitions,
  sampleRecommendations,
  sampleSummary,
  sampleTrend,
  sampleWaitsAnswer,
  sampleWorkloads,
} from '@septet/server/testing/sample'

import type { Answer, Answers } from './septet.fake.ts'
import { at } from './figures.fixture.ts'
import { liveMonths } from './summary/months.fixture.ts'
import { liveRecommendations } from './summary/recommendations.fixture.ts'
import { livePartitions, liveSummary, liveTrend } from './summary/summary.fixture.ts'
import { liveWaits } from './summary/waits.fixture.ts'
import { liveWorkloads } from './summary/workloads.fixture.ts'

export const clusters: Answer<'clustersList'>['clusters'] = [
  {
    id: 'demo',
    name: 'Demo cluster',
    kind: 'demo',
    state: 'connected',
    lastContact: at(4),
    asOf: at(4),
    serverVersion: 'v1.34.1',
    nodes: 40,
    gpus: 196,
    history: null,
    problems: [],
  },
  {
    id: 'sample',
    name: 'Sample data',
    kind: 'sample',
    state: 'not-live',
    lastContact: null,
    asOf: null,
    serverVersion: null,
    nodes: null,
    gpus: null,
    history: null,
    problems: [],
  },
]

const isSample = ({ cluster }: { readonly cluster?: string | undefined }): boolean => cluster === 'sample'

/** What a healthy server with the demo cluster and sample data would answer. */
export const healthy = (): Answers => ({
  clustersList: () => ({ clusters }),
  summaryGet: (asked) => (isSample(asked) ? sampleSummary() : liveSummary(rangeText(asked.range))),
  utilizationTrend: (asked) => (isSample(asked) ? sampleTrend() : liveTrend(rangeText(asked.range))),
  partitionsList: (asked) => (isSample(asked) ? samplePartitions() : livePartitions()),
  costMonths: (asked) => (isSample(asked) ? sampleMonthsAnswer() : liveMonths()),
  workloadsList: (asked) => (isSample(asked) ? sampleWorkloads(asked) : liveWorkloads(asked.status)),
  queueWaits: (asked) => (isSample(asked) ? sampleWaitsAnswer(asked) : liveWaits(asked.workload)),
  recommendationsList: (asked) => (isSample(asked) ? sampleRecommendations() : liveRecommendations()),
})
