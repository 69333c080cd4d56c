import { asError } from '@septet/domain/words'
import type { Instant } from '@septet/domain'
import { z } from 'zod'
import { ApiError } from '../connect/api-error.ts'
import type { ApiClient } from '../connect/api-client.ts'
import { listPages } from '../connect/list-pages.ts'
import {
  followOwners,
  lookupResource,
  type FollowedOwners,
  type OwnerChain,
  type OwnerFacts,
} from '../read/owner-chain.ts'
import { controllerOf, type PodFacts } from '../read/parse-pod.ts'
import { groupPath, ruleOf, type ResourceName } from '../connect/resources.ts'
import { Metadata, type OwnerReferenceSchema } from '../read/schemas.ts'

/** Finds the owners above the immediate ones, reading only those that GPU pods name. */
export type OwnerLookup = {
  readonly chainOf: (pod: PodFacts) => OwnerChain
  /** Reads the owners of these pods that are not known yet, level by level, and forgets those no longer named. */
  lookUp(pods: readonly PodFacts[]): Promise<void>
  /** Whether a resource that could not be read has rested long enough to be tried again. */
  isDue(): boolean
  /** Resources that cannot be read now, and why. */
  troubles(): ReadonlyMap<ResourceName, Error>
}

export type OwnerLookupOptions = {
  readonly client: ApiClient
  readonly clock: () => Instant
  readonly signal: AbortSignal
  /** A resource that could not be read is left alone for this long, milliseconds. */
  readonly retryAfter: number
  readonly onError: (error: unknown) => void
}

export function openOwnerLookup(options: OwnerLookupOptions): OwnerLookup {
  const state: State = { options, known: new Map(), chains: new Map(), pods: new Map(), troubles: new Map() }
  return {
    chainOf: (pod) => follow(state, pod).chain,
    async lookUp(pods) {
      state.pods = new Map(pods.map((pod) => [pod.uid, pod]))
      // Each round goes up one level; a chain is a few levels long.
      for (let level = 0; level < LEVELS; level += 1) {
        const wanted = missingOwners(state, pods)
        if (wanted.size === 0) break
        for (const [resource, owners] of wanted) await read(state, resource, owners)
      }
      forget(state, pods)
    },
    isDue: () => [...state.troubles.keys()].some((resource) => !isResting(state, resource)),
    troubles: () => new Map([...state.troubles].map(([resource, { error }]) => [resource, error])),
  }
}

type State = {
  readonly options: OwnerLookupOptions
  readonly known: Map<string, OwnerFacts | 'gone'>
  /** Chains that all pods of an owner share, by its uid: of 50,000 pods each notice follows thousands of owners only. */
  readonly chains: Map<string, OwnerChain>
  pods: ReadonlyMap<string, PodFacts>
  readonly troubles: Map<ResourceName, { readonly error: Error; readonly until: number }>
}

const LEVELS = 4
/** From so many on, one paged list of metadata is cheaper for the server than single reads. */
const LIST_FROM = 40
const AT_ONCE = 4
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

function follow({ known, chains, pods }: State, pod: PodFacts): Omit<FollowedOwners, 'isShared'> {
  const first = pod.owner?.uid ?? ''
  const shared = chains.get(first)
  if (shared !== undefined) return { chain: shared, missing: undefined }
  const found = followOwners(pod, { owner: (uid) => known.get(uid), podByUid: (uid) => pods.get(uid) })
  if (found.isShared) chains.set(first, found.chain)
  return found
}

type Wanted = { readonly reference: OwnerReferenceSchema; readonly namespace: string }

function missingOwners(state: State, pods: readonly PodFacts[]): Map<ResourceName, Map<string, Wanted>> {
  const wanted = new Map<ResourceName, Map<string, Wanted>>()
  for (const pod of pods) {
    const reference = follow(state, pod).missing
    const resource = reference === undefined ? undefined : lookupResource(reference)
    if (reference === undefined || resource === undefined || isResting(state, resource)) continue
    const owners = wanted.get(resource) ?? new Map<string, Wanted>()
    wanted.set(resource, owners.set(reference.uid, { reference, namespace: pod.namespace }))
  }
  return wanted
}

const isResting = ({ troubles, options }: State, resource: ResourceName): boolean =>
  (troubles.get(resource)?.until ?? 0) > options.clock()

async function read(state: State, resource: ResourceName, owners: ReadonlyMap<string, Wanted>): Promise<void> {
  try {
    if (owners.size >= LIST_FROM) await readByList(state, resource, owners)
    else await readOneByOne(state, resource, [...owners.values()])
    state.troubles.delete(resource)
  } catch (error) {
    if (state.options.signal.aborted) return
    const known = asError(error)
    const rest = error instanceof ApiError && error.status === 403 ? state.options.retryAfter : SHORT_REST
    state.troubles.set(resource, { error: known, until: state.options.clock() + rest })
    state.options.onError(error)
  }
}

const SHORT_REST = 10_000

async function readByList(state: State, resource: ResourceName, owners: ReadonlyMap<string, Wanted>): Promise<void> {
  const { group, versions } = ruleOf(resource)
  await listPages({
    client: state.options.client,
    path: `${groupPath(group, versions[0] ?? 'v1')}/${resource}`,
    query: {},
    accept: METADATA_LIST,
    signal: state.options.signal,
    onItem: (item) => {
      const found = ObjectSchema.safeParse(item)
      if (found.success && owners.has(found.data.metadata.uid)) remember(state, found.data.metadata)
    },
  })
  // What the list does not have is gone: its pods are about to go too, and the rules name it until then.
  for (const uid of owners.keys()) if (!state.known.has(uid)) state.known.set(uid, 'gone')
}

async function readOneByOne(state: State, resource: ResourceName, owners: readonly Wanted[]): Promise<void> {
  const { group, versions } = ruleOf(resource)
  const queue = [...owners]
  const worker = async (): Promise<void> => {
    for (let wanted = queue.pop(); wanted !== undefined; wanted = queue.pop()) {
      const { namespace, reference } = wanted
      const path = `${groupPath(group, versions[0] ?? 'v1')}/namespaces/${namespace}/${resource}/${reference.name}`
      const body = await getUnlessGone(state, path)
      const found = ObjectSchema.safeParse(body)
      if (found.success) remember(state, { ...found.data.metadata, uid: reference.uid })
      else state.known.set(reference.uid, 'gone')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const ObjectSchema = z.object({ metadata: Metadata })

async function getUnlessGone({ options }: State, path: string): Promise<unknown> {
  try {
    return await options.client.get(path, { accept: METADATA, signal: options.signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

function remember({ known }: State, metadata: Metadata): void {
  known.set(metadata.uid, { owner: controllerOf(metadata.ownerReferences), createdAt: metadata.creationTimestamp })
}

function forget(state: State, pods: readonly PodFacts[]): void {
  if (Math.max(state.known.size, state.chains.size) < 2 * pods.length + 1000) return
  const named = new Set(pods.flatMap((pod) => follow(state, pod).chain.uids))
  for (const kept of [state.known, state.chains]) {
    for (const uid of kept.keys()) if (!named.has(uid)) kept.delete(uid)
  }
}
