import { DAY_MS, HOUR_MS, WHOLE_GPU_RESOURCE } from '@septet/domain'
import { makeActivity, type Activity } from './activity.ts'
import { draw, drawBetween, mix, pick, suffix } from './hash.ts'
import { PINNED } from './stage.ts'
import { tenantFor, workName, type WorkKind } from './tenants.ts'

/** Work that asks for what the cluster does not have free; its owner gives up at `end` if nothing changed. */
export type QueuedWork = {
  readonly seed: number
  readonly createdAt: number
  readonly end: number
  readonly namespace: string
  readonly name: string
  readonly role: WorkKind
  readonly resource: string
  readonly count: number
  /** Node labels that it insists on. */
  readonly selector: Readonly<Record<string, string>> | undefined
  readonly activity: Activity
}

const ASKS = [
  { role: 'training', resource: 'nvidia.com/mig-4g.40gb', count: 1, product: undefined },
  { role: 'inference', resource: 'nvidia.com/mig-3g.40gb', count: 1, product: undefined },
  { role: 'training', resource: WHOLE_GPU_RESOURCE, count: 8, product: 'NVIDIA-H200' },
  { role: 'inference', resource: 'nvidia.com/mig-3g.40gb', count: 1, product: undefined },
  { role: 'inference', resource: 'nvidia.com/mig-7g.80gb', count: 1, product: undefined },
  { role: 'training', resource: 'nvidia.com/mig-4g.40gb', count: 1, product: undefined },
  { role: 'analytics', resource: 'nvidia.com/mig-4g.71gb', count: 1, product: undefined },
] as const satisfies readonly { role: WorkKind; resource: string; count: number; product: string | undefined }[]

const EPOCH = DAY_MS

/** Lanes of waiting work: each has one item waiting most of the time. */
export const laneCount = (nodes: number): number => Math.round(nodes / 2) + 2

/** The items of one lane that wait at some time inside the window. */
export function queuedIn(
  lane: { seed: number; index: number; tenants: number },
  window: { from: number; to: number },
): readonly QueuedWork[] {
  const own = mix(lane.seed, 90_000 + lane.index)
  const phase = Math.floor(draw(own, 1) * EPOCH)
  const found: QueuedWork[] = []
  const last = Math.floor((window.to - phase) / EPOCH)
  for (let epoch = Math.floor((window.from - phase) / EPOCH); epoch <= last; epoch++) {
    const seed = mix(own, epoch)
    const createdAt = Math.floor((epoch * EPOCH + phase + draw(seed, 2) * 3 * HOUR_MS) / 1000) * 1000
    const end = epoch * EPOCH + phase + EPOCH - Math.floor(drawBetween(seed, 3, [1, 60])) * 60_000
    if (createdAt >= window.to || end <= window.from) continue
    const { product, ...ask } = pick(ASKS, ((lane.index * 0.145) % 1) * 0.999)
    const selector = product === undefined ? undefined : { 'nvidia.com/gpu.product': product }
    found.push(makeWork(seed, { createdAt, end, namespace: tenantFor(seed, lane.tenants), ...ask, selector }))
  }
  return found
}

/** Work that waits for a place which is full at all times; when one gives up, the next has come already. */
export function pinnedIn(seed: number, window: { from: number; to: number }): readonly QueuedWork[] {
  return PINNED.flatMap(({ role, namespace, selector }, index) => {
    const own = mix(seed, 95_000 + index)
    const phase = Math.floor((draw(own, 1) * EPOCH) / 1000) * 1000
    const first = Math.floor((window.from - phase - HOUR_MS) / EPOCH)
    const last = Math.floor((window.to - phase) / EPOCH)
    return Array.from({ length: last - first + 1 }, (_, step): QueuedWork => {
      const createdAt = (first + step) * EPOCH + phase
      const asked = { createdAt, end: createdAt + EPOCH + HOUR_MS, namespace, role, selector }
      return makeWork(mix(own, first + step), { ...asked, resource: WHOLE_GPU_RESOURCE, count: 1 })
    }).filter(({ createdAt, end }) => createdAt < window.to && end > window.from)
  })
}

const makeWork = (seed: number, of: Omit<QueuedWork, 'seed' | 'name' | 'activity'>): QueuedWork => ({
  ...of,
  seed,
  name: `${workName(of.role, seed)}-${suffix(seed, 5)}`,
  activity: makeActivity({ seed: mix(seed, 9), role: of.role, start: of.createdAt, large: false }),
})
