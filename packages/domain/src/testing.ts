/** What tests and benchmarks of other packages draw with and compare against. Nothing here is part of the product. */
export { SCRIPT, SCRIPT_BEGINS, scriptedTruth, type Script } from './act/savings/scripted-truth.fixture.ts'
export { cutInto, recordedGpu } from './replay/shadow/recorded-gpus.fixture.ts'
export { asking as shadowQuestion, scripted as scriptedWork } from './replay/shadow/scripted-month.fixture.ts'
export { draw, DRAWN_AT } from './cluster/draw.fixture.ts'
export { analysisTotals } from './cost/analysis-totals.fixture.ts'
export { everyPlan, proposedPlans, touchedBy } from './every-plan.fixture.ts'
export { drawnWishes, servedByDra, withRequests } from './plan/steps/drawn-wishes.fixture.ts'
export { targetsOfConfig } from './plan/documents/targets-of-config.fixture.ts'
