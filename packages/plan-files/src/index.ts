export { appointmentAsk, askedGoal } from './made/asked-goal.ts'
export { madePlan, stepView, type MadeParts } from './made/made-plan.ts'
export type { PlanFile } from './plan-file.ts'
export { planFiles, type PlanFiles } from './plan-files.ts'
export { readSnapshotFile, snapshotFileText } from './snapshot-file.ts'
export {
  MOST_PACKED,
  MOST_UNPACKED,
  packReading,
  unpackReading,
  withoutInventory,
  type AgentReading,
} from './agent/agent-reading.ts'
export { packPast, unpackPast, type AgentPast } from './agent/agent-past.ts'
export {
  AgentAnswerSchema,
  agentPath,
  bodyHash,
  newAgentToken,
  readAgentToken,
  readStatement,
  signedHeaders,
  SIGNATURE_HEADER,
  STATEMENT_HEADER,
  type AgentAnswer,
  type AgentToken,
  type Statement,
} from './agent/agent-token.ts'
