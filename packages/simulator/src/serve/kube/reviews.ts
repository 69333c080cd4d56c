import type { KubeCaller } from '../callers.ts'
import { objectAt, textIn, type Json, type JsonObject } from './json.ts'
import { KUBE_KINDS } from './kinds.ts'
import type { Access } from './access.ts'
import { managerOf, type ApiRequest } from './request.ts'
import { updated } from './managed-fields.ts'
import { Refused, badRequest } from './status.ts'
import { kubeTime, type Reply, type Api } from './write.ts'

/** Answers `POST /apis/authorization.k8s.io/v1/selfsubject…reviews`. */
export function reviewOf(
  api: Api,
  request: Pick<ApiRequest, 'name' | 'body' | 'query' | 'userAgent'>,
  caller: KubeCaller,
): Reply {
  const body = objectAt(request.body)
  const access = request.name === 'selfsubjectaccessreviews'
  const kind = access ? 'SelfSubjectAccessReview' : 'SelfSubjectRulesReview'
  if (access && Object.keys(objectAt(body, 'spec')).length === 0)
    throw new Refused(422, 'Invalid', {
      message: 'spec.resourceAttributes: exactly one of nonResourceAttributes or resourceAttributes',
    })
  if (!access && textIn(body, 'spec', 'namespace') === '') throw badRequest('no namespace on request')
  const written: JsonObject = { ...body, kind, apiVersion: 'authorization.k8s.io/v1' }
  const writer = {
    manager: managerOf(request),
    operation: 'Update',
    subresource: '',
    time: kubeTime(api.now()),
  } as const
  const owned = updated(undefined, written, writer)
  const metadata = { creationTimestamp: null, ...objectAt(owned, 'metadata') }
  const status = access ? { allowed: caller.may(askedIn(body)) } : rulesOf(caller, textIn(body, 'spec', 'namespace'))
  return { code: 201, body: { ...owned, metadata, status } }
}

function askedIn(body: JsonObject): Access {
  const asked = objectAt(body, 'spec', 'resourceAttributes')
  const [resource, subresource] = [textIn(asked, 'resource'), textIn(asked, 'subresource')]
  return {
    verb: textIn(asked, 'verb'),
    group: textIn(asked, 'group'),
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    namespace: textIn(asked, 'namespace') || undefined,
    name: textIn(asked, 'name') || undefined,
  }
}

const rulesOf = (caller: KubeCaller, namespace: string): JsonObject => ({
  resourceRules: resourceRules(caller, namespace),
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*'] }],
  incomplete: false,
})

function resourceRules(caller: KubeCaller, namespace: string): readonly Json[] {
  const rules = caller.rules()
  if (rules !== undefined) {
    return rules
      .filter((rule) => rule.namespace === undefined || rule.namespace === namespace)
      .map(({ namespace: _where, ...rule }) => rule)
  }
  return KUBE_KINDS.filter(({ plural }) => !caller.closed.has(plural)).map((kind) => ({
    verbs: ['*'],
    apiGroups: [kind.group],
    resources: [kind.plural, ...kind.subresources.map((name) => `${kind.plural}/${name}`)],
  }))
}
