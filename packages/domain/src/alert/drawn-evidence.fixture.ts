import { draw, DRAWN_AT } from '../cluster/draw.fixture.ts'
import { HOUR_MS, instant } from '../units.ts'
import { DEFAULT_ALERT_RULES } from './alert-rule.ts'
import type { AlertEvidence, Observation } from './observation.ts'

export const NOW = instant(DRAWN_AT + HOUR_MS)

/** A cluster that answers and was read just now, of which nothing else is known. */
export const evidence = (change: Partial<AlertEvidence> = {}): AlertEvidence => ({
  cluster: 'c',
  clusterName: 'Production',
  now: NOW,
  connected: true,
  asOf: NOW,
  picture: draw`a  A100-SXM4-80GB  [3g.40gb lab/train] [4g.40gb -]`,
  samples: new Map(),
  targets: [],
  problems: [],
  idle: new Set(),
  day: undefined,
  week: undefined,
  budgets: [],
  tenants: [{ name: 'research', namespaces: ['lab*'], labels: {} }],
  rules: DEFAULT_ALERT_RULES,
  ...change,
})
/** What is said of each object. */
export const verdicts = (observations: readonly Observation[]): Record<string, Observation['verdict']> =>
  Object.fromEntries(observations.map(({ object, verdict }) => [object, verdict]))
