import { at, fieldsAt, isFields, isList, targetOf, textAt, type Step } from './recording.ts'

/** Whether Septet sends requests like that of a step, or why it never does. */
// oxlint-disable-next-line complexity -- one line for each thing that Septet never asks
export function unusedBecause({ request }: Step): string | undefined {
  if (request === undefined) return 'no request'
  const { method, headers, body } = request
  const { group, resource, name, subresource, query } = targetOf(request.path)
  const type = headers['content-type'] ?? ''
  const accept = headers['accept'] ?? 'application/json'
  const isPlain =
    accept === 'application/json' ||
    (METADATA.test(accept) && name !== '') ||
    (METADATA_LIST.test(accept) && name === '')
  if (!isPlain) return `accept ${accept}`
  if (Object.keys(headers).some((header) => header.startsWith('impersonate-'))) return 'impersonation'
  const strange = [...query.keys()].filter((key) => !QUERY.has(key))
  if (strange.length > 0) return `query ${strange.join(', ')}`
  if (method === 'GET' && resource === '') return DOCUMENTS.test(request.path) ? undefined : 'document'
  if (method === 'POST' && REVIEWS.has(resource)) return undefined
  if (!KINDS.has(group === '' ? resource : `${resource}.${group}`)) return `kind ${resource}`
  if (method === 'GET') {
    if (query.get('watch') !== null && (query.get('resourceVersion') ?? '') === '') return 'watch without a version'
    return subresource === '' ? undefined : `subresource ${subresource}`
  }
  if (method === 'POST') {
    if (subresource === 'eviction') return undefined
    return resource === 'leases' && name === '' ? undefined : `making of ${resource}`
  }
  if (method === 'PATCH') {
    if (!PATCHES.has(type)) return `patch ${type}`
    if (!WRITTEN.has(resource)) return `writing ${resource}`
    if (resource === 'pods' && at(body, 'spec') !== undefined) return 'spec of a pod'
    if (at(body, 'spec', 'providerID') !== undefined) return 'providerID'
    const metadata = Object.keys(fieldsAt(body, 'metadata'))
    const others = metadata.filter(
      (key) => !['labels', 'annotations', 'resourceVersion', 'uid', 'finalizers'].includes(key),
    )
    if (others.length > 0) return `metadata ${others.join(', ')}`
    const operations = isList(body) ? body.map((each) => textAt(each, 'op')) : []
    if (operations.some((each) => each === 'copy' || each === 'move')) return 'copy or move'
    return subresource === '' || subresource === 'scale' ? undefined : `subresource ${subresource}`
  }
  if (method !== 'DELETE' || name === '') return `${method} ${name === '' ? 'of a collection' : ''}`
  const options = isFields(body) ? Object.keys(body) : []
  const known = options.every((option) => ['apiVersion', 'kind', 'preconditions', 'dryRun'].includes(option))
  return known && textAt(at(body ?? null, 'preconditions'), 'uid') !== ''
    ? undefined
    : 'deletion without a uid, or with grace'
}

const METADATA = /^application\/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io(?:,application\/json)?$/u
const METADATA_LIST = /^application\/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io(?:,application\/json)?$/u
const QUERY = new Set([
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'watch',
  'resourceVersion',
  'allowWatchBookmarks',
  'timeoutSeconds',
  'dryRun',
  'fieldManager',
])
// A version that `/apis` does not list is not asked for.
const DOCUMENTS =
  /^\/(?:version|apis|api\/v1|apis\/(?:apps|batch|policy|coordination\.k8s\.io|resource\.k8s\.io)\/v1)$/u
const REVIEWS = new Set(['tokenreviews', 'selfsubjectaccessreviews'])
const PATCHES = new Set([
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
])
const WRITTEN = new Set(['nodes', 'pods', 'configmaps', 'deployments', 'statefulsets', 'jobs', 'leases', 'nodeclaims'])
const KINDS = new Set([
  'nodes',
  'pods',
  'configmaps',
  'events',
  'namespaces',
  'resourcequotas',
  'replicasets.apps',
  'deployments.apps',
  'statefulsets.apps',
  'jobs.batch',
  'resourceslices.resource.k8s.io',
  'resourceclaims.resource.k8s.io',
  'poddisruptionbudgets.policy',
  'priorityclasses.scheduling.k8s.io',
  'leases.coordination.k8s.io',
  'nodeclaims.karpenter.sh',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
])
