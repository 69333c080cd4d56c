import type { KubeCaller } from '../callers.ts'
import type { Access } from './access.ts'
import { listIn, numberIn, objectAt, textIn, type Json } from './json.ts'
import type { Kind } from './kinds.ts'
import { Refused, badRequest, forbidden, notServed } from './status.ts'
import type { TokenAuthority } from './token-authority.ts'
import { kubeTime, type Reply } from './write.ts'

export type TokenRequests = {
  readonly tokens: TokenAuthority
  readonly caller: KubeCaller
  readonly record: (access: Access, dryRun: boolean) => void
}

const API = 'authentication.k8s.io'
const common = { group: API, version: 'v1', short: [], subresources: [] } as const
const REVIEW: Kind = { ...common, plural: 'tokenreviews', kind: 'TokenReview', namespaced: false }
const ACCOUNT: Kind = { ...common, group: '', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true }
const TOKEN_PATH = /^\/api\/v1\/namespaces\/([^/]+)\/serviceaccounts\/([^/]+)\/token$/

/** The shortest life that an API server gives a token, seconds, and the usual one. */
const SHORTEST_S = 600
const USUAL_S = 3600

/**
 * Answers who asks for a token of a service account (TokenRequest; there is one of every name), or for whom a token is
 * (TokenReview); undefined for everything else.
 */
export function tokenAnswer(
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: Json | undefined },
  requests: TokenRequests,
): Reply | undefined {
  if (method !== 'POST') return undefined
  if (path === `/apis/${API}/v1/tokenreviews`) return review(body, requests)
  const [, namespace, name] = TOKEN_PATH.exec(path) ?? []
  return namespace === undefined || name === undefined ? undefined : issue({ namespace, name, body }, requests)
}

function review(body: Json | undefined, requests: TokenRequests): Reply {
  authorize(requests, REVIEW, {
    verb: 'create',
    group: API,
    resource: 'tokenreviews',
    namespace: undefined,
    name: undefined,
  })
  if (textIn(body, 'spec', 'token') === '') throw badRequest('token is required for TokenReview in authentication')
  const status = requests.tokens.review(textIn(body, 'spec', 'token'), audiencesIn(body))
  return { code: 201, body: { ...objectAt(body), metadata: { creationTimestamp: null }, status } }
}

type Ordered = { readonly namespace: string; readonly name: string; readonly body: Json | undefined }

function issue({ namespace, name, body }: Ordered, requests: TokenRequests): Reply {
  authorize(requests, ACCOUNT, { verb: 'create', group: '', resource: 'serviceaccounts/token', namespace, name })
  const seconds = numberIn(body, 'spec', 'expirationSeconds') ?? USUAL_S
  if (seconds < SHORTEST_S)
    throw new Refused(422, 'Invalid', { message: 'spec.expirationSeconds: less than 10 minutes' })
  if (objectAt(body, 'spec')['boundObjectRef'] !== undefined) throw notServed('bind tokens to objects')
  const { token, expiresAt } = requests.tokens.issue({ namespace, name, audiences: audiencesIn(body), seconds })
  const status = { token, expirationTimestamp: kubeTime(expiresAt) }
  return { code: 201, body: { kind: 'TokenRequest', apiVersion: `${API}/v1`, metadata: { name, namespace }, status } }
}

function authorize({ caller, record }: TokenRequests, kind: Kind, access: Access): void {
  record(access, false)
  if (!caller.may(access)) throw forbidden(caller.user, kind, access)
}

const audiencesIn = (body: Json | undefined): readonly string[] =>
  listIn(body, 'spec', 'audiences').filter((each) => typeof each === 'string')
