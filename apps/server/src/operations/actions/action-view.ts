import { Refusal, type ActionView, type actionsGet, type OutputOf } from '@septet/contract'
import {
  canBeUndone,
  isBeforeWriting,
  isRunStuck,
  shortfallOf,
  stateOf,
  type ActionRun,
  undoStops,
} from '@septet/domain'
import type { ClusterFacts } from '../../facts.ts'
import { isoOf, isoOrNull } from '../answering/view.ts'
import { outlookView, savingView } from '../recommendations/recommendation-view.ts'

/** An action on the wire. */
export function actionView(run: ActionRun): ActionView {
  const { id, object, title, digest, plan, transitions } = run
  const now = stateOf(run)
  const steps = plan.steps.length
  const moving = now.state === 'applying' || now.state === 'reverting'
  return {
    id,
    class: run.class,
    object,
    title,
    state: now.state,
    because: now.because,
    since: isoOf(now.at),
    until: isoOrNull(now.until),
    cause: causeView(run),
    digest,
    proposedAt: isoOf(run.proposedAt),
    proposedBy: run.proposedBy,
    approvedBy: transitions.find(({ state }) => state === 'approved')?.by ?? null,
    shortfall: shortfallOf(run)?.because ?? null,
    displaced: [...new Set(plan.steps.flatMap((step) => step.displaced))],
    nodes: [...new Set(plan.steps.flatMap(({ action }) => ('node' in action ? [action.node] : [])))],
    halfChanged: isRunStuck(run),
    step: moving ? { number: Math.min(Math.max(1, now.step ?? 1), steps), of: steps } : null,
    may: {
      approve: now.state === 'proposed',
      reject: isBeforeWriting(now.state),
      undo: canBeUndone(run),
    },
  }
}

function causeView({ cause }: ActionRun): ActionView['cause'] {
  if (cause.kind === 'wish') return { ...cause }
  const { id, saving } = cause.recommendation
  return { kind: 'advice', recommendation: id, saving: savingView(saving) }
}

/** What would fail once it is approved is neither proposed nor approved. */
export async function refuseFailing(
  facts: ClusterFacts,
  run: ActionRun,
  wanted: 'proposed' | 'approved',
): Promise<void> {
  const { refused } = await outlookView(facts, run)
  if (refused === null) return
  throw new Refusal('invalid-input', `"${run.title}" was not ${wanted}: ${refused}`, 'Nothing was changed.')
}

type Undo = Omit<OutputOf<typeof actionsGet>['undo'], 'stopped'>

/** Which pods an undo would stop now, or why that is not known; neither where nothing can be undone. */
export function undoView(facts: ClusterFacts, run: ActionRun): Undo {
  if (!canBeUndone(run)) return { stops: null, unknown: null }
  const picture = facts.picture()
  if (picture === undefined) return notKnown(`${facts.record.name} has not been read yet.`)
  if (facts.connection().kind !== 'connected') return notKnown(`Septet cannot read ${facts.record.name} now.`)
  const stops = undoStops(run, picture)
  return 'unknown' in stops ? notKnown(stops.unknown) : { stops: [...stops.pods], unknown: null }
}

const notKnown = (unknown: string): Undo => ({ stops: null, unknown })
