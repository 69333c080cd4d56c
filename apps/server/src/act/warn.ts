import {
  asRead,
  IDLE_WARNING,
  keepOf,
  keepWords,
  textAt,
  topStoppable,
  type ActionRun,
  type Deciding,
  type StepDecision,
  type Instant,
  type WorkloadId,
} from '@septet/domain'

/** The workload that a run would stop; undefined where it stops none. */
export function stoppedWorkload({ plan }: Pick<ActionRun, 'plan'>): WorkloadId | undefined {
  const stopping = plan.steps.find(({ action }) => action.kind === 'scale' && action.to === 0)?.action
  return stopping?.kind === 'scale' ? stopping.workload : undefined
}

/** Writes the warning on the object, once: when it is stopped, by which action, and how to keep it. */
export function* decideWarning(
  workload: WorkloadId,
  { run, until }: { readonly run: string; readonly until: Instant },
): Deciding {
  const top = yield* topStoppable(workload)
  if (top === undefined) return gone(workload)
  const { live, object } = top
  if (textAt(live, 'metadata', 'annotations', IDLE_WARNING).includes(run)) return { kind: 'done', because: '' }
  const text = `It holds GPUs and does not use them. Septet stops it at ${timeText(until)} (${run}). To keep it: kubectl annotate ${object.resource} ${object.name} -n ${object.namespace} septet.io/keep=true`
  return {
    kind: 'write',
    key: 'warn',
    says: `Warn the owner of ${object.namespace}/${object.name} on the object`,
    write: {
      verb: 'patch',
      object,
      type: 'merge',
      body: { metadata: { ...asRead(live), annotations: { [IDLE_WARNING]: text } } },
    },
  }
}

/** Whether its owner keeps it, in words; `done` with nothing to say where not. */
export function* decideKept(workload: WorkloadId, now: Instant): Deciding {
  const top = yield* topStoppable(workload)
  if (top === undefined) return gone(workload)
  const kept = keepWords(keepOf(top.live), now)
  if (kept !== undefined) return { kind: 'failed', because: `${top.object.namespace}/${top.object.name} ${kept}.` }
  return { kind: 'done', because: '' }
}

const gone = (workload: WorkloadId): StepDecision => ({
  kind: 'failed',
  because: `${workload} is no longer in the cluster, or of a kind that Septet does not stop.`,
})

const timeText = (at: Instant): string => new Date(at).toISOString()
