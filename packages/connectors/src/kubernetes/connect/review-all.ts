import type { ConnectionItem, ConnectionStep } from '@septet/domain'
import { z } from 'zod'
import type { ApiClient } from './api-client.ts'
import { reviewPermissions, type CheckedPermission } from './check-permissions.ts'
import { toContactFailure } from './connection.ts'
import type { KnownApis } from './discovery.ts'
import { rbacManifest } from './rbac-manifest.ts'

type ReviewOptions = {
  readonly operatorNamespace: string
  readonly signal: AbortSignal
  readonly tell: (step: ConnectionStep) => void
}

/** Looks at every permission that the reader uses, and tells which are missing and what would give them. Never throws. */
export async function reviewAll(
  client: ApiClient,
  apis: KnownApis,
  { tell, operatorNamespace, signal }: ReviewOptions,
): Promise<void> {
  const checked: CheckedPermission[] = []
  try {
    for await (const permission of reviewPermissions(client, apis, { operatorNamespace })) {
      if (signal.aborted) return
      checked.push(permission)
      const said = `${checked.length} checked, ${missingOf(checked).length} missing.`
      tell({ id: 'permissions', state: 'running', said, items: itemsOf(checked) })
    }
    tell(await permissionStep(client, checked))
  } catch (error) {
    const said = `Not all could be checked: ${toContactFailure(error).message}`
    tell({ id: 'permissions', state: 'failed', said, items: itemsOf(checked), todo: 'Test again.' })
  }
}

const missingOf = (checked: readonly CheckedPermission[]): readonly CheckedPermission[] =>
  checked.filter(({ allowed }) => !allowed)

async function permissionStep(client: ApiClient, checked: readonly CheckedPermission[]): Promise<ConnectionStep> {
  const missing = missingOf(checked)
  const items = itemsOf(checked)
  const id = 'permissions'
  if (missing.length === 0) return { id, state: 'passed', said: `All ${checked.length} are granted.`, items }
  const named = [...new Set(missing.map((each) => `${each.verb} ${fullName(each)}`))].join(', ')
  const blocks = missing.some(({ resource }) => resource === 'nodes')
  return {
    id,
    state: blocks ? 'failed' : 'noticed',
    said: `Missing: ${named}.`,
    works: blocks
      ? 'Nothing can be shown of a cluster whose nodes may not be read.'
      : 'Everything else; each line below says what is lost.',
    todo: 'Apply this to the cluster, then test again.',
    items,
    manifest: rbacManifest(missing, await identityOf(client)),
  }
}

const fullName = ({ group, resource }: CheckedPermission): string => (group === '' ? resource : `${resource}.${group}`)

/** One line per resource: which of its verbs are given, which are not, and what is lost. */
function itemsOf(checked: readonly CheckedPermission[]): readonly ConnectionItem[] {
  return [...Map.groupBy(checked, fullName)].map(([name, some]) => {
    const missing = missingOf(some)
    const where = some[0]?.namespace === undefined ? '' : ` in ${some[0].namespace}`
    const lost = missing[0]?.without ?? ''
    const verbs = missing.map(({ verb }) => verb).join(', ')
    return {
      name: `${name}${where}`,
      state: missing.length === 0 ? 'passed' : 'failed',
      said: missing.length === 0 ? some.map(({ verb }) => verb).join(', ') : `${verbs} missing: ${lost}`,
    }
  })
}

const IdentitySchema = z.object({ status: z.object({ userInfo: z.object({ username: z.string().min(1) }) }) })

/** Kubernetes tells it from 1.28 on. */
async function identityOf(client: ApiClient): Promise<string | undefined> {
  const answer = await client
    .post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    })
    .catch(() => undefined)
  return IdentitySchema.safeParse(answer).data?.status.userInfo.username
}
