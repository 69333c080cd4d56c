import { compareText } from '../../units.ts'
import type { ClusterWrite, LiveObject, ObjectRef } from '../cluster-writer.ts'
import { liveNumberAt, textAt, textsAt, valueAt } from '../live-object.ts'
import { ownerOfObject, whyNotWritten } from './owner-of-object.ts'

/** What a change of replicas is made to; of one namespace, as the lists beside it are. */
type ScaleTarget = { readonly kind: string; readonly name: string }

/** HorizontalPodAutoscalers and KEDA's ScaledObjects of the target's namespace, as the API tells them. */
type Autoscalers = { readonly hpas: readonly LiveObject[]; readonly scaledObjects: readonly LiveObject[] }

/** Who would undo a change of replicas, and what to do instead of it. */
export type Autoscaler =
  /** KEDA scales to that number itself and then stands still; `resume` lets it scale again. Replicas are left to it. */
  | { readonly kind: 'pause'; readonly name: string; readonly pause: ClusterWrite; readonly resume: ClusterWrite }
  /** Nothing that Septet may write would last: the change is for a person. */
  | { readonly kind: 'refuse'; readonly name: string; readonly because: string }

/**
 * The autoscaler that would undo a change of the target's replicas to that number; undefined where none would. KEDA makes
 * an HPA for each ScaledObject, so it is asked first.
 */
export function autoscalerOf(
  target: ScaleTarget,
  to: number,
  { hpas, scaledObjects }: Autoscalers,
): Autoscaler | undefined {
  const scaled = byName(scaledObjects).find((each) => aimsAt(each, target, 'Deployment'))
  if (scaled !== undefined) return ofKeda(target, to, scaled)
  const hpa = byName(hpas).find((each) => aimsAt(each, target, ''))
  return hpa === undefined ? undefined : ofHpa(target, to, hpa)
}

const PAUSED = 'autoscaling.keda.sh/paused'
const PAUSED_REPLICAS = 'autoscaling.keda.sh/paused-replicas'

function ofKeda(target: ScaleTarget, to: number, scaled: LiveObject): Autoscaler | undefined {
  const name = nameOf(scaled)
  const annotations = textsAt(scaled, 'metadata', 'annotations')
  const held = annotations[PAUSED_REPLICAS]
  if (held !== undefined) {
    return held === String(to)
      ? undefined
      : refuse(
          name,
          `ScaledObject ${name} is paused at ${held} replicas by someone else and would set ${target.name} back to that. Remove the annotation ${PAUSED_REPLICAS} first.`,
        )
  }
  if ((annotations[PAUSED] ?? 'false') !== 'false') return undefined
  const foreign = whyNotWritten(ownerOfObject(scaled), `ScaledObject ${name}, which scales ${target.name},`)
  if (foreign !== undefined) return refuse(name, foreign)
  const write = (value: string | null): ClusterWrite => ({
    verb: 'patch',
    object: scaledObjectRef(scaled),
    type: 'merge',
    body: { metadata: { annotations: { [PAUSED_REPLICAS]: value } } },
  })
  return { kind: 'pause', name, pause: write(String(to)), resume: write(null) }
}

function ofHpa(target: ScaleTarget, to: number, hpa: LiveObject): Autoscaler {
  const name = nameOf(hpa)
  const least = liveNumberAt(hpa, 'spec', 'minReplicas') ?? 1
  const most = liveNumberAt(hpa, 'spec', 'maxReplicas') ?? least
  const owner = ownerOfObject(hpa)
  const instead =
    owner.kind === 'child'
      ? `It belongs to ${owner.of.kind} ${owner.of.name}: change that one`
      : to === 0
        ? 'Delete it or stop the workload by hand, or scale it with KEDA, which can be paused at 0'
        : 'Change its limits instead'
  return refuse(
    name,
    `HorizontalPodAutoscaler ${name} keeps ${target.name} between ${least} and ${most} replicas, so ${to} would not last. ${instead}.`,
  )
}

const refuse = (name: string, because: string): Autoscaler => ({ kind: 'refuse', name, because })

/** A ScaledObject that names no kind means a Deployment. */
const aimsAt = (autoscaler: LiveObject, { kind, name }: ScaleTarget, otherwise: string): boolean => {
  const aim = valueAt(autoscaler, 'spec', 'scaleTargetRef')
  return textAt(aim, 'name') === name && (textAt(aim, 'kind') || otherwise) === kind
}

const scaledObjectRef = (scaled: LiveObject): ObjectRef => ({
  group: 'keda.sh',
  version: 'v1alpha1',
  resource: 'scaledobjects',
  namespace: textAt(scaled, 'metadata', 'namespace'),
  name: nameOf(scaled),
})

const byName = (objects: readonly LiveObject[]): readonly LiveObject[] =>
  objects.toSorted((a, b) => compareText(nameOf(a), nameOf(b)))

const nameOf = (object: LiveObject): string => textAt(object, 'metadata', 'name')
