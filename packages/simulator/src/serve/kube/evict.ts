import { isObject, listIn, numberIn, objectAt, textIn, withValue, type JsonObject } from './json.ts'
import { kindNamed } from './kinds.ts'
import { isDryRun, type ApiRequest } from './request.ts'
import { Refused, success } from './status.ts'
import { keyOf } from './store.ts'
import { holdsPreconditions, liveObject, removeObject, kubeTime, type Reply, type Api } from './write.ts'

/** `POST …/pods/NAME/eviction`: asks the disruption budgets first, then takes the pod away politely. */
export function evict(api: Api, request: ApiRequest): Reply {
  const pods = kindNamed('Pod')
  const pod = liveObject(api, { ...request, kind: pods })
  holdsPreconditions(pods, pod, objectAt(request.body, 'deleteOptions', 'preconditions'))
  const budgets = goesAnyway(pod) ? [] : budgetsFor(api.store, pod)
  if (budgets.length > 1) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw new Refused(500, 'InternalError', { message })
  }
  const [budget] = budgets
  if (budget !== undefined) takeDisruption(api, budget, isDryRun(request))
  if (isDryRun(request)) return { code: 201, body: success(201) }
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: kubeTime(api.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
  const conditions = [...listIn(pod, 'status', 'conditions'), condition]
  const grace = numberIn(request.body, 'deleteOptions', 'gracePeriodSeconds') ?? 30
  api.hooks.taken('evicted', pod)
  removeObject(api, { kind: pods, object: withValue(pod, ['status', 'conditions'], conditions), grace })
  return { code: 201, body: success(201) }
}

/** A pod that does not run, or leaves already, disrupts nobody. */
const goesAnyway = (pod: JsonObject): boolean =>
  textIn(pod, 'metadata', 'deletionTimestamp') !== '' || textIn(pod, 'status', 'phase') !== 'Running'

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

function takeDisruption(api: Api, budget: JsonObject, dryRun: boolean): void {
  const name = textIn(budget, 'metadata', 'name')
  const status = objectAt(budget, 'status')
  const allowed = numberIn(status, 'disruptionsAllowed') ?? 0
  if (allowed <= 0) {
    const said = `The disruption budget ${name} needs ${numberIn(status, 'desiredHealthy') ?? 0} healthy pods and has ${numberIn(status, 'currentHealthy') ?? 0} currently`
    throw new Refused(429, 'TooManyRequests', {
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: 'DisruptionBudget', message: said, field: '' }], retryAfterSeconds: 10 },
    })
  }
  if (dryRun || !isObject(budget['status'])) return
  const next = withValue(budget, ['status', 'disruptionsAllowed'], allowed - 1)
  api.store.put(kindNamed('PodDisruptionBudget'), keyOf(textIn(budget, 'metadata', 'namespace'), name), () => next)
}
