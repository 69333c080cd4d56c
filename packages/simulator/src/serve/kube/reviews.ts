import { objectAt, textAt, type JsonObject } from './json.ts'
import { KINDS, type Kind } from './kinds.ts'
import { managerOf, type ApiRequest } from './request.ts'
import { updated } from './managed-fields.ts'
import { timeText, type Answer, type Api } from './write.ts'

/** Resources that the demo's user may not touch, by plural: lets tests see what a missing permission does. */
export type Forbidden = ReadonlySet<string>

/** Answers `POST /apis/authorization.k8s.io/v1/selfsubject…reviews`. */
export function reviewOf(api: Api, request: Omit<ApiRequest, 'kind'>, denied: Forbidden): Answer {
  const body = objectAt(request.body)
  const access = request.name === 'selfsubjectaccessreviews'
  const kind = access ? 'SelfSubjectAccessReview' : 'SelfSubjectRulesReview'
  const written: JsonObject = { ...body, kind, apiVersion: 'authorization.k8s.io/v1' }
  const writer = {
    manager: managerOf({ ...request, kind: ANY }),
    operation: 'Update',
    subresource: '',
    time: timeText(api.now()),
  } as const
  const owned = updated(undefined, written, writer)
  const metadata = { creationTimestamp: null, ...objectAt(owned, 'metadata') }
  return { code: 201, body: { ...owned, metadata, status: access ? accessOf(body, denied) : rulesOf(denied) } }
}

const [ANY]: readonly [Kind] = [KINDS[0] ?? unreachable()]
function unreachable(): never {
  throw new Error('the demo serves at least one kind')
}

function accessOf(body: JsonObject, denied: Forbidden): JsonObject {
  const resource = textAt(body, 'spec', 'resourceAttributes', 'resource')
  return { allowed: !denied.has(resource) }
}

const rulesOf = (denied: Forbidden): JsonObject => ({
  resourceRules: KINDS.filter(({ plural }) => !denied.has(plural)).map((kind) => ({
    verbs: ['*'],
    apiGroups: [kind.group],
    resources: [kind.plural, ...kind.subresources.map((name) => `${kind.plural}/${name}`)],
  })),
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*'] }],
  incomplete: false,
})
