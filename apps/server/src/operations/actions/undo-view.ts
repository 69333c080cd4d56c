import type { actionsGet, OutputOf } from '@septet/contract'
import { canBeUndone, undoStops, type ActionRun } from '@septet/domain'

import type { ClusterFacts } from '../../facts.ts'

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
