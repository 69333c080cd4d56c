/** What end-to-end tests compare pages with, and answer them. Nothing else may import it. */
export { default as AGENTIC } from '../content/agentic.json' with { type: 'json' }
export { default as COPILOT } from '../content/copilot.json' with { type: 'json' }
export { actingFixture, CUTS } from './dashboard/acting/actions.fixture.ts'
export { faultsFixture } from './dashboard/actions/faults/faults.fixture.ts'
export { answerFixture } from './dashboard/copilot/answer.fixture.ts'
export { at, NOW } from './dashboard/figures.fixture.ts'
export { type Answers, fakeSeptet } from './dashboard/septet.fake.ts'
export { actPolicyFixture } from './dashboard/settings/acting/act-policy.fixture.ts'
export { STOPS } from './dashboard/settings/acting/replay.fixture.ts'
export { liveMonths } from './dashboard/summary/months.fixture.ts'
export { liveRecommendations } from './dashboard/summary/recommendations.fixture.ts'
export { livePartitions, liveSummary, liveTrend } from './dashboard/summary/summary.fixture.ts'
export { liveWaits } from './dashboard/summary/waits.fixture.ts'
export { liveWorkloads } from './dashboard/summary/workloads.fixture.ts'
