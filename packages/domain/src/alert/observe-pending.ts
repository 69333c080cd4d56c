import { WHOLE_GPU_RESOURCE } from '../gpu/whole-gpu.ts'
import { agree, firstFew, listed, plural } from '../words.ts'
import { partsOfSnapshot, type GpuPart } from '../analyze/gpu-parts.ts'
import { modelRules } from '../cluster/model-rules.ts'
import { nodeRefusal, type PodRules } from '../cluster/node-rules.ts'
import { waitCause } from '../cluster/wait-cause.ts'
import type { ClusterSnapshot } from '../cluster/inventory.ts'
import type { GpuRequest, Pod, Workload } from '../cluster/workload.ts'
import { tenantOf } from '../cost/tenant.ts'
import { profileOf } from '../gpu/board.ts'
import type { ProfileName } from '../gpu/geometry.ts'
import { boardFor } from '../gpu/known-boards.ts'
import { parseProfileName, profileOfResource } from '../gpu/profile-name.ts'
import { compareText } from '../units.ts'
import {
  isFreshObservation,
  NOTHING_SEEN,
  rounded,
  type AlertEvidence,
  type Observation,
  type Observed,
} from './observation.ts'

/**
 * Work that waits although as much as it asks for is free on GPUs that could give it: another cut or a move would help. One
 * observation for each cause: what a namespace waits for. However many of its workloads wait for the same thing, somebody is
 * told once.
 */
export function observePending(evidence: AlertEvidence): Observed {
  const { picture } = evidence
  if (!isFreshObservation(evidence) || picture === undefined) return NOTHING_SEEN
  const freeFor = freeIn(picture)
  const pods = new Map(picture.pods?.map((pod) => [pod.id, pod]))
  const waiting = picture.workloads
    .filter(({ status }) => status === 'queued')
    .flatMap((workload) => {
      const own = workload.pods.flatMap((id) => pods.get(id) ?? [])
      return waitingOf(evidence, workload, modelsAsked(own)) ?? []
    })
  const causes = [...Map.groupBy(waiting, ({ object }) => object).values()]
  return { observations: causes.flatMap((all) => causeObservation(evidence, all, freeFor) ?? []), complete: true }
}

type Waiting = {
  readonly workload: Workload
  readonly asks: readonly Ask[]
  readonly minutes: number
  readonly tenant: string | undefined
  /** What is the same for all that wait for one cause. */
  readonly object: string
}

/** What is asked for of one kind: GPUs, or slices of those that offer the profile. */
type Ask = { readonly profile: ProfileName | undefined; readonly amount: number; readonly models: Models }
/** Rules of which a GPU's node must meet one; empty: any model will do, or work without pods yet does not say. */
type Models = readonly PodRules[]

function modelsAsked(pods: readonly Pod[]): Models {
  const rules = pods.map(({ scheduling }) => modelRules(scheduling))
  const known = rules.flatMap((each) => each ?? [])
  return known.length < rules.length ? [] : [...new Map(known.map((each) => [JSON.stringify(each), each])).values()]
}

/** Undefined for what asks for no GPU. */
function waitingOf({ now, tenants }: AlertEvidence, workload: Workload, models: Models): Waiting | undefined {
  const asks = asksOf(workload.requests, models)
  if (asks === undefined) return undefined
  const { namespace } = workload
  const tenant = tenantOf(workload, tenants)
  // A namespace whose workloads belong to several tenants by their labels has a cause for each of them.
  const apart = tenant === tenantOf({ namespace }, tenants) ? '' : `/${tenant ?? ''}`
  const minutes = Math.max(0, now - workload.createdAt) / 60_000
  return { workload, asks, minutes, tenant, object: `waiting/${namespace}/${shapeOf(workload.requests)}${apart}` }
}

/** Named one by one up to here, then counted. */
const MOST_NAMED = 5

function causeObservation(
  { rules }: AlertEvidence,
  all: readonly Waiting[],
  freeFor: FreeFor,
): Observation | undefined {
  const { threshold } = rules['pending-with-free']
  // Where too little is free, waiting is nobody's fault; it is over, though the work still waits.
  const due = all.filter(
    ({ asks, minutes }) => minutes >= threshold && asks.every((ask) => freeFor(ask).amount >= ask.amount),
  )
  const told = (due.length > 0 ? due : all).toSorted(
    (a, b) => b.minutes - a.minutes || compareText(a.workload.id, b.workload.id),
  )
  const [longest] = told
  if (longest === undefined) return undefined
  const { workload, minutes, tenant, object } = longest
  const free = [...new Set(told.flatMap(({ asks }) => asks.map((ask) => freeText(freeFor(ask), ask))))]
  return {
    kind: 'pending-with-free',
    object,
    namespace: workload.namespace,
    tenant,
    verdict: due.length > 0 ? 'breach' : 'clear',
    figure: { value: minutes, threshold, unit: 'minutes', coverage: undefined },
    title: `${workload.namespace} is waiting for ${shapeOf(workload.requests)} although enough is free`,
    message: `${whoWaits(told)}; ${listed(free)}. ${whyOf(workload)}`,
    advice: 'Open Workloads: each one that waits shows where it could run, and what would make room for it.',
  }
}

