export { backUp, restoreBackup, type DatabasePlace } from './backup/back-up.ts'
export type { DatabaseConnection } from './connection.ts'
export { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/start-embedded-postgres.ts'
export { openPostgresStore } from './postgres-store.ts'
