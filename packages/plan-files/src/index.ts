export type { PlanFile } from './plan-file.ts'
export { planFiles } from './plan-files.ts'
export { readMigParted } from './plan-files-read.ts'
export { readSnapshotFile, snapshotFileText } from './snapshot-file.ts'
