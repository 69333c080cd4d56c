import { listIn, numberIn, objectAt, textIn, withValue, type JsonObject } from './json.ts'
import { kindNamed } from './kinds.ts'
import { askPolicies } from './policies.ts'
import { isDryRun, type ApiRequest } from './request.ts'
import { Refused, badRequest, success } from './status.ts'
import { keyOf } from './store.ts'
import { graceOf, holdsPreconditions, liveObject, removeObject, kubeTime, type Reply, type Api } from './write.ts'

/** `POST …/pods/NAME/eviction`: asks the disruption budgets first, then takes the pod away politely. */
export function evict(api: Api, request: ApiRequest): Reply {
  const pods = kindNamed('Pod')
  if (textIn(request.body, 'metadata', 'name') !== request.name)
    throw badRequest('name in URL does not match name in Eviction object')
  const pod = liveObject(api, { ...request, kind: pods })
  askPolicies(api.store, request, { object: objectAt(request.body), oldObject: undefined })
  const dryRun = isDryRun(request)
  const budgets = goesAnyway(pod) ? [] : budgetsFor(api.store, pod)
  if (budgets.length > 1) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw new Refused(500, '', { message })
  }
  const [budget] = budgets
  // The budget comes first: an eviction that means another pod of that name has taken from it all the same.
  if (budget !== undefined && !isUnready(pod, budget)) takeDisruption(api, { budget, pod, dryRun })
  holdsPreconditions(pods, pod, objectAt(request.body, 'deleteOptions', 'preconditions'))
  if (dryRun) return { code: 201, body: success(201) }
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: kubeTime(api.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
  const others = listIn(pod, 'status', 'conditions').filter((each) => textIn(each, 'type') !== condition.type)
  const conditions = [...others, condition]
  const grace = graceOf(pods, pod, numberIn(request.body, 'deleteOptions', 'gracePeriodSeconds'))
  const leaving = withValue(pod, ['status', 'conditions'], conditions)
  // It says so of a pod that leaves already too, and changes nothing else of it.
  if (
    textIn(pod, 'metadata', 'deletionTimestamp') !== '' &&
    others.length === listIn(pod, 'status', 'conditions').length
  )
    api.store.put(pods, keyOf(request.namespace, textIn(pod, 'metadata', 'name')), () => leaving)
  api.hooks.taken('evicted', pod)
  removeObject(api, { kind: pods, object: leaving, grace, dryRun })
  return { code: 201, body: success(201) }
}

/** A pod that does not run, or leaves already, disrupts nobody. */
const goesAnyway = (pod: JsonObject): boolean =>
  textIn(pod, 'metadata', 'deletionTimestamp') !== '' || textIn(pod, 'status', 'phase') !== 'Running'

/** A pod that is not ready disrupts nobody who has enough without it, or where the budget says so. */
function isUnready(pod: JsonObject, budget: JsonObject): boolean {
  const ready = listIn(pod, 'status', 'conditions').some(
    (each) => textIn(each, 'type') === 'Ready' && textIn(each, 'status') === 'True',
  )
  const [healthy = 0, desired = 0] = ['currentHealthy', 'desiredHealthy'].map((key) => numberIn(budget, 'status', key))
  return (
    !ready &&
    (textIn(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow' || (desired > 0 && healthy >= desired))
  )
}

/** The disruption budgets that select a pod. */
export function budgetsFor(store: Api['store'], pod: JsonObject): readonly JsonObject[] {
  const namespace = textIn(pod, 'metadata', 'namespace')
  const labels = objectAt(pod, 'metadata', 'labels')
  return store
    .list(kindNamed('PodDisruptionBudget'))
    .filter(({ key }) => key.startsWith(`${namespace}/`))
    .map((entry) => entry.read())
    .filter((budget) => {
      const wanted = Object.entries(objectAt(budget, 'spec', 'selector', 'matchLabels'))
      return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value)
    })
}

type Taking = { readonly budget: JsonObject; readonly pod: JsonObject; readonly dryRun: boolean }

function takeDisruption(api: Api, { budget, pod, dryRun }: Taking): void {
  const name = textIn(budget, 'metadata', 'name')
  const status = objectAt(budget, 'status')
  const allowed = numberIn(status, 'disruptionsAllowed') ?? 0
  const isCounted = numberIn(status, 'observedGeneration') !== undefined
  if (allowed <= 0) {
    const said = isCounted
      ? `The disruption budget ${name} needs ${numberIn(status, 'desiredHealthy') ?? 0} healthy pods and has ${numberIn(status, 'currentHealthy') ?? 0} currently`
      : `The disruption budget ${name} is still being processed by the server.`
    throw new Refused(429, 'TooManyRequests', {
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      // Nobody knows when: it says so only while it has not counted yet.
      details: {
        causes: [{ reason: 'DisruptionBudget', message: said, field: '' }],
        ...(isCounted ? {} : { retryAfterSeconds: 10 }),
      },
    })
  }
  if (dryRun) return
  const disrupted = { ...objectAt(status, 'disruptedPods'), [textIn(pod, 'metadata', 'name')]: kubeTime(api.now()) }
  const next = { ...budget, status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods: disrupted } }
  const kind = kindNamed('PodDisruptionBudget')
  const entry = api.store.put(kind, keyOf(textIn(budget, 'metadata', 'namespace'), name), () => next)
  api.hooks.written(kind, entry.read(), budget)
}
