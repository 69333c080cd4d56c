import type { Ruled, StepAsk } from './decision.ts'
import type { LiveObject, ObjectRef } from '../cluster-writer.ts'
import type { WorkloadId } from '../../cluster/workload.ts'
import { ownerOfObject } from '../owners/owner-of-object.ts'
import { STOPPABLE, stoppableOf, type StoppableKind } from '../owners/stop-write.ts'

type Resource = Pick<ObjectRef, 'group' | 'version' | 'resource'>
type Target<Kind extends string> = { readonly kind: Kind; readonly object: ObjectRef }

/** An object made by a Notebook that is made by … is followed no further than this. */
const LONGEST = 5

/**
 * The object that a change has to be written to, with what it says now: of what another known kind made, as a Notebook
 * makes its StatefulSet, that one. Whose maker is of another kind stays, and says so where it is written. Undefined: gone.
 */
export function* topObject<Kind extends string>(
  target: Target<Kind>,
  kinds: Readonly<Record<Kind, Resource>>,
): Generator<StepAsk, (Target<Kind> & { readonly live: LiveObject }) | undefined, Ruled> {
  const isKnown = (kind: string): kind is Kind => Object.hasOwn(kinds, kind)
  let found = target
  for (let step = 0; ; step += 1) {
    const [live] = yield { kind: 'object', object: found.object }
    if (live === undefined) return undefined
    const owner = ownerOfObject(live)
    if (owner.kind !== 'child' || step >= LONGEST || !isKnown(owner.of.kind)) return { ...found, live }
    const { kind, name, group } = owner.of
    if (kinds[kind].group !== group) return { ...found, live }
    found = { kind, object: { ...kinds[kind], namespace: found.object.namespace, name } }
  }
}

type Found = Target<StoppableKind> & { readonly live: LiveObject }

/** The same for a workload that may be stopped; undefined: gone, or of a kind that Septet does not stop. */
export function* topStoppable(workload: WorkloadId): Generator<StepAsk, Found | undefined, Ruled> {
  const named = stoppableOf(workload)
  return named === undefined ? undefined : yield* topObject(named, STOPPABLE)
}
