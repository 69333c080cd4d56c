import type { Instant, OwnerLink } from '@septet/domain'
import { lookUp } from '../connect/look-up.ts'
import type { PodFacts } from './parse-pod.ts'
import type { ResourceName } from '../connect/resources.ts'
import type { OwnerReferenceSchema } from './schemas.ts'

/** The topmost known owner of a pod. */
export type OwnerChain = {
  readonly kind: string
  readonly name: string
  /** The owners on the way up, from the pod's own to the topmost; empty for a bare pod. */
  readonly owners: readonly OwnerLink[]
  /** Of every owner on the way up. */
  readonly uids: readonly string[]
  /** Of the topmost owner, where it was read. */
  readonly createdAt: Instant | undefined
  /** How the last step was made when the owner in between could not be read. */
  readonly rule: 'pod-template-hash' | 'cron-job-timestamp' | undefined
}

/** What was read of an owner. */
export type OwnerFacts = { readonly owner: OwnerReferenceSchema | undefined; readonly createdAt: Instant }
/** What a look for an owner found. `gone`: the API server has it no more. */
export type FoundOwner = OwnerFacts | 'gone' | undefined

/** Kinds that may have an owner of their own, and the resource to ask. Others are the end of the chain. */
export function lookupResource({ apiVersion, kind }: OwnerReferenceSchema): ResourceName | undefined {
  return lookUp(LOOKUPS, `${apiVersion}/${kind}`)
}

/** A chain, the owner that would have to be read to go on, and whether it is the same for every pod of its first owner. */
export type FollowedOwners = {
  readonly chain: OwnerChain
  readonly missing: OwnerReferenceSchema | undefined
  /** Then it stays so: what is known of an owner does not change, and neither the pod's labels nor other pods told it. */
  readonly isShared: boolean
}

/** Follows owner references as far as they are known. */
export function followOwners(
  pod: PodFacts,
  known: {
    readonly owner: (uid: string) => FoundOwner
    readonly podByUid: (uid: string) => PodFacts | undefined
  },
): FollowedOwners {
  const uids: string[] = []
  const owners: OwnerLink[] = []
  let top: Omit<OwnerChain, 'uids' | 'rule' | 'owners'> = { kind: 'Pod', name: pod.name, createdAt: pod.createdAt }
  let next = pod.owner
  const seen = (uid: string): boolean => uid === pod.uid || uids.includes(uid)
  while (next !== undefined && next.kind !== 'Node' && uids.length < LONGEST_CHAIN && !seen(next.uid)) {
    const found = next.kind === 'Pod' ? asOwner(known.podByUid(next.uid)) : known.owner(next.uid)
    uids.push(next.uid)
    top = { kind: next.kind, name: next.name, createdAt: undefined }
    if (found === undefined || found === 'gone') {
      const canLook = found === undefined && lookupResource(next) !== undefined
      const told = byRule(next, pod)
      const links = [...owners, { ...top, byRule: false }, ...linkByRule(told)]
      const chain = { ...top, ...told, owners: links, uids }
      return { chain, missing: canLook ? next : undefined, isShared: isSettled(links, next) }
    }
    top = { ...top, createdAt: found.createdAt }
    owners.push({ ...top, byRule: false })
    next = found.owner
  }
  return { chain: { ...top, owners, uids, rule: undefined }, missing: undefined, isShared: isOfOwners(owners) }
}

/** Nothing more will be known of it, and no label of a pod tells who stands above it. */
const isSettled = (owners: readonly OwnerLink[], last: OwnerReferenceSchema): boolean =>
  lookupResource(last) === undefined && last.kind !== 'ReplicaSet' && isOfOwners(owners)

/** Of a pod that owns another all is known only as long as it is there. */
const isOfOwners = (owners: readonly OwnerLink[]): boolean =>
  owners.length > 0 && owners.every(({ kind }) => kind !== 'Pod')

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
function byRule(owner: OwnerReferenceSchema, pod: PodFacts): Told {
  const ending = `-${pod.labels['pod-template-hash'] ?? ''}`
  if (owner.kind === 'ReplicaSet' && ending.length > 1 && owner.name.endsWith(ending)) {
    return { kind: 'Deployment', name: owner.name.slice(0, -ending.length), rule: 'pod-template-hash' }
  }
  const cronJob = owner.kind === 'Job' ? /^(.+)-\d{8}$/.exec(owner.name)?.[1] : undefined
  return cronJob === undefined ? { rule: undefined } : { kind: 'CronJob', name: cronJob, rule: 'cron-job-timestamp' }
}
