import type { LiveObject } from '../cluster-writer.ts'
import { textAt } from '../live-object.ts'
import { keepOf, keepWords } from '../owners/keep.ts'
import { ownerOfObject, whyNotWritten } from '../owners/owner-of-object.ts'
import type { StepContext } from './decision.ts'

/** Objects that git keeps are changed in git, and what its owner keeps stays as it is; undefined: it may be written. */
export function whyLeftAlone(
  live: LiveObject,
  { isUndo, now }: Pick<StepContext, 'isUndo' | 'now'>,
): string | undefined {
  const name = `${textAt(live, 'metadata', 'namespace')}/${textAt(live, 'metadata', 'name')}`
  const foreign = whyNotWritten(ownerOfObject(live), name)
  const kept = isUndo ? undefined : keepWords(keepOf(live), now)
  return foreign ?? (kept === undefined ? undefined : `${name} ${kept}.`)
}
