import type { ActorPolicyState } from '@septet/domain'
import { errorText } from '@septet/domain/words'
import { z } from 'zod'

import { openApiClient, type ApiClient } from '../connect/api-client.ts'
import { ApiError } from '../connect/api-error.ts'
import { loadCredentials, type ClusterAddress } from '../connect/credentials.ts'
import { DEFAULT_TIMING } from '../connect/timing.ts'

const NAME = 'septet-actor'
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'

/** Whether the policy of `deploy/actor-policy.yaml` is in force in a cluster; `shipped` is that policy. Never throws. */
export async function actorPolicyIn(kubeconfig: ClusterAddress, shipped: unknown): Promise<ActorPolicyState> {
  let client: ApiClient | undefined
  try {
    const credentials = loadCredentials(kubeconfig)
    const timing = { response: 10_000, silence: DEFAULT_TIMING.silence }
    client = openApiClient({ load: () => credentials, timing, heard: () => undefined })
    const policy = await found(client, `${ADMISSION}/validatingadmissionpolicies/${NAME}`)
    if (policy === undefined) return { kind: (await hasActor(client)) ? 'absent' : 'no-actor' }
    const parts = differences(PolicySchema.parse(policy).spec, PolicySchema.parse(shipped).spec)
    if (parts.length > 0) return { kind: 'different', parts }
    const binding = await found(client, `${ADMISSION}/validatingadmissionpolicybindings/${NAME}`)
    return { kind: BindingSchema.safeParse(binding).success ? 'in-force' : 'unbound' }
  } catch (error) {
    return { kind: 'unknown', because: errorText(error) }
  } finally {
    client?.close()
  }
}

async function found(client: ApiClient, path: string): Promise<unknown> {
  try {
    return await client.get(path)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Where accounts may not be listed there may be one. */
async function hasActor(client: ApiClient): Promise<boolean> {
  const query = { fieldSelector: `metadata.name=${NAME}` }
  const accounts = await client.get('/api/v1/serviceaccounts', { query }).catch(() => undefined)
  return !z.object({ items: z.array(z.unknown()).length(0) }).safeParse(accounts).success
}

const Expression = z.object({ expression: z.string() })
const Rule = z.object({
  apiGroups: z.array(z.string()),
  apiVersions: z.array(z.string()),
  operations: z.array(z.string()),
  resources: z.array(z.string()),
})
const PolicySchema = z.object({
  spec: z.object({
    failurePolicy: z.string(),
    matchConstraints: z.object({
      resourceRules: z.array(Rule),
      excludeResourceRules: z.array(Rule).default([]),
      namespaceSelector: z.looseObject({}).default({}),
      objectSelector: z.looseObject({}).default({}),
    }),
    matchConditions: z.array(Expression),
    variables: z.array(Expression.extend({ name: z.string() })),
    validations: z.array(Expression),
  }),
})
type Spec = z.infer<typeof PolicySchema>['spec']

const BindingSchema = z.object({
  spec: z.object({
    policyName: z.literal(NAME),
    validationActions: z.array(z.string()).refine((actions) => actions.includes('Deny')),
    matchResources: z.undefined().optional(),
    paramRef: z.undefined().optional(),
  }),
})

/** What an installation sets itself: where the operator runs, and which ConfigMaps its ClusterPolicy names. */
const OWN = new Set(['operator', 'migMaps', 'pluginMaps'])
const ACCOUNT = /(?<='system:serviceaccount:)[a-z0-9-]+(?=:septet-actor')/gu

/** By name, the parts that refuse something else than what is shipped. */
function differences(live: Spec, shipped: Spec): readonly string[] {
  const [one, other] = [live, shipped].map(({ matchConditions, variables, ...spec }) => ({
    ...spec,
    matchConditions: matchConditions.map(({ expression }) => expression.replace(ACCOUNT, '')),
    variables: variables.map((each) => (OWN.has(each.name) ? each.name : each)),
  }))
  return Object.entries(other ?? {})
    .filter(([part, value]) => JSON.stringify(value) !== JSON.stringify(Object(one)[part]))
    .map(([part]) => part)
}
