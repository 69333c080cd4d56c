/** What tests and benchmarks of other packages draw with and compare against. Nothing here is part of the product. */
export { SCRIPT, SCRIPT_BEGINS, scriptedTruth, type Script } from './act/savings/scripted-truth.fixture.ts'
export { draw, DRAWN_AT } from './cluster/draw.fixture.ts'
export { divingSolver } from './plan/linear/diving-solver.fake.ts'
export { overCommitted, podOf, someNodes, somePods, type PlacedDemand } from './plan/place/fleet.fixture.ts'
export { simulateMig, type MigArrival } from './plan/place/mig-simulation.fake.ts'
export { boardOf, gpuOf, one, reconfigureProblems } from './plan/reconfigure/reconfigure-problem.fixture.ts'
export { plainRepack, plainUnblock } from './plan/repack/plain-unblock.fake.ts'
export { drawnWishes, servedByDra, withRequests } from './plan/steps/drawn-wishes.fixture.ts'
