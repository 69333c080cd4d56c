import {
  AccessRefused,
  evictionOf,
  type ClusterWrite,
  type ClusterWriter,
  type ObjectRef,
  type WriteOutcome,
} from '@septet/domain'
import { z } from 'zod'

import { openWriteClient, type ApiQuery, type WriteCall } from '../connect/api-client.ts'
import { ApiError } from '../connect/api-error.ts'
import { loadCredentials, type ClusterAddress } from '../connect/credentials.ts'
import { groupPath } from '../connect/resources.ts'
import { DEFAULT_TIMING, type ReaderTiming } from '../connect/timing.ts'

/** Under which name the API server keeps what Septet has written. */
const FIELD_MANAGER = 'septet'

export type ClusterWriterOptions = {
  /** The actor's own credentials: never those that the reader uses. */
  readonly kubeconfig: ClusterAddress
  readonly timing?: Partial<ReaderTiming>
}

/** Changes one cluster over the Kubernetes API. Throws a `ConnectError` when the credentials cannot be used. */
export function openClusterWriter({ kubeconfig, timing }: ClusterWriterOptions): ClusterWriter {
  const client = openWriteClient({
    load: () => loadCredentials(kubeconfig),
    // Anyone who waits for a write holds the right to act meanwhile. An API server takes 10 s to refuse an eviction that means
    // another pod of that name while it is Pending or leaves: cut off before, nobody would know what became of it.
    timing: { ...DEFAULT_TIMING, response: 15_000, ...timing },
    heard: () => undefined,
  })
  return {
    async get(object) {
      try {
        return ObjectSchema.parse(await client.get(pathOf(object)))
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined
        throw lookFailure(error)
      }
    },
    async list(objects, query) {
      const path = pathOf({ ...objects, name: '' }).replace(/\/$/u, '')
      try {
        return ListSchema.parse(await client.get(path, query)).items
      } catch (error) {
        // A cluster without that kind has none of it.
        if (error instanceof ApiError && error.status === 404) return []
        throw lookFailure(error)
      }
    },
    async write(write, { dryRun }) {
      try {
        const query = { fieldManager: FIELD_MANAGER, ...(dryRun ? { dryRun: 'All' } : {}) }
        await client.send(callOf(write, query))
        return { kind: 'done' }
      } catch (error) {
        if (error instanceof ApiError) return outcomeOf(write, error)
        throw error
      }
    },
    close: async () => client.close(),
  }
}

const lookFailure = (error: unknown): unknown =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)
    ? new AccessRefused(error.message, { cause: error })
    : error

const ObjectSchema = z.looseObject({})
const ListSchema = z.looseObject({ items: z.array(ObjectSchema) })

/** `/apis/apps/v1/namespaces/ml/deployments/vllm` */
const pathOf = ({ group, version, resource, namespace, name }: ObjectRef): string =>
  [
    groupPath(group, version),
    ...(namespace === undefined ? [] : ['namespaces', encodeURIComponent(namespace)]),
    resource,
    encodeURIComponent(name),
  ].join('/')

const PATCHES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

function callOf(write: ClusterWrite, query: ApiQuery): WriteCall {
  const path = pathOf(write.object)
  const json = { contentType: 'application/json' }
  if (write.verb === 'patch') {
    const subresource = write.subresource === undefined ? '' : `/${write.subresource}`
    const contentType = PATCHES[write.type]
    return { method: 'PATCH', path: `${path}${subresource}`, query, body: write.body, contentType }
  }
  if (write.verb === 'create') {
    return { ...json, method: 'POST', path: path.slice(0, path.lastIndexOf('/')), query, body: write.body }
  }
  if (write.verb === 'evict') {
    const { namespace = '', name } = write.object
    const body = evictionOf(`${namespace}/${name}`, write.uid)
    return { ...json, method: 'POST', path: `${path}/eviction`, query, body }
  }
  // A deletion takes no field manager. As soon as it has a body, an API server takes every option from there and none from
  // the query: with `dryRun` in the query alone this would delete.
  const { fieldManager: _none, ...deletion } = query
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { uid: write.uid },
    ...(query['dryRun'] === undefined ? {} : { dryRun: [query['dryRun']] }),
  }
  return { ...json, method: 'DELETE', path, query: deletion, body }
}

/** What is gone need not go; what the server cannot do now may be tried again; all else is a no. */
function outcomeOf(write: ClusterWrite, { status, message, retryAfter }: ApiError): WriteOutcome {
  const goes = write.verb === 'evict' || write.verb === 'delete'
  if (status === 404 && goes) return { kind: 'done' }

  const passes = status === 409 || status === 429 || status >= 500 || (status === 422 && isTest(write, message))
  return passes
    ? { kind: 'later', because: message, afterMs: retryAfter }
    : { kind: 'refused', because: message, status }
}

/**
 * A JSON patch that tests what it expects fails when that has changed: it has to be looked at again. The server has one text for
 * all of these; a policy or a validation that says no has others.
 */
const isTest = (write: ClusterWrite, message: string): boolean =>
  write.verb === 'patch' && write.type === 'json' && message.includes('the server rejected our request')
