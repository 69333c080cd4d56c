/** An object of the Kubernetes API by its path: group and plural, as RBAC names them. */
export type ObjectRef = {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  /** Plural: `deployments`. */
  readonly resource: string
  /** Undefined for what belongs to no namespace. */
  readonly namespace: string | undefined
  readonly name: string
}

/** An object as the API server tells it. */
export type LiveObject = { readonly [key: string]: unknown }

/** One write. Each is harmless when it is sent again: it names what it expects to find. */
export type ClusterWrite =
  | {
      readonly verb: 'patch'
      readonly object: ObjectRef
      readonly type: 'merge' | 'json' | 'strategic'
      readonly subresource?: 'scale'
      readonly body: unknown
    }
  | { readonly verb: 'create'; readonly object: ObjectRef; readonly body: unknown }
  /** Through the eviction API. The pod of that name with another uid is left alone. */
  | { readonly verb: 'evict'; readonly object: ObjectRef; readonly uid: string }
  | { readonly verb: 'delete'; readonly object: ObjectRef; readonly uid: string }

export type WriteOutcome =
  | { readonly kind: 'done' }
  /** It would do harm now and may be tried again: a disruption budget, a lock, a conflict, a busy server. */
  | { readonly kind: 'later'; readonly because: string; readonly afterMs: number | undefined }
  | { readonly kind: 'refused'; readonly because: string; readonly status: number }

/** The actor's credentials do not let it look at something; the message is the API server's. */
export class AccessRefused extends Error {
  override readonly name = 'AccessRefused'
}

/**
 * Changes one cluster, as `septet`, with the actor's own credentials. Throws a `ConnectError` where no answer came: then
 * nobody knows whether it was done, and the cluster has to be looked at. `get` and `list` throw `AccessRefused` where that is so.
 */
export type ClusterWriter = {
  get(object: ObjectRef): Promise<LiveObject | undefined>
  list(
    objects: Omit<ObjectRef, 'name'>,
    query: { readonly labelSelector?: string; readonly fieldSelector?: string },
  ): Promise<readonly LiveObject[]>
  write(write: ClusterWrite, options: { readonly dryRun: boolean }): Promise<WriteOutcome>
  close(): Promise<void>
}