function whoWaits(told: readonly Waiting[]): string {
  const named = told.map(({ workload, asks, minutes }) => {
    const slices = asks.reduce((sum, { profile, amount }) => (profile === undefined ? sum : sum + amount), 0)
    const wants = `${requestText(workload.requests)}${slices === 0 ? '' : `, ${plural(slices, 'slice')}`}`
    return `${workload.kind} ${workload.name} (${wants}) for ${waitText(minutes)}`
  })
  return `${plural(told.length, 'workload waits', 'workloads wait')}: ${firstFew(named, MOST_NAMED)}`
}

function whyOf({ waiting }: Workload): string {
  const cause = waiting === undefined ? '' : waitCause(waiting)
  const told = `Scheduler message for the longest wait: ${waiting?.message || waiting?.reason || 'none yet.'}`
  return cause === '' ? told : `${cause} ${told}`
}

type Free = {
  readonly amount: number
  /** Of which models, where only some are asked for. */
  readonly of: readonly string[]
}
type FreeFor = (ask: Pick<Ask, 'profile' | 'models'>) => Free

/** GPUs that nobody holds anything of, or free slices of GPUs that offer a profile, however they are cut now. */
function freeIn(picture: NonNullable<AlertEvidence['picture']>): FreeFor {
  const gpus = [...Map.groupBy(partsOfSnapshot(picture), ({ gpu }) => gpu).values()]
  const known = new Map<string, Free>()
  return ({ profile, models }) => {
    const key = JSON.stringify([profile, models])
    const found = known.get(key)
    if (found !== undefined) return found
    const asked = models.length === 0 ? gpus : ofModels(picture, gpus, models)
    const of = models.length === 0 ? [] : [...new Set(asked.flatMap(([part]) => part?.model ?? []))].toSorted()
    const free = { amount: profile === undefined ? wholeIn(asked) : slicesIn(asked, profile), of }
    known.set(key, free)
    return free
  }
}

type Parts = readonly GpuPart[]

function ofModels({ nodes }: Pick<ClusterSnapshot, 'nodes'>, gpus: readonly Parts[], models: Models): readonly Parts[] {
  const named = nodes.filter(({ room: { labels } }) =>
    models.some((rules) => nodeRefusal(rules, { labels, taints: [] }) === undefined),
  )
  const names = new Set(named.map(({ name }) => name))
  return gpus.filter(([part]) => part !== undefined && names.has(part.node))
}

const wholeIn = (gpus: readonly Parts[]): number =>
  gpus.filter((parts) => parts.every(({ kind }) => kind === 'free' || kind === 'stranded')).length

function slicesIn(gpus: readonly Parts[], profile: ProfileName): number {
  const free = gpus.flat().filter(({ kind }) => kind === 'free')
  const slices = free.reduce((sum, { model, share }) => {
    const board = boardFor(model)
    return board === undefined || profileOf(board, profile) === undefined ? sum : sum + share * board.computeSlices
  }, 0)
  // Sevenths do not add up to whole numbers.
  return Math.round(slices * 1e6) / 1e6
}

function freeText({ amount, of }: Free, { profile }: Ask): string {
  const model = of.length === 0 ? '' : `${of.join(' or ')} `
  return profile === undefined
    ? `${amount} whole ${model}${agree(amount, 'GPU is', 'GPUs are')} free`
    : `${rounded(amount)} ${agree(amount, 'slice is', 'slices are')} free on ${model}GPUs that offer ${profile}`
}

/** Undefined for what is no GPU, so that nothing is said about it. */
function asksOf(requests: readonly GpuRequest[], models: Models): readonly Ask[] | undefined {
  const asks = requests.flatMap(({ resource, count }): Ask[] => {
    if (resource === WHOLE_GPU_RESOURCE) return [{ profile: undefined, amount: count, models }]
    const profile = profileOfResource(resource)
    const slices = profile === undefined ? undefined : parseProfileName(profile)?.computeSlices
    return profile === undefined || slices === undefined ? [] : [{ profile, amount: count * slices, models }]
  })
  return asks.length === 0 || asks.length < requests.length ? undefined : asks
}

/** Of what kind the devices are, however many: `mig-4g.40gb`, `gpu`. */
const shapeOf = (requests: readonly GpuRequest[]): string =>
  [...new Set(requests.map(({ resource }) => resource.replace(/^nvidia\.com\//u, '')))].toSorted(compareText).join('+')

const waitText = (minutes: number): string => (minutes < 120 ? `${rounded(minutes)} min` : `${rounded(minutes / 60)} h`)

const requestText = (requests: readonly GpuRequest[]): string =>
  requests.map(({ resource, count }) => `${count} × ${resource}`).join(', ')
