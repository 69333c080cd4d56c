import { at, fieldsAt, isFields, isList, listAt, textAt, type Answer, type Fields, type Value } from './recording.ts'

/**
 * What of an answer Septet relies on, to be compared; `versions` tells whether an object's resourceVersion has moved. Of what
 * only others ask that is whether it was done: what came of it is seen when somebody looks.
 */
export function seenOf({ status, headers, body }: Answer, of: { versions: Versions; narrow: boolean }): Fields {
  const whole = isList(body) ? eventsOf(body) : bodyOf(body, of.versions)
  if (!of.narrow) return { status, retryAfter: headers['retry-after'], warnings: headers['warning'], body: whole }
  const { kind, reason } = isFields(whole) ? whole : {}
  return { status, body: isFields(whole) ? { kind, reason } : whole }
}

/** The last resourceVersion seen of each object. */
export type Versions = Map<string, string>

function bodyOf(body: Value, versions: Versions): Value {
  if (!isFields(body)) return body === undefined ? undefined : 'text'
  const kind = textAt(body, 'kind')
  if (kind === 'Status') {
    const { reason, code } = body
    return textAt(body, 'status') === 'Success' ? { kind, status: 'Success' } : { kind, reason, code }
  }
  if (body['items'] !== undefined || kind.endsWith('List')) {
    const names = listAt(body, 'items').map((item) => textAt(item, 'metadata', 'name'))
    const more = textAt(body, 'metadata', 'continue') !== ''
    return { kind, names, more, left: at(body, 'metadata', 'remainingItemCount') }
  }
  return objectOf(body, versions)
}

function objectOf(body: Fields, versions: Versions): Fields {
  const { name, namespace, labels, finalizers, generateName, ...metadata } = fieldsAt(body, 'metadata')
  const kind = textAt(body, 'kind')
  // Written by the controller of Deployments, which the demo has only for its own.
  const { 'deployment.kubernetes.io/revision': _, ...annotations } = fieldsAt(metadata, 'annotations')
  return {
    kind,
    version: versionOf(`${kind}/${textAt(namespace)}/${textAt(name)}`, textAt(metadata['resourceVersion']), versions),
    metadata: {
      name: generateName ?? name,
      namespace,
      labels,
      annotations,
      finalizers,
      leaves: metadata['deletionTimestamp'] !== undefined,
      grace: metadata['deletionGracePeriodSeconds'],
    },
    ...PARTS[kind]?.(body),
  }
}

function versionOf(key: string, version: string, versions: Versions): string {
  const before = versions.get(key)
  if (version === '') return 'none'
  versions.set(key, version)
  return before === undefined ? 'first' : before === version ? 'same' : 'moved'
}

/** What Septet reads of each kind, beside its metadata. */
const PARTS: Readonly<Record<string, (body: Fields) => Fields>> = {
  ConfigMap: ({ data }) => ({ data }),
  Node: (node) => ({
    unschedulable: at(node, 'spec', 'unschedulable'),
    taints: listAt(node, 'spec', 'taints')
      .map((taint) => `${textAt(taint, 'key')}:${textAt(taint, 'effect')}`)
      // The node lifecycle controller did not run where this was recorded; in the demo it does.
      .filter((taint) => !taint.startsWith('node.kubernetes.io/')),
  }),
  Pod: (pod) => ({
    node: at(pod, 'spec', 'nodeName'),
    phase: at(pod, 'status', 'phase'),
    disrupted: listAt(pod, 'status', 'conditions')
      .filter((each) => textAt(each, 'type') === 'DisruptionTarget')
      .map((each) => textAt(each, 'reason')),
  }),
  Deployment: (work) => ({ replicas: at(work, 'spec', 'replicas') }),
  StatefulSet: (work) => ({ replicas: at(work, 'spec', 'replicas') }),
  Job: (job) => ({ suspend: at(job, 'spec', 'suspend') ?? false, parallelism: at(job, 'spec', 'parallelism') ?? 1 }),
  PodDisruptionBudget: (budget) => ({
    allowed: at(budget, 'status', 'disruptionsAllowed') ?? 0,
    disrupted: Object.keys(fieldsAt(budget, 'status', 'disruptedPods')),
  }),
  Lease: ({ spec }) => ({ spec }),
  Scale: ({ spec }) => ({ spec }),
  ResourceClaim: (claim) => ({ allocation: at(claim, 'status', 'allocation') }),
  TokenReview: (review) => ({
    authenticated: at(review, 'status', 'authenticated') ?? false,
    username: textAt(review, 'status', 'user', 'username'),
    audiences: listAt(review, 'status', 'audiences'),
    failed: textAt(review, 'status', 'error') !== '',
  }),
  SelfSubjectAccessReview: (review) => ({ allowed: at(review, 'status', 'allowed') }),
}

function eventsOf(events: readonly Value[]): Value {
  const told = events.map((event): Value => {
    const [type, object] = [textAt(event, 'type'), fieldsAt(event, 'object')]
    if (type === 'ERROR') return { type, code: object['code'], reason: object['reason'] }
    if (type === 'BOOKMARK') return { type, end: at(object, 'metadata', 'annotations', 'k8s.io/initial-events-end') }
    const { name, labels } = fieldsAt(object, 'metadata')
    // The certificate of each cluster is another one.
    return { type, name, labels, ...(name === 'kube-root-ca.crt' ? {} : { data: object['data'] }) }
  })
  // How many bookmarks come is a matter of time.
  return told.filter((event) => textAt(event, 'type') !== 'BOOKMARK' || at(event, 'end') !== undefined)
}
