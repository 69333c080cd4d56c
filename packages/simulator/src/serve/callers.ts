import type { Access } from './kube/access.ts'
import { allows, type RbacRule } from './kube/rbac.ts'

/** Somebody with a token. */
export type KubeCaller = {
  /** As error messages name them. */
  readonly user: string
  may(access: Access): boolean
  /** What the caller is told of their own rights; undefined: nothing is kept from them. */
  rules(): readonly RbacRule[] | undefined
  /** Plurals of resources that are closed to the caller whatever the rules say. */
  readonly closed: ReadonlySet<string>
}

/** Who reads: may do everything but touch some resources. */
export function createReader(forbidden: readonly string[]): KubeCaller {
  const closed = new Set(forbidden)
  return {
    user: 'demo',
    closed,
    rules: () => undefined,
    may: ({ resource }) => !closed.has(resource.split('/')[0] ?? ''),
  }
}

export type KubeActor = KubeCaller & {
  /** Replaces the actor's rights from the next request on; undefined: everything is allowed. */
  grant(rules: readonly RbacRule[] | undefined): void
}

/** Who acts: may do everything, or what rules allow. */
export function createActor(first: readonly RbacRule[] | undefined): KubeActor {
  let rules = first
  return {
    // As whoever is signed in by the token of that account: what the shipped policy is about.
    user: 'system:serviceaccount:septet:septet-actor',
    closed: new Set(),
    rules: () => rules,
    may: (access) => rules === undefined || allows(rules, access),
    grant: (next) => {
      rules = next
    },
  }
}

/** Whoever brings no token. */
export const ANONYMOUS: KubeCaller = { ...createActor([]), user: 'system:anonymous' }
