import {
  DAY_MS,
  asRead,
  IDLE_WARNING,
  instant,
  stateOf,
  textAt,
  topStoppable,
  type ActionRun,
  type Deciding,
  type WorkloadId,
} from '@septet/domain'

import type { ActingTurn } from './act-parts.ts'
import { stoppedWorkload } from './warn.ts'
import { workDecision } from './work-step.ts'

const KEEP = 'septet.io/keep'

/**
 * Whether a run that is over may have left a warning on an object, or was ended by an owner who keeps that. The warning is
 * written before the run says so.
 */
export const mayBeUntidy = (run: ActionRun, now: number): boolean =>
  run.transitions.some(({ state }) => state === 'rehearsed') &&
  stoppedWorkload(run) !== undefined &&
  now - stateOf(run).at < DAY_MS

/** Takes the warning of a run that is over off its object, and keeps the object where its owner said so; true: nothing is left. */
export async function tidyUp(turn: ActingTurn, run: ActionRun): Promise<boolean> {
  const workload = stoppedWorkload(run)
  if (workload === undefined) return true
  const { state, until, at } = stateOf(run)
  const kept = state === 'cancelled' ? until : undefined
  const keep = kept === undefined ? undefined : new Date(kept).toISOString().slice(0, 10)
  const work = { run, step: 0, isUndo: true, since: instant(at) }
  const result = await workDecision(turn, work, () => decideTidy(workload, { run: run.id, keep }))
  return result.kind === 'done' || result.kind === 'failed'
}

type Tidy = {
  readonly run: string
  /** The last day on which its owner keeps it; undefined: nobody has said so by the link. */
  readonly keep: string | undefined
}

function* decideTidy(workload: WorkloadId, { run, keep }: Tidy): Deciding {
  const top = yield* topStoppable(workload)
  if (top === undefined) return { kind: 'done', because: '' }
  const { live, object } = top
  const isWarned = textAt(live, 'metadata', 'annotations', IDLE_WARNING).includes(run)
  const wanted = keep !== undefined && textAt(live, 'metadata', 'annotations', KEEP) === '' ? { [KEEP]: keep } : {}
  const annotations = { ...(isWarned ? { [IDLE_WARNING]: null } : {}), ...wanted }
  if (Object.keys(annotations).length === 0) return { kind: 'done', because: '' }
  const name = `${object.namespace}/${object.name}`
  return {
    kind: 'write',
    key: 'tidy-up',
    says: `Remove the warning from ${name}${keep === undefined ? '' : `, which its owner keeps until ${keep}`}`,
    write: {
      verb: 'patch',
      object,
      type: 'merge',
      body: { metadata: { ...asRead(live), annotations } },
    },
  }
}
