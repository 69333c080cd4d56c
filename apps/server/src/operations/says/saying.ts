import type { FiguresOf, InputOf, OPERATIONS, OperationKey, OutputOf, Says } from '@septet/contract'

import { actionsSay, alertsSay, recommendationsSay, savingsSay } from './action-says.ts'
import { budgetsSay, costSays } from './cost-says.ts'
import { brokenSays, efficiencySays, partitionsSay, roomSays } from './partition-says.ts'
import { statusSays } from './status-says.ts'
import { summarySays, trendSays } from './summary-says.ts'
import { tokensSay } from './token-says.ts'
import { waitsSay, workloadSays, workloadsSay } from './workload-says.ts'

type Operations = typeof OPERATIONS
type SayingKey = {
  [Key in OperationKey]: OutputOf<Operations[Key]> extends { says: Says } ? Key : never
}[OperationKey]

/** How the answers that carry sentences are worded: once, whether they are of a cluster or of sample data. */
const SAYING: {
  readonly [Key in SayingKey]: (answer: FiguresOf<Operations[Key]>, input: InputOf<Operations[Key]>) => Says
} = {
  summaryGet: summarySays,
  utilizationTrend: trendSays,
  partitionsList: partitionsSay,
  partitionsEfficiency: efficiencySays,
  partitionsRoom: roomSays,
  fleetBroken: brokenSays,
  workloadsList: workloadsSay,
  workloadsGet: workloadSays,
  queueWaits: waitsSay,
  costBreakdown: costSays,
  costTokens: tokensSay,
  budgetsList: budgetsSay,
  recommendationsList: recommendationsSay,
  actionsList: actionsSay,
  savingsList: savingsSay,
  alertsList: alertsSay,
  statusGet: statusSays,
}

/** What an implementation answers: sentences are made of it here. */
export type Unsaid<Answer> = Answer extends { says: Says } ? Omit<Answer, 'says'> : Answer

/** An answer with its sentences, where it has any. */
export function withSays<Key extends OperationKey>(
  key: Key,
  answer: Unsaid<OutputOf<Operations[Key]>>,
  input: InputOf<Operations[Key]>,
): OutputOf<Operations[Key]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has for each operation what takes its own answer
  const saying = (SAYING as Partial<Record<OperationKey, (answer: object, input: object) => Says>>)[key]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return (saying === undefined ? answer : { ...answer, says: saying(answer, input) }) as OutputOf<Operations[Key]>
}
