import { instantOf } from '../../analyze/time-range.ts'
import type { Action } from '../../plan/words/action.ts'
import { instant, type Instant } from '../../units.ts'
import type { LiveObject, ObjectRef } from '../cluster-writer.ts'
import { listAt, textAt } from '../live-object.ts'
import { done, seeing, waiting, type Ruled, type Deciding, type StepAsk, type StepContext } from './decision.ts'

type InstanceAction = Extract<Action, { readonly kind: 'create-instance' | 'delete-instance' }>

const DRA = { group: 'resource.k8s.io', version: 'v1' }
const DRIVER = 'gpu.nvidia.com'
const CLASS = 'mig.nvidia.com'

/**
 * Whether an instance is as a plan wants it on a node that a DRA driver serves, by what the API says: a ResourceSlice lists the
 * GPU, the device class is there, and a claim has been given such an instance on it, or none has any more. Nothing is written.
 * A scheduler puts a claim wherever its profile fits, so another place on the same GPU is as good.
 */
export function* decideInstance(
  { kind, gpu, instance: { profile, placement } }: InstanceAction,
  { plannedAt = instant(0) }: Pick<StepContext, 'plannedAt'>,
): Deciding {
  const device = yield* deviceOf(gpu)
  if (device === undefined) return looking(`No ResourceSlice of ${DRIVER} lists GPU ${gpu}.`)
  const held = yield* heldInstances(device, profile)
  if (kind === 'delete-instance') {
    const still = held.find(({ start }) => start === placement.start)
    return still === undefined
      ? done(`No claim holds ${profile} at memory slice ${placement.start} of GPU ${gpu}.`)
      : looking(`${still.claim} still holds ${profile} at memory slice ${placement.start} of GPU ${gpu}.`)
  }
  const deviceClass: ObjectRef = { ...DRA, resource: 'deviceclasses', namespace: undefined, name: CLASS }
  if ((yield* seeing(deviceClass)) === undefined) return looking(`The cluster has no DeviceClass ${CLASS}.`)
  const found = held.find(({ start }) => start === placement.start) ?? held.find(({ madeAt }) => madeAt >= plannedAt)
  return found === undefined
    ? looking(`No claim has been given ${profile} on GPU ${gpu}.`)
    : done(`${found.claim} holds ${profile} at memory slice ${found.start} of GPU ${gpu}.`)
}

const looking = (because: string) => waiting(because, Infinity)

type Device = { readonly pool: string; readonly name: string }

function* deviceOf(gpu: string): Generator<StepAsk, Device | undefined, Ruled> {
  const slices = yield { kind: 'objects', objects: { ...DRA, resource: 'resourceslices', namespace: undefined } }
  for (const slice of slices.filter((each) => textAt(each, 'spec', 'driver') === DRIVER)) {
    const found = listAt(slice, 'spec', 'devices').find(
      (device) => (textAt(device, 'attributes', 'uuid', 'string') || qualified(device)) === gpu,
    )
    if (found !== undefined) return { pool: textAt(slice, 'spec', 'pool', 'name'), name: textAt(found, 'name') }
  }
  return undefined
}

const qualified = (device: unknown): string => textAt(device, 'attributes', `${DRIVER}/uuid`, 'string')

type Held = { readonly claim: string; readonly start: number; readonly madeAt: Instant }

/** By the names of the devices: `gpu-<minor>-mig-<profile without dots>-<profile id>-<start>`. */
function* heldInstances(device: Device, profile: string): Generator<StepAsk, readonly Held[], Ruled> {
  const claims = yield { kind: 'objects', objects: { ...DRA, resource: 'resourceclaims', namespace: undefined } }
  const prefix = `${device.name}-mig-${profile.replaceAll('.', '').replace('+', '-')}-`
  return claims.flatMap((claim) =>
    startsIn(claim, device.pool, prefix).map((start) => ({
      claim: `${textAt(claim, 'metadata', 'namespace')}/${textAt(claim, 'metadata', 'name')}`,
      start,
      madeAt: instantOf(textAt(claim, 'metadata', 'creationTimestamp')) ?? instant(0),
    })),
  )
}

/** A claim may be given several. */
function startsIn(claim: LiveObject, pool: string, prefix: string): readonly number[] {
  return listAt(claim, 'status', 'allocation', 'devices', 'results').flatMap((result) => {
    const isOurs = textAt(result, 'driver') === DRIVER && textAt(result, 'pool') === pool
    const name = isOurs ? textAt(result, 'device') : ''
    const start = name.startsWith(prefix) ? /^\d+-(\d+)$/u.exec(name.slice(prefix.length))?.[1] : undefined
    return start === undefined ? [] : Number(start)
  })
}
