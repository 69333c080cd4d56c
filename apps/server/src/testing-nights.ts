/** A pipeline whose loops a test runs, and what answers from it. Nothing here is part of the product. */
export { ADMIN } from './operations/answering/admin-caller.fixture.ts'
export { askAs } from './operations/answering/answering.ts'
export { factsOf } from './operations/answering/facts.fixture.ts'
export { makeAnswers } from './operations/answers.ts'
export { ClusterPipeline } from './pipeline/cluster-pipeline.ts'
export { LoopRecord } from './repeat.ts'
export { CSV_FILES } from './report/report-csv.ts'
export { parseCsv } from './report/parse-csv.fixture.ts'
