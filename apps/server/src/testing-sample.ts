/** The sample cluster's answers, and the sentences of any answer, for tests that show or quote them. Nothing else may import it. */
export { withSays } from './operations/says/saying.ts'
export { sampleEfficiency, samplePartitions } from './operations/sample/sample-partitions.ts'
export { savingTotals } from './operations/recommendations/saving-totals.ts'
export { sampleRecommendations } from './operations/sample/sample-recommendations.ts'
export { sampleWaitsAnswer } from './operations/sample/sample-waits.ts'
export { sampleMonthsAnswer, sampleSummary, sampleTrend, sampleWorkloads } from './operations/sample/sample.ts'
export { sampleAnswer } from './operations/sample/sample-answer.fixture.ts'
