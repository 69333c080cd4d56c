import type { Answer } from '../../api.ts'
import type { Tone } from '../../ui/Badge.tsx'

export type Alert = Answer<'alertsList'>['firing'][number]
export type AlertKind = Alert['kind']

/** What each kind is called, in the order in which they are shown: what may break work first. */
export const KIND_NAMES = {
  xid: 'XID fault',
  'mig-change-failed': 'MIG change failed',
  'telemetry-missing': 'Telemetry missing',
  'mixed-namespaces': 'Mixed namespaces',
  'pending-with-free': 'Pending with free slices',
  budget: 'Budget',
  'idle-held': 'Idle-held GPUs',
  efficiency: 'Efficiency floor',
  'spend-change': 'Spend change',
} as const satisfies Record<AlertKind, string>

export const KINDS = Object.keys(KIND_NAMES).filter(isKind)
export function isKind(name: string): name is AlertKind {
  return Object.hasOwn(KIND_NAMES, name)
}

export const SEVERITY_TONES = {
  critical: 'destructive',
  warning: 'warning',
  info: 'secondary',
} as const satisfies Record<Alert['severity'], Tone>
