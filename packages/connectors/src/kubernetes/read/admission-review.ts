import type { AskingPod, Instant } from '@septet/domain'
import { z } from 'zod'

import { followOwners } from './owner-chain.ts'
import { parsePod, type PodFacts } from './parse-pod.ts'
import { LabelsSchema, lenient } from './schemas.ts'

/** What the API server asks about one object. */
export type AdmissionReview = {
  /** To be repeated in the answer. */
  readonly uid: string
  readonly isDryRun: boolean
  /** Undefined where the question is not about a new pod that asks for GPUs and is free to run anywhere. */
  readonly pod: AskingPod | undefined
}

/** Reads an AdmissionReview of `admission.k8s.io/v1`. Throws where it is none. */
export function readAdmissionReview(raw: unknown, now: Instant): AdmissionReview {
  const { request } = ReviewSchema.parse(raw)
  const { uid, dryRun, operation, resource, subResource } = request
  const isNewPod =
    operation === 'CREATE' && resource.group === '' && resource.resource === 'pods' && (subResource ?? '') === ''
  return { uid, isDryRun: dryRun ?? false, pod: isNewPod ? podOf(request, now) : undefined }
}

const ReviewSchema = z.object({
  apiVersion: z.literal('admission.k8s.io/v1'),
  kind: z.literal('AdmissionReview'),
  request: z.object({
    uid: z.string().min(1).max(200),
    operation: z.string(),
    namespace: lenient(z.string()),
    dryRun: lenient(z.boolean()),
    resource: z.object({ group: z.string(), resource: z.string() }),
    subResource: lenient(z.string()),
    object: z.unknown(),
  }),
})
type Request = z.infer<typeof ReviewSchema>['request']

const ObjectSchema = z.object({
  metadata: z.looseObject({
    name: lenient(z.string()),
    generateName: lenient(z.string()),
    annotations: z.record(z.string(), z.unknown()).nullish(),
  }),
  spec: z.looseObject({ resourceClaims: lenient(z.array(z.unknown())) }),
})

function podOf({ uid, namespace = '', object }: Request, now: Instant): AskingPod | undefined {
  const { metadata, spec } = ObjectSchema.parse(object)
  // The API server gives a pod these after it was admitted, and a name to one of a controller.
  const name = metadata.name || metadata.generateName || uid
  const known = { ...metadata, name, namespace, uid, creationTimestamp: new Date(now).toISOString() }
  const facts = parsePod({ metadata: known, spec })
  if (facts === undefined || facts.node !== undefined) return undefined
  return {
    namespace,
    name,
    labels: facts.labels,
    annotations:
      metadata.annotations === undefined || metadata.annotations === null
        ? undefined
        : LabelsSchema.parse(metadata.annotations),
    owners: ownersOf(facts),
    requests: facts.requests,
    containers: facts.containers,
    claims: (spec.resourceClaims ?? []).length > 0,
    queued: Object.hasOwn(facts.labels, QUEUE_LABEL),
    scheduling: facts.scheduling,
  }
}

/** Kueue suspends and admits what carries it. */
const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name'

/** As far as the pod's own owner, its name and the pod's labels tell; nothing is read for it. */
function ownersOf(pod: PodFacts): AskingPod['owners'] {
  const { chain } = followOwners(pod, { owner: () => undefined, podByUid: () => undefined })
  const [first, ...others] = chain.owners.map(({ kind, name }) => `${pod.namespace}/${kind}/${name}`)
  return first === undefined ? [`${pod.namespace}/Pod/${pod.name}`] : [first, ...others]
}
