import {
  isObject,
  listIn,
  numberIn,
  objectAt,
  same,
  textIn,
  valueIn,
  withValue,
  type Json,
  type JsonObject,
} from './json.ts'
import type { Kind } from './kinds.ts'
import { isNothing } from './patch.ts'
import { badRequest, invalid } from './status.ts'

type Cause = { readonly reason: string; readonly message: string; readonly field: string }

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const NAME_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/** Checks that a body is an object of the kind it was sent to. */
export function bodyOf(kind: Kind, body: Json): JsonObject {
  if (!isObject(body)) throw badRequest('the request body is not a JSON object')
  const named = textIn(body, 'kind')
  if (named !== '' && named !== kind.kind) {
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): got ${named}`)
  }
  return body
}

/** Refuses what the API server refuses, in its words; `before` is what the object was. */
export function validate(kind: Kind, object: JsonObject, before?: JsonObject): void {
  const name = textIn(object, 'metadata', 'name')
  const causes: Cause[] = []
  if (!NAME.test(name) || name.length > 253) {
    causes.push({
      reason: 'FieldValueInvalid',
      message: `Invalid value: "${name}": ${NAME_RULE}`,
      field: 'metadata.name',
    })
  }
  causes.push(...labelCauses(object))
  causes.push(
    ...(CAUSES[kind.kind]?.(object) ?? []),
    ...(before === undefined ? [] : changeCauses(kind, before, object)),
  )
  if (causes.length > 0) throw invalid(kind, name, causes)
}

const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const LABEL_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

const labelCauses = (object: JsonObject): readonly Cause[] =>
  Object.values(objectAt(object, 'metadata', 'labels'))
    .filter((value) => typeof value !== 'string' || value.length > 63 || !LABEL_VALUE.test(value))
    .map((value) => ({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(value)}: ${LABEL_RULE}`,
      field: 'metadata.labels',
    }))

const wrong = (field: string, message: string): Cause => ({ reason: 'FieldValueInvalid', message, field })

/** Exactly six digits: JavaScript writes three. Of other zones than UTC the demo knows nothing. */
const MICRO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/u

const CAUSES: Readonly<Record<string, (object: JsonObject) => readonly Cause[]>> = {
  Pod: podCauses,
  ConfigMap: ({ data }) =>
    Object.values(objectAt(data)).every((value) => typeof value === 'string') ? [] : [wrong('data', 'not a text')],
  Node: (node) => {
    const taints = listIn(node, 'spec', 'taints')
    const names = new Set(taints.map((taint) => `${textIn(taint, 'key')}:${textIn(taint, 'effect')}`))
    const known = taints.every((taint) => /^(?:NoSchedule|PreferNoSchedule|NoExecute)$/u.test(textIn(taint, 'effect')))
    return known && names.size === taints.length ? [] : [wrong('metadata.taints', 'twice, or of an unknown effect')]
  },
  Lease: ({ spec }) => [
    ...['acquireTime', 'renewTime']
      .filter((key) => !isNothing(objectAt(spec)[key]) && !MICRO_TIME.test(textIn(spec, key)))
      .map((key) => wrong(`spec.${key}`, 'cannot parse as "2006-01-02T15:04:05.000000Z07:00"')),
    ...((numberIn(spec, 'leaseDurationSeconds') ?? 1) > 0 && (numberIn(spec, 'leaseTransitions') ?? 0) >= 0
      ? []
      : [wrong('spec.leaseDurationSeconds', 'must be greater than 0')]),
  ],
}

