import {
  asRead,
  textAt,
  type ClusterWrite,
  type Instant,
  type LiveObject,
  type ObjectRef,
  type WriteOutcome,
} from '@septet/domain'

/** Whether this installation may act on the cluster, or who does. */
export type LeaseVerdict = { readonly kind: 'held' } | { readonly kind: 'others'; readonly holder: string }

/** What of a line to the cluster a Lease takes. */
type LeaseLine = {
  get(object: ObjectRef): Promise<LiveObject | undefined>
  write(write: ClusterWrite, options: { readonly dryRun: boolean }): Promise<WriteOutcome>
}

const NAME = 'septet-actor'
const SECONDS = 30

export type LeaseWish = {
  readonly namespace: string
  /** One for each installation, which is each database. */
  readonly holder: string
  readonly now: Instant
}

/**
 * Takes or renews the Lease by which two installations on one cluster stand back from one another. Anyone who is not
 * heard of for its time has lost it. Throws what the writer throws.
 */
export async function holdLease(writer: LeaseLine, wish: LeaseWish): Promise<LeaseVerdict> {
  const { namespace, holder, now } = wish
  const object: ObjectRef = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace, name: NAME }
  const found = await writer.get(object)
  const other = found === undefined ? undefined : heldByOther(found, { holder, now })
  if (other !== undefined) return { kind: 'others', holder: other }
  const spec = { holderIdentity: holder, leaseDurationSeconds: SECONDS, renewTime: microTime(now) }
  const outcome = await writer.write(
    found === undefined
      ? {
          verb: 'create',
          object,
          body: {
            apiVersion: 'coordination.k8s.io/v1',
            kind: 'Lease',
            metadata: { name: NAME, namespace },
            spec: { ...spec, acquireTime: microTime(now) },
          },
        }
      : {
          verb: 'patch',
          object,
          type: 'merge',
          // Of two who find it free at once, one is refused.
          body: { metadata: asRead(found), spec },
        },
    { dryRun: false },
  )
  if (outcome.kind === 'done') return { kind: 'held' }
  return { kind: 'others', holder: `unknown (${outcome.because})` }
}

function heldByOther(lease: LiveObject, { holder, now }: Pick<LeaseWish, 'holder' | 'now'>): string | undefined {
  const current = textAt(lease, 'spec', 'holderIdentity')
  if (current === '' || current === holder) return undefined
  const renewed = Date.parse(textAt(lease, 'spec', 'renewTime'))
  return now - renewed > SECONDS * 1000 ? undefined : current
}

const microTime = (now: Instant): string => new Date(now).toISOString().replace('Z', '000Z')
