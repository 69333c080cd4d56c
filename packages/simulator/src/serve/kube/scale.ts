import { numberIn, objectAt, textRecord, withValue, type JsonObject } from './json.ts'
import type { Kind } from './kinds.ts'
import type { ApiRequest } from './request.ts'
import { invalid } from './status.ts'
import { liveObject, patched, replace, type Reply, type Api } from './write.ts'

const SCALE: Kind = {
  group: 'autoscaling',
  version: 'v1',
  plural: 'scales',
  kind: 'Scale',
  namespaced: true,
  short: [],
  subresources: [],
}

/** `GET …/deployments/NAME/scale`: how many pods are wanted, whatever the kind. */
export const getScale = (api: Api, request: ApiRequest): Reply => ({
  code: 200,
  body: scaleOf(liveObject(api, request)),
})

export function patchScale(api: Api, request: ApiRequest): Reply {
  const before = liveObject(api, request)
  return keepScale(api, request, { before, wanted: patched(request, scaleOf(before)) })
}

function keepScale(api: Api, request: ApiRequest, of: { before: JsonObject; wanted: JsonObject }): Reply {
  const { before, wanted } = of
  // Left out, as the API's own encoding does with it, it is zero.
  const replicas = numberIn(wanted, 'spec', 'replicas') ?? 0
  if (!Number.isInteger(replicas) || replicas < 0) {
    const message = `Invalid value: ${replicas}: must be greater than or equal to 0`
    throw invalid(SCALE, request.name ?? '', [{ reason: 'FieldValueInvalid', message, field: 'spec.replicas' }])
  }
  const after = withValue(before, ['spec', 'replicas'], replicas)
  return { code: 200, body: scaleOf(replace(api, request, { before, after, shown: scaleOf })) }
}

function scaleOf(object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = objectAt(object, 'metadata')
  const labels = Object.entries(textRecord(objectAt(object, 'spec', 'selector', 'matchLabels')))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // None are left out, as every 0 is in this kind.
    spec: { replicas: numberIn(object, 'spec', 'replicas') || undefined },
    status: {
      replicas: numberIn(object, 'status', 'replicas') ?? 0,
      selector: labels.map(([key, value]) => `${key}=${value}`).join(','),
    },
  }
}
