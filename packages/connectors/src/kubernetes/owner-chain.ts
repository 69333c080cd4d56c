import type { Instant, OwnerLink } from '@septet/domain'
import { lookUp } from './look-up.ts'
import type { PodFacts } from './parse-pod.ts'
import type { ResourceName } from './resources.ts'
import type { OwnerReference } from './schemas.ts'

/** The topmost known owner of a pod. */
export type OwnerChain = {
  readonly kind: string
  readonly name: string
  /** The owners on the way up, from the pod's own to the topmost; empty for a bare pod. */
  readonly owners: readonly OwnerLink[]
  /** Of the pod and of every owner on the way up. */
  readonly uids: readonly string[]
  /** Of the topmost owner, where it was read. */
  readonly createdAt: Instant | undefined
  /** How the last step was made when the owner in between could not be read. */
  readonly rule: 'pod-template-hash' | 'cron-job-timestamp' | undefined
}

/** What was read of an owner. */
export type OwnerFacts = { readonly owner: OwnerReference | undefined; readonly createdAt: Instant }
/** What a look for an owner found. `gone`: the API server has it no more. */
export type FoundOwner = OwnerFacts | 'gone' | undefined

/** Kinds that may have an owner of their own, and the resource to ask. Others are the end of the chain. */
export function lookupResource({ apiVersion, kind }: OwnerReference): ResourceName | undefined {
  return lookUp(LOOKUPS, `${apiVersion}/${kind}`)
}

/** Follows owner references as far as they are known. `missing` is the owner that would have to be read to go on. */
export function followOwners(
  pod: PodFacts,
  known: {
    readonly owner: (uid: string) => FoundOwner
    readonly podByUid: (uid: string) => PodFacts | undefined
  },
): { readonly chain: OwnerChain; readonly missing: OwnerReference | undefined } {
  const uids = [pod.uid]
  const owners: OwnerLink[] = []
  let top: Omit<OwnerChain, 'uids' | 'rule' | 'owners'> = { kind: 'Pod', name: pod.name, createdAt: pod.createdAt }
  let next = pod.owner
  while (next !== undefined && next.kind !== 'Node' && uids.length <= LONGEST_CHAIN && !uids.includes(next.uid)) {
    const found = next.kind === 'Pod' ? asOwner(known.podByUid(next.uid)) : known.owner(next.uid)
    uids.push(next.uid)
    top = { kind: next.kind, name: next.name, createdAt: undefined }
    if (found === undefined || found === 'gone') {
      const canLook = found === undefined && lookupResource(next) !== undefined
      const told = byRule(next, pod)
      const links = [...owners, { ...top, byRule: false }, ...linkByRule(told)]
      return { chain: { ...top, ...told, owners: links, uids }, missing: canLook ? next : undefined }
    }
    top = { ...top, createdAt: found.createdAt }
    owners.push({ ...top, byRule: false })
    next = found.owner
  }
  return { chain: { ...top, owners, uids, rule: undefined }, missing: undefined }
}

const LONGEST_CHAIN = 6

const LOOKUPS: Readonly<Record<string, ResourceName>> = {
  'apps/v1/ReplicaSet': 'replicasets',
  'apps/v1/Deployment': 'deployments',
  'apps/v1/StatefulSet': 'statefulsets',
  'batch/v1/Job': 'jobs',
}

const asOwner = (pod: PodFacts | undefined): OwnerFacts | undefined =>
  pod === undefined ? undefined : { owner: pod.owner, createdAt: pod.createdAt }

const linkByRule = (told: Told): readonly OwnerLink[] =>
  told.kind === undefined ? [] : [{ kind: told.kind, name: told.name, createdAt: undefined, byRule: true }]

type Told =
  | { readonly kind: string; readonly name: string; readonly rule: NonNullable<OwnerChain['rule']> }
  | { readonly kind?: never; readonly rule: undefined }

/**
 * A Deployment names its ReplicaSets `<deployment>-<pod-template-hash>`, and repeats the hash as a label; a CronJob names
 * its Jobs `<cronjob>-<minutes since 1970>`. So the owner's name can be told without reading what lies between.
 */
function byRule(owner: OwnerReference, pod: PodFacts): Told {
  const ending = `-${pod.labels['pod-template-hash'] ?? ''}`
  if (owner.kind === 'ReplicaSet' && ending.length > 1 && owner.name.endsWith(ending)) {
    return { kind: 'Deployment', name: owner.name.slice(0, -ending.length), rule: 'pod-template-hash' }
  }
  const cronJob = owner.kind === 'Job' ? /^(.+)-\d{8}$/.exec(owner.name)?.[1] : undefined
  return cronJob === undefined ? { rule: undefined } : { kind: 'CronJob', name: cronJob, rule: 'cron-job-timestamp' }
}
