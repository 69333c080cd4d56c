import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import { instant, stateOf, type ActionRun, type RecordedWrite, type StopOrder, type Transition } from '@septet/domain'

import { dateOf, maybeDate, maybeInstant } from '../access/row-values.ts'
import type { actionRuns, actionStops, actionTransitions, actionWrites } from '../action-schema.ts'
import { longText } from '../records/record-rows.ts'
import { storableText } from '../usage/storable.ts'

/** Between what the domain knows and what a table row holds. Texts from a cluster are made storable on the way in. */

export type RunRow = typeof actionRuns.$inferSelect
export type TransitionRow = typeof actionTransitions.$inferSelect
export type WriteRow = typeof actionWrites.$inferSelect

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** The body has every text as it was, since a digest of the plan must still be one of it. */
export async function runRow({ transitions, ...run }: ActionRun): Promise<RunRow> {
  const { number, state } = stateOf({ transitions })
  return {
    id: storableText(run.id),
    cluster: storableText(run.cluster),
    proposedAt: dateOf(run.proposedAt),
    state,
    number,
    body: await compress(JSON.stringify(run), { level: 1 }),
  }
}

/** Only what `runRow` made comes in here, so its shape is trusted. Undefined where its transitions are gone. */
export async function toRun({ body }: RunRow, rows: readonly TransitionRow[]): Promise<ActionRun | undefined> {
  const [first, ...later] = rows.map(toTransition)
  if (first === undefined) return undefined
  const kept: Kept = JSON.parse((await expand(body)).toString('utf8'))
  const { recommendation: _recommendation, ...run } = kept
  return { ...run, cause: causeOf(kept), transitions: [first, ...later] }
}

/** An older Septet has kept a recommendation, also of what a person asked for. */
type Kept = Omit<ActionRun, 'transitions'> & Partial<Omit<Extract<ActionRun['cause'], { kind: 'advice' }>, 'kind'>>

function causeOf({ class: kind, cause, recommendation }: Kept): ActionRun['cause'] {
  if (recommendation === undefined) return cause
  const { saving } = recommendation
  return kind === 'appointment' && saving.kind === 'none'
    ? { kind: 'wish', wants: saving.brings, costs: saving.because }
    : { kind: 'advice', recommendation }
}

/** The body of a run with another proposer. */
export async function withProposer(body: Buffer, proposedBy: string): Promise<Buffer> {
  const run: Omit<ActionRun, 'transitions'> = JSON.parse((await expand(body)).toString('utf8'))
  return compress(JSON.stringify({ ...run, proposedBy }), { level: 1 })
}

export const transitionRow = (run: string, transition: Transition): TransitionRow => ({
  run,
  number: transition.number,
  at: dateOf(transition.at),
  state: transition.state,
  by: storableText(transition.by),
  caller: transition.caller === undefined ? null : storableText(transition.caller),
  party: transition.party === undefined ? null : storableText(transition.party),
  because: longText(transition.because),
  step: transition.step ?? null,
  until: maybeDate(transition.until),
})

const toTransition = ({ number, at, state, by, caller, party, because, step, until }: TransitionRow): Transition => ({
  number,
  at: instant(at.getTime()),
  state,
  by,
  ...(caller === null ? {} : { caller }),
  ...(party === null ? {} : { party }),
  because,
  ...(step === null ? {} : { step }),
  ...(until === null ? {} : { until: instant(until.getTime()) }),
})

export const writeRow = (write: Omit<RecordedWrite, 'outcome'>): WriteRow => ({
  run: storableText(write.run),
  number: write.number,
  at: dateOf(write.at),
  step: write.step,
  isUndo: write.isUndo,
  isRehearsal: write.isRehearsal ?? false,
  key: longText(write.key),
  what: longText(write.what),
  says: longText(write.says),
  stops: write.stops?.map(storableText) ?? null,
  outcome: null,
  settledAt: null,
  because: null,
})

export function toWrite({ outcome, settledAt, because, stops, isRehearsal, ...row }: WriteRow): RecordedWrite {
  const at = maybeInstant(settledAt)
  const isOpen = outcome === null || at === undefined
  return {
    ...row,
    at: instant(row.at.getTime()),
    ...(stops === null ? {} : { stops }),
    ...(isRehearsal ? { isRehearsal } : {}),
    outcome: isOpen ? undefined : { kind: outcome, at, because: because ?? '' },
  }
}

/** No cluster has an empty name, so that one stands for all of them. */
export const stopKey = (cluster: string | undefined): string => (cluster === undefined ? '' : storableText(cluster))

export const stopRow = (order: StopOrder): typeof actionStops.$inferSelect => ({
  cluster: stopKey(order.cluster),
  at: dateOf(order.at),
  by: storableText(order.by),
  because: longText(order.because),
})

export const toStop = (row: typeof actionStops.$inferSelect): StopOrder => ({
  ...row,
  cluster: row.cluster === '' ? undefined : row.cluster,
  at: instant(row.at.getTime()),
})
