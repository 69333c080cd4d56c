import type { UsageRow } from '../../analyze/usage.ts'
import { compareText, seconds } from '../../units.ts'
import { learnOverrun } from './learn-overrun.ts'
import type { OverrunModel } from './overrun-model.ts'
import { historyOfRows, type UsageHistory } from './usage-history.ts'

/** Overruns are forecast for a day ahead. */
const HORIZON = seconds(86_400)

/** What the past of a fleet's workloads teaches about later peaks; worth keeping, as it changes by the day. */
export const learnFleetOverrun = (rows: readonly UsageRow[]): OverrunModel => learnOverrun(historiesOf(rows), HORIZON)

const historiesOf = (rows: readonly UsageRow[]): readonly UsageHistory[] =>
  [
    ...Map.groupBy(
      rows.filter(({ kind }) => kind === 'held'),
      ({ workload }) => workload,
    ),
  ]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([id, own]) => historyOfRows(id, own))