/** What may not change once it is there. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  Node: ['providerID'],
  Deployment: ['selector'],
  StatefulSet: ['selector', 'serviceName', 'volumeClaimTemplates'],
  Job: ['selector', 'completions', 'template'],
  ResourceClaim: ['devices'],
}

function changeCauses(kind: Kind, before: JsonObject, after: JsonObject): readonly Cause[] {
  const changed = (FIXED[kind.kind] ?? []).filter((key) => {
    const [was, is] = [before, after].map((each) => valueIn(each, 'spec', key))
    // Of a suspended Job it may be sent to other nodes.
    if (key === 'template' && valueIn(before, 'spec', 'suspend') === true) return false
    return (was !== undefined || kind.kind === 'StatefulSet') && !same(was, is)
  })
  const [leaves, leavesNow] = [before, after].map((each) => textIn(each, 'metadata', 'deletionTimestamp'))
  const kept = listIn(before, 'metadata', 'finalizers')
  const added = listIn(after, 'metadata', 'finalizers').filter((each) => !kept.includes(each))
  return [
    ...changed.map((key) => wrong(`spec.${key}`, 'field is immutable')),
    ...(leaves === leavesNow ? [] : [wrong('metadata.deletionTimestamp', 'field is immutable')]),
    ...(before['immutable'] === true && !same(before['data'], after['data'])
      ? [wrong('data', 'field is immutable when `immutable` is set')]
      : []),
    ...(kind.kind === 'Pod' && !same(fixedSpec(before), fixedSpec(after, before))
      ? [wrong('spec', 'pod updates may not change fields other than image, tolerations and the like')]
      : []),
    ...(leaves !== '' && added.length > 0
      ? [wrong('metadata.finalizers', 'no new finalizers if the object leaves')]
      : []),
  ]
}

/** What nobody may change of a pod; gates may only go. */
function fixedSpec(pod: JsonObject, before = pod): JsonObject {
  const { tolerations: _, activeDeadlineSeconds: __, schedulingGates, containers, ...rest } = objectAt(pod, 'spec')
  const gates = listIn(before, 'spec', 'schedulingGates')
  const added = listIn({ schedulingGates }, 'schedulingGates').filter((gate) => !gates.some((each) => same(each, gate)))
  const parts = listIn({ containers }, 'containers').map((each) => withValue(objectAt(each), ['image'], undefined))
  return { ...rest, containers: parts, added }
}

function podCauses(pod: JsonObject): readonly Cause[] {
  const containers = listIn(pod, 'spec', 'containers')
  if (containers.length === 0) {
    return [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' }]
  }
  return containers.flatMap((container, index) => resourceCauses(container, `spec.containers[${index}].resources`))
}

/** Extended resources cannot be overcommitted: requests must equal limits, and neither may be missing. */
function resourceCauses(container: Json, field: string): readonly Cause[] {
  const requests = objectAt(container, 'resources', 'requests')
  const limits = objectAt(container, 'resources', 'limits')
  const names = [...new Set([...Object.keys(requests), ...Object.keys(limits)])].filter((name) => name.includes('/'))
  return names.flatMap((name): readonly Cause[] => {
    const [request, limit] = [textIn(requests, name), textIn(limits, name)]
    if (limit === '') {
      const message = 'Required value: Limit must be set for non overcommitable resources'
      return [{ reason: 'FieldValueRequired', message, field: `${field}.limits` }]
    }
    if (request === limit) return []
    const message = `Invalid value: "${request}": must be equal to ${name} limit of ${limit}`
    return [{ reason: 'FieldValueInvalid', message, field: `${field}.requests` }]
  })
}

/** What every pod tolerates for a while. */
export const POD_TOLERATIONS = ['not-ready', 'unreachable'].map((key) => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}))

/** What the API server fills in where it is left out, and writes in its own way. */
export function withDefaults(kind: Kind, object: JsonObject, isNew: boolean): JsonObject {
  if (kind.kind === 'Pod') return withPodDefaults(object)
  if (kind.kind === 'ValidatingAdmissionPolicy') return withPolicyDefaults(object)
  if (!kind.subresources.includes('scale')) return object
  const rolling = kind.kind === 'Deployment' && isNew ? { strategy: ROLLING } : {}
  return withValue(object, ['spec'], { replicas: 1, ...rolling, ...objectAt(object, 'spec') })
}

const ROLLING = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } }

function withPolicyDefaults(policy: JsonObject): JsonObject {
  const constraints = objectAt(policy, 'spec', 'matchConstraints')
  const resourceRules = listIn(constraints, 'resourceRules').map((rule) => ({ scope: '*', ...objectAt(rule) }))
  const filled = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, ...constraints, resourceRules }
  return withValue(
    withValue(policy, ['spec', 'failurePolicy'], valueIn(policy, 'spec', 'failurePolicy') ?? 'Fail'),
    ['spec', 'matchConstraints'],
    filled,
  )
}

/** What the API server fills in for a pod that leaves it out. */
export function withPodDefaults(pod: JsonObject): JsonObject {
  const containers = listIn(pod, 'spec', 'containers').map((container) => {
    const given = objectAt(container)
    const limits = objectAt(given, 'resources', 'limits')
    const requests = { ...limits, ...objectAt(given, 'resources', 'requests') }
    const resources = Object.keys(requests).length === 0 ? {} : { limits, requests }
    return {
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: textIn(given, 'image').includes(':') ? 'IfNotPresent' : 'Always',
      ...given,
      resources,
    }
  })
  const spec = {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: POD_TOLERATIONS,
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    ...objectAt(pod, 'spec'),
    containers,
  }
  const status = { phase: 'Pending', qosClass: 'BestEffort', ...objectAt(pod, 'status') }
  return withValue(withValue(pod, ['spec'], spec), ['status'], status)
}
