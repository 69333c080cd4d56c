import { nodeRefusal } from '../../cluster/node-rules.ts'
import type { Taint } from '../../cluster/scheduling.ts'
import { isHeldBack, queueOf } from './job-limits.ts'
import { pointerPart, SUSPENDED, type AskedPods } from './asked-job.ts'
import { ofPart, withGroup, type Candidate, type ChangeQuestion } from './job-change.ts'

/** The job not suspended. */
export function* resumed({ job }: ChangeQuestion): Generator<Candidate> {
  const { suspend, document } = job.edit
  if (suspend === undefined) return
  yield {
    kind: 'resume',
    sentence: 'Set suspend to false.',
    document,
    patch: [{ op: 'replace', path: suspend, value: false }],
    job: { ...job, stopped: job.stopped.filter((why) => why !== SUSPENDED) },
  }
}

/** One more toleration, of a taint that is not the node controller's own. */
export function* tolerations({ fleet, job }: ChangeQuestion): Generator<Candidate> {
  const taints = new Map<string, Taint>()
  for (const { node } of fleet.nodes)
    for (const taint of node.room.taints)
      if (!taint.key.startsWith('node.kubernetes.io/') && taint.effect !== 'PreferNoSchedule')
        taints.set(JSON.stringify(taint), taint)
  for (const { key, value, effect } of taints.values()) {
    const wanted = job.groups.some(({ scheduling }) =>
      nodeRefusal(
        { nodeSelector: {}, nodeTerms: [], tolerations: scheduling.tolerations },
        { labels: {}, taints: [{ key, value, effect }] },
      ),
    )
    if (!wanted) continue
    const toleration =
      value === ''
        ? { key, operator: 'Exists' as const, value, effect }
        : { key, operator: 'Equal' as const, value, effect }
    const written = value === '' ? { key, operator: 'Exists', effect } : toleration
    yield {
      kind: 'taint',
      sentence: `Let it tolerate the taint ${key}${value === '' ? '' : `=${value}`}:${effect}, where those nodes are meant for it.`,
      document: job.edit.document,
      patch: job.groups.map(({ edit }) =>
        edit.hasTolerations
          ? { op: 'add' as const, path: `${edit.spec}/tolerations/-`, value: written }
          : { op: 'add' as const, path: `${edit.spec}/tolerations`, value: [written] },
      ),
      job: { ...job, groups: job.groups.map((pods) => withToleration(pods, toleration)) },
    }
  }
}

const withToleration = (pods: AskedPods, toleration: AskedPods['scheduling']['tolerations'][number]): AskedPods => ({
  ...pods,
  scheduling: { ...pods.scheduling, tolerations: [...pods.scheduling.tolerations, toleration] },
})

/** One key of the node selector less, or the node affinity left out. */
export function* looserRules({ job }: ChangeQuestion): Generator<Candidate> {
  const { document } = job.edit
  for (const [at, pods] of job.groups.entries()) {
    const { nodeSelector, nodeTerms } = pods.scheduling
    for (const [key, value] of Object.entries(nodeSelector)) {
      const { [key]: _dropped, ...rest } = nodeSelector
      yield {
        kind: 'rules',
        sentence: `Drop ${key}=${value} from the node selector${ofPart(pods)}.`,
        document,
        patch: [{ op: 'remove', path: `${pods.edit.spec}/nodeSelector/${pointerPart(key)}` }],
        job: withGroup(job, at, { ...pods, scheduling: { ...pods.scheduling, nodeSelector: rest } }),
      }
    }
    if (nodeTerms.length > 0)
      yield {
        kind: 'rules',
        sentence: `Drop the required node affinity${ofPart(pods)}.`,
        document,
        patch: [{ op: 'remove', path: `${pods.edit.spec}/affinity/nodeAffinity/${REQUIRED}` }],
        job: withGroup(job, at, { ...pods, scheduling: { ...pods.scheduling, nodeTerms: [] } }),
      }
  }
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'

/** Another queue, or another namespace where a ResourceQuota is what holds it back. */
export function* otherQueues({ fleet, job, judged, namespaces }: ChangeQuestion): Generator<Candidate> {
  const { snapshot } = fleet
  const { queue, document } = job.edit
  if (!isHeldBack(judged.limits)) return
  if (job.queue !== undefined && queue !== undefined) {
    const own = queueOf(snapshot.queues, `${job.namespace}/${job.queue}`)?.name
    const locals = snapshot.queues.flatMap(({ name, localQueues = [] }) => (name === own ? [] : localQueues))
    for (const local of locals.filter((id) => id.startsWith(`${job.namespace}/`)).toSorted()) {
      const name = local.slice(job.namespace.length + 1)
      yield {
        kind: 'queue',
        sentence: `Submit it to the queue ${name}.`,
        document,
        patch: [{ op: 'replace', path: queue, value: name }],
        job: { ...job, queue: name },
      }
    }
    return
  }
  const tight = new Set(judged.limits.tight.map(({ namespace }) => namespace))
  const known = namespaces ?? [...new Set(snapshot.workloads.map(({ namespace }) => namespace))].toSorted()
  for (const namespace of known.filter((name) => !tight.has(name) && name !== job.namespace))
    yield {
      kind: 'namespace',
      sentence: `Submit it to the namespace ${namespace}, where you may.`,
      document,
      patch: [{ op: 'add', path: '/metadata/namespace', value: namespace }],
      job: { ...job, namespace },
    }
}
