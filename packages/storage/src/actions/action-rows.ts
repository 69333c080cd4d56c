import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import { stateOf, type ActionRun, type RecordedWrite, type StopOrder, type Transition } from '@septet/domain'

import type { actionRuns, actionStops, actionTransitions, actionWrites } from '../action-schema.ts'
import { known } from '../rows.ts'

/** Between what the domain knows and what a table row holds. Texts from a cluster are made storable on the way in. */

export type RunRow = typeof actionRuns.$inferSelect
export type TransitionRow = typeof actionTransitions.$inferSelect
export type WriteRow = typeof actionWrites.$inferSelect

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** The body has every text as it was, since a digest of the plan must still be one of it. */
export async function runRow({ transitions, ...run }: ActionRun): Promise<RunRow> {
  const { number, state } = stateOf({ transitions })
  const { id, cluster, proposedAt } = run
  return { id, cluster, proposedAt, state, number, body: await compress(JSON.stringify(run), { level: 1 }) }
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

function toTransition(row: TransitionRow): Transition {
  const { run: _, ...transition } = known(row)
  return transition
}

export function toWrite({ outcome, settledAt, because, stops, isRehearsal, ...row }: WriteRow): RecordedWrite {
  const isOpen = outcome === null || settledAt === null
  return {
    ...row,
    ...(stops === null ? {} : { stops }),
    ...(isRehearsal ? { isRehearsal } : {}),
    outcome: isOpen ? undefined : { kind: outcome, at: settledAt, because: because ?? '' },
  }
}

/** No cluster has an empty name, so that one stands for all of them. */
export const stopKey = (cluster: string | undefined): string => cluster ?? ''

export const stopRow = (order: StopOrder) => ({ ...order, cluster: stopKey(order.cluster) })

export const toStop = (row: typeof actionStops.$inferSelect): StopOrder => ({
  ...row,
  cluster: row.cluster === '' ? undefined : row.cluster,
})
