import type { AlertKind } from './alert.ts'
import { observeMigChanges, observeMixing, observeTelemetry, observeXids } from './observe-devices.ts'
import { observeBudgets, observeEfficiency, observeSpend } from './observe-money.ts'
import { observePending } from './observe-pending.ts'
import { observeIdle } from './observe-workloads.ts'
import type { AlertEvidence, Observed } from './observation.ts'

const OBSERVERS = {
  'idle-held': observeIdle,
  budget: observeBudgets,
  efficiency: observeEfficiency,
  'pending-with-free': observePending,
  'mig-change-failed': observeMigChanges,
  xid: observeXids,
  'telemetry-missing': observeTelemetry,
  'spend-change': observeSpend,
  'mixed-namespaces': observeMixing,
} as const satisfies Record<AlertKind, (evidence: AlertEvidence) => Observed>

/** What each kind of alert sees in the evidence. Same evidence, same answer. */
export const observe = (evidence: AlertEvidence, kind: AlertKind): Observed => OBSERVERS[kind](evidence)
