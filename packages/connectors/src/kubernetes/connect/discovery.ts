import { z } from 'zod'
import { ApiError, NotKubernetesError } from './api-error.ts'
import type { ApiClient } from './api-client.ts'
import { groupPath, pluralOf, RESOURCE_NAMES, ruleOf, type ResourceName } from './resources.ts'

/** Resource → path of its group version, for what this API server has: `resourceslices` → `/apis/resource.k8s.io/v1`. */
export type KnownApis = ReadonlyMap<ResourceName, string>

/** Learns which of the resources we can read exist, and in which version. Throws when the server cannot be asked. */
export async function discover(client: ApiClient): Promise<KnownApis> {
  const list = GroupListSchema.safeParse(await client.get('/apis').catch(emptyIfForbidden))
  if (!list.success)
    throw new NotKubernetesError('The server answers, but lists no API groups as a Kubernetes API does')
  const served = new Map(list.data.groups.map(({ name, versions }) => [name, versions.map(({ version }) => version)]))
  const listed = new Map<string, ReadonlySet<string>>()
  const apis = new Map<ResourceName, string>()
  for (const name of RESOURCE_NAMES) {
    const { group, versions, discovered } = ruleOf(name)
    const candidates = discovered ? versions.filter((version) => served.get(group)?.includes(version)) : versions
    for (const path of candidates.map((version) => groupPath(group, version))) {
      if (apis.has(name)) break
      if (!discovered || (await resourcesOf(client, path, listed)).has(pluralOf(name))) apis.set(name, path)
    }
  }
  return apis
}

/** `v1.32.13`; empty when the server does not say. Throws when it cannot be asked. */
export async function readServerVersion(client: ApiClient, within?: number): Promise<string> {
  const body = await client.get('/version', within === undefined ? {} : { within }).catch((error: unknown) => {
    // A server may keep its version to itself; it answered all the same.
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  })
  if (body === undefined) return ''
  const version = VersionSchema.safeParse(body).data
  if (version !== undefined) return version.gitVersion
  throw new NotKubernetesError('The server answers, but gives no version as a Kubernetes API does')
}

const VersionSchema = z.object({ gitVersion: z.string() })
const GroupListSchema = z.object({
  groups: z.array(z.object({ name: z.string(), versions: z.array(z.object({ version: z.string() })).catch([]) })),
})
const ResourceListSchema = z.object({ resources: z.array(z.object({ name: z.string() })).catch([]) })

function emptyIfForbidden(error: unknown): unknown {
  if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return { groups: [] }
  throw error
}

async function resourcesOf(
  client: ApiClient,
  path: string,
  listed: Map<string, ReadonlySet<string>>,
): Promise<ReadonlySet<string>> {
  const before = listed.get(path)
  if (before !== undefined) return before
  const { resources } = ResourceListSchema.parse(await client.get(path).catch(emptyIfForbidden))
  const names = new Set(resources.map(({ name }) => name))
  listed.set(path, names)
  return names
}
