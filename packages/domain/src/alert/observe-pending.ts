import { agree, firstFew, plural } from '../words.ts'
import { partsOfSnapshot } from '../analyze/gpu-parts.ts'
import { waitCause } from '../cluster/wait-cause.ts'
import type { GpuRequest, Workload } from '../cluster/workload.ts'
import { tenantOf } from '../cost/tenant.ts'
import { parseProfileName, profileOfResource } from '../gpu/profile-name.ts'
import { compareText } from '../units.ts'
import { isFresh, NOTHING_SEEN, rounded, type AlertEvidence, type Observation, type Observed } from './observation.ts'

/**
 * Work that waits although as many slices as it asks for are free; a whole GPU counts as seven. One observation for each
 * cause: what a namespace waits for. However many of its workloads wait for the same thing, somebody is told once.
 */
export function observePending(evidence: AlertEvidence): Observed {
  const { picture } = evidence
  if (!isFresh(evidence) || picture === undefined) return NOTHING_SEEN
  const free = freeSlices(picture)
  const waiting = picture.workloads
    .filter(({ status }) => status === 'queued')
    .flatMap((workload) => waitingOf(evidence, workload) ?? [])
  const causes = [...Map.groupBy(waiting, ({ object }) => object).values()]
  return { observations: causes.flatMap((all) => causeObservation(evidence, all, free) ?? []), complete: true }
}

type Waiting = {
  readonly workload: Workload
  /** Slices. */
  readonly asked: number
  readonly minutes: number
  readonly tenant: string | undefined
  /** What is the same for all that wait for one cause. */
  readonly object: string
}

/** Undefined for what asks for no GPU. */
function waitingOf({ now, tenants }: AlertEvidence, workload: Workload): Waiting | undefined {
  const asked = askedSlices(workload.requests)
  if (asked === undefined) return undefined
  const { namespace } = workload
  const tenant = tenantOf(workload, tenants)
  // A namespace whose workloads belong to several tenants by their labels has a cause for each of them.
  const apart = tenant === tenantOf({ namespace }, tenants) ? '' : `/${tenant ?? ''}`
  const minutes = Math.max(0, now - workload.createdAt) / 60_000
  return { workload, asked, minutes, tenant, object: `waiting/${namespace}/${shapeOf(workload.requests)}${apart}` }
}

/** Named one by one up to here, then counted. */
const MOST_NAMED = 5

function causeObservation({ rules }: AlertEvidence, all: readonly Waiting[], free: number): Observation | undefined {
  const { threshold } = rules['pending-with-free']
  // Where too little is free, waiting is nobody's fault; it is over, though the work still waits.
  const due = all.filter(({ asked, minutes }) => free >= asked && minutes >= threshold)
  const told = (due.length > 0 ? due : all).toSorted(
    (a, b) => b.minutes - a.minutes || compareText(a.workload.id, b.workload.id),
  )
  const [longest] = told
  if (longest === undefined) return undefined
  const { workload, minutes, tenant, object } = longest
  return {
    kind: 'pending-with-free',
    object,
    namespace: workload.namespace,
    tenant,
    verdict: due.length > 0 ? 'breach' : 'clear',
    figure: { value: minutes, threshold, unit: 'minutes', coverage: undefined },
    title: `${workload.namespace} is waiting for ${shapeOf(workload.requests)} although enough is free`,
    message: `${whoWaits(told)}; ${rounded(free)} ${agree(free, 'slice is', 'slices are')} free in total. ${whyOf(workload)}`,
    advice: 'Open Workloads: each one that waits shows where it could run, and what would make room for it.',
  }
}

function whoWaits(told: readonly Waiting[]): string {
  const named = told.map(({ workload, asked, minutes }) => {
    const wants = `${requestText(workload.requests)}, ${rounded(asked)} ${agree(asked, 'slice')}`
    return `${workload.kind} ${workload.name} (${wants}) for ${waitText(minutes)}`
  })
  return `${plural(told.length, 'workload waits', 'workloads wait')}: ${firstFew(named, MOST_NAMED)}`
}

function whyOf({ waiting }: Workload): string {
  const cause = waiting === undefined ? '' : waitCause(waiting)
  const told = `Scheduler message for the longest wait: ${waiting?.message || waiting?.reason || 'none yet.'}`
  return cause === '' ? told : `${cause} ${told}`
}

const SLICES_OF_GPU = 7

function freeSlices(picture: NonNullable<AlertEvidence['picture']>): number {
  const parts = partsOfSnapshot(picture).filter(({ kind }) => kind === 'free')
  const share = parts.reduce((sum, part) => sum + part.share, 0)
  // Sevenths do not add up to whole numbers.
  return Math.round(share * SLICES_OF_GPU * 1e6) / 1e6
}

/** Undefined for what is no GPU, so that nothing is said about it. */
function askedSlices(requests: readonly GpuRequest[]): number | undefined {
  const asked = requests.map(({ resource, count }) => {
    if (resource === 'nvidia.com/gpu') return count * SLICES_OF_GPU
    const profile = profileOfResource(resource)
    const slices = profile === undefined ? undefined : parseProfileName(profile)?.computeSlices
    return slices === undefined ? undefined : count * slices
  })
  const known = asked.filter((slices) => slices !== undefined)
  return known.length === 0 || known.length < asked.length ? undefined : known.reduce((sum, each) => sum + each, 0)
}

/** Of what kind the devices are, however many: `mig-4g.40gb`, `gpu`. */
const shapeOf = (requests: readonly GpuRequest[]): string =>
  [...new Set(requests.map(({ resource }) => resource.replace(/^nvidia\.com\//u, '')))].toSorted(compareText).join('+')

const waitText = (minutes: number): string => (minutes < 120 ? `${rounded(minutes)} min` : `${rounded(minutes / 60)} h`)

const requestText = (requests: readonly GpuRequest[]): string =>
  requests.map(({ resource, count }) => `${count} × ${resource}`).join(', ')
