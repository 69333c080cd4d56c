import { z } from 'zod'
import type { ApiClient } from './api-client.ts'
import type { KnownApis } from './discovery.ts'
import { pluralOf, ruleOf, type Verb } from './resources.ts'

export type MissingPermission = {
  readonly verb: Verb
  /** `queues`, within its group. */
  readonly resource: string
  readonly group: string
  /** Undefined: in all namespaces. */
  readonly namespace: string | undefined
  /** What is lost without it. */
  readonly without: string
}

/** One right that the reader uses, and whether it has it. */
export type CheckedPermission = MissingPermission & { readonly allowed: boolean }

/** Asks the API server, right by right, what the reader may not do (SelfSubjectAccessReview). Changes nothing. */
export async function findMissingPermissions(
  client: ApiClient,
  apis: KnownApis,
  options: { readonly operatorNamespace: string },
): Promise<readonly MissingPermission[]> {
  const missing: MissingPermission[] = []
  for await (const { allowed, ...permission } of reviewPermissions(client, apis, options)) {
    if (!allowed) missing.push(permission)
  }
  return missing
}

/** Every right that the reader uses in this cluster, one after the other, as the API server judges it. */
export async function* reviewPermissions(
  client: ApiClient,
  apis: KnownApis,
  options: { readonly operatorNamespace: string },
): AsyncGenerator<CheckedPermission> {
  for (const name of apis.keys()) {
    const { group, verbs, scope, without } = ruleOf(name)
    const resource = pluralOf(name)
    const namespace = scope === 'operator' ? options.operatorNamespace : undefined
    for (const verb of verbs) {
      const attributes = { group, resource, verb, ...(namespace === undefined ? {} : { namespace }) }
      const allowed = await isAllowed(client, attributes)
      yield { verb, resource, group, namespace, without, allowed }
    }
  }
}

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const ReviewSchema = z.object({ status: z.object({ allowed: z.boolean() }) })

async function isAllowed(client: ApiClient, resourceAttributes: Readonly<Record<string, string>>): Promise<boolean> {
  const answer = await client.post(REVIEWS, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  })
  return ReviewSchema.parse(answer).status.allowed
}
