import {
  keepOf,
  keepWords,
  stoppableOf,
  textAt,
  type ActionRun,
  type Deciding,
  type Instant,
  type ObjectRef,
} from '@septet/domain'

/** What its owner reads on the object before it is stopped: when that will be, by which action, and how to keep it. */
const WARNING = 'septet.io/idle-warning'

/** The object that a run would stop; undefined where it stops none. */
export function stoppedObject({ plan }: Pick<ActionRun, 'plan'>): ObjectRef | undefined {
  const stopping = plan.steps.find(({ action }) => action.kind === 'scale' && action.to === 0)?.action
  return stopping?.kind === 'scale' ? stoppableOf(stopping.workload)?.object : undefined
}

/** Writes the warning on the object, once. */
export function* decideWarning(
  object: ObjectRef,
  { run, until }: { readonly run: string; readonly until: Instant },
): Deciding {
  const [live] = yield { kind: 'object', object }
  if (live === undefined)
    return { kind: 'failed', because: `${object.namespace}/${object.name} is no longer in the cluster.` }
  if (textAt(live, 'metadata', 'annotations', WARNING).includes(run)) return { kind: 'done', because: '' }
  const text = `It holds GPUs and does not use them. Septet stops it at ${timeText(until)} (${run}). To keep it: kubectl annotate ${object.resource} ${object.name} -n ${object.namespace} septet.io/keep=true`
  return {
    kind: 'write',
    key: 'warn',
    says: `Warn the owner of ${object.namespace}/${object.name} on the object`,
    write: { verb: 'patch', object, type: 'merge', body: { metadata: { annotations: { [WARNING]: text } } } },
  }
}

/** Whether its owner keeps it, in words; `done` with nothing to say where not. */
export function* decideKept(object: ObjectRef, now: Instant): Deciding {
  const [live] = yield { kind: 'object', object }
  if (live === undefined)
    return { kind: 'failed', because: `${object.namespace}/${object.name} is no longer in the cluster.` }
  const kept = keepWords(keepOf(live), now)
  if (kept !== undefined) return { kind: 'failed', because: `${object.namespace}/${object.name} ${kept}.` }
  return { kind: 'done', because: '' }
}

const timeText = (at: Instant): string => new Date(at).toISOString()
