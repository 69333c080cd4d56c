/** The sample cluster's answers, for tests that show or quote them. Nothing else may import it. */
export { sampleEfficiency, samplePartitions } from './operations/sample/sample-partitions.ts'
export { sampleRecommendations } from './operations/sample/sample-recommendations.ts'
export { sampleWaitsAnswer } from './operations/sample/sample-waits.ts'
export { sampleMonthsAnswer, sampleSummary, sampleTrend, sampleWorkloads } from './operations/sample/sample.ts'
