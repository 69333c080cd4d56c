import type { Json, JsonObject } from './json.ts'
import { KUBE_KINDS, groupVersionsOf, type Kind } from './kinds.ts'

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']

// Answered by code, not kept as objects.
const REVIEWS: Readonly<Record<string, readonly [plural: string, kind: string][]>> = {
  'authentication.k8s.io/v1': [['tokenreviews', 'TokenReview']],
  'authorization.k8s.io/v1': [
    ['selfsubjectaccessreviews', 'SelfSubjectAccessReview'],
    ['selfsubjectrulesreviews', 'SelfSubjectRulesReview'],
  ],
}

const SERVED = [...new Set([...KUBE_KINDS.flatMap(groupVersionsOf), ...Object.keys(REVIEWS)])].filter(
  (name) => name !== 'v1',
)
const groupNameOf = (groupVersion: string): string => groupVersion.split('/')[0] ?? ''
const GROUPS = [...new Set(SERVED.map(groupNameOf))]

/** The discovery document at a path, or undefined when it is none. */
export function discoveryAt(path: string, address: string): JsonObject | undefined {
  if (path === '/api') {
    return {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
    }
  }
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: GROUPS.map(groupOf) }
  if (path === '/api/v1') return resourcesOf('v1')
  const match = /^\/apis\/([^/]+)(?:\/([^/]+))?$/.exec(path)
  if (match === null) return undefined
  const [, group = '', version] = match
  if (version !== undefined)
    return SERVED.includes(`${group}/${version}`) ? resourcesOf(`${group}/${version}`) : undefined
  return GROUPS.includes(group) ? { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) } : undefined
}

function groupOf(name: string): JsonObject {
  const versions = SERVED.filter((each) => groupNameOf(each) === name).map((groupVersion) => ({
    groupVersion,
    version: groupVersion.slice(name.length + 1),
  }))
  return { name, versions, ...(versions[0] === undefined ? {} : { preferredVersion: versions[0] }) }
}

function resourcesOf(groupVersion: string): JsonObject {
  const reviews = (REVIEWS[groupVersion] ?? []).map(([name, kind]) => ({
    name,
    singularName: kind.toLowerCase(),
    namespaced: false,
    kind,
    verbs: ['create'],
  }))
  const resources = KUBE_KINDS.filter((kind) => groupVersionsOf(kind).includes(groupVersion)).flatMap(resourceOf)
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [...resources, ...reviews] }
}

function resourceOf(kind: Kind): readonly Json[] {
  const main = {
    name: kind.plural,
    singularName: kind.kind.toLowerCase(),
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: VERBS,
    ...(kind.short.length === 0 ? {} : { shortNames: kind.short }),
    ...(kind.categories === undefined ? {} : { categories: kind.categories }),
  }
  return [main, ...kind.subresources.map((name) => subresourceOf(kind, name))]
}

function subresourceOf(kind: Kind, name: string): Json {
  const common = { name: `${kind.plural}/${name}`, singularName: '', namespaced: kind.namespaced }
  if (name === 'eviction') return { ...common, group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] }
  if (name === 'scale')
    return { ...common, group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] }
  return { ...common, kind: kind.kind, verbs: ['get', 'patch', 'update'] }
}

export const VERSION: JsonObject = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.13',
  gitCommit: '$Format:%H$',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.23.5',
  compiler: 'gc',
  platform: 'linux/amd64',
}

/**
 * OpenAPI, as far as kubectl asks: it looks up whether a kind's PATCH takes `fieldValidation` and `dryRun`,
 * and leaves the checking to the server when it does.
 */
export function openApiAt(path: string): JsonObject | undefined {
  if (path === '/openapi/v3') {
    const paths = ['v1', ...SERVED].map((groupVersion) => {
      const root = groupVersion === 'v1' ? 'api/v1' : `apis/${groupVersion}`
      return [root, { serverRelativeURL: `/openapi/v3/${root}?hash=demo` }] as const
    })
    return { paths: Object.fromEntries(paths) }
  }
  const match = /^\/openapi\/v3\/(api\/v1|apis\/([^/]+\/[^/]+))$/.exec(path)
  const groupVersion = match?.[2] ?? (match === null ? undefined : 'v1')
  if (groupVersion === undefined) return undefined
  const kinds = KUBE_KINDS.filter((kind) => groupVersionsOf(kind).includes(groupVersion))
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.32.13' },
    paths: Object.fromEntries(kinds.map((kind) => [`/${match?.[1]}/${pathOf(kind)}`, operationsOf(kind)])),
    components: { schemas: Object.fromEntries(kinds.map((kind) => [schemaName(kind), schemaOf(kind)])) },
  }
}

const pathOf = (kind: Kind): string => `${kind.namespaced ? 'namespaces/{namespace}/' : ''}${kind.plural}/{name}`
const schemaName = (kind: Kind): string =>
  `io.k8s.${kind.group === '' ? 'core' : kind.group}.${kind.version}.${kind.kind}`
const identity = ({ group, version, kind }: Kind): JsonObject => ({ group, version, kind })

function operationsOf(kind: Kind): JsonObject {
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
    name,
    in: 'query',
    schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
  }))
  return {
    patch: {
      operationId: `patch${kind.kind}`,
      parameters,
      responses: { 200: { description: 'OK' } },
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': identity(kind),
    },
  }
}

const schemaOf = (kind: Kind): JsonObject => ({
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: { type: 'object' },
    status: { type: 'object' },
  },
  'x-kubernetes-group-version-kind': [identity(kind)],
})
