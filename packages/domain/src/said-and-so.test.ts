import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALERT_KINDS } from './alert/alert.ts'
import type { Observation } from './alert/observation.ts'
import { observe } from './alert/observe.ts'
import { partsOfSnapshot, type GpuPart } from './analyze/gpu-parts.ts'
import { QUALITY_REASONS } from './analyze/sample.ts'
import type { UsageRow } from './analyze/usage.ts'
import { DRAWN_AT } from './cluster/draw.fixture.ts'
import type { GpuNode } from './cluster/node.ts'
import { faultyGpu, unsoundNode } from './cluster/soundness.ts'
import type { GpuRequest, Pod, Workload } from './cluster/workload.ts'
import type { Finding } from './cost/finding.ts'
import { boardFor } from './gpu/known-boards.ts'
import { profileOf, sliceShare } from './gpu/board.ts'
import { resourceOf } from './fleet/gpu-state.ts'
import { memoryOfDevice } from './plan/recommend/memory-of-device.ts'
import type { Recommendation } from './plan/recommend/recommendation.ts'
import type { UnansweredHolder } from './plan/recommend/unanswered.ts'
import type { Action, GpuChange, PlanStep } from './plan/words/action.ts'
import { compareText, HOUR_MS } from './units.ts'
import { type WatchedFleet, watchedFleets } from './watched-fleet.fixture.ts'

/** A form that a sentence may take, and what must be so of its object where it does. */
type Claim<About> = readonly [
  form: RegExp,
  holds: (words: readonly string[], about: About, fleet: WatchedFleet) => void,
]

const always = (): void => undefined

/** Figures as they stand in sentences, `$1,000.00` and `0.43` among them. */
const figure = (word = ''): number => Number(word.replaceAll(/[$,]/gu, ''))
const equals = (word: string | undefined, is: number | string | undefined): void =>
  expect(figure(word)).toBe(Number(is))

// What is so, told from the drawn rows and the snapshot alone.

const heldRows = ({ rows }: WatchedFleet, workload: string): readonly UsageRow[] =>
  rows.filter((row) => row.kind === 'held' && row.workload === workload)
const thresholdOf = ({ sources }: WatchedFleet): number => sources.policy?.analysis.idle.threshold ?? 0.05
const isBusy = (row: UsageRow, fleet: WatchedFleet): boolean =>
  row.measured > 0 && ((row.busyPeak ?? 0) > 0.5 || (row.busy ?? 0) > thresholdOf(fleet))
const least = (rows: readonly UsageRow[], of: (row: UsageRow) => number): number =>
  rows.reduce((low, row) => (row.present === 0 ? low : Math.min(low, of(row))), Infinity)
const total = <Each>(all: readonly Each[], of: (each: Each) => number): number =>
  all.reduce((sum, each) => sum + of(each), 0)
const gpuHours = (rows: readonly UsageRow[]): number => total(rows, (row) => (row.share * row.present) / 3600)
const hoursFrom = (rows: readonly UsageRow[]): ReadonlyArray<readonly [at: number, rows: readonly UsageRow[]]> =>
  [...Map.groupBy(rows, ({ at }) => at)].toSorted(([a], [b]) => b - a)
const quietHours = (rows: readonly UsageRow[], fleet: WatchedFleet): number =>
  rows.some((row) => isBusy(row, fleet)) ? 0 : there(rows) * least(rows, ({ measured, present }) => measured / present)
/** Pods side by side are there at the same time. */
const there = (rows: readonly UsageRow[]): number => Math.max(...rows.map(({ present }) => present)) / 3600

/** Hours up to now, one after the other, in which every pod was there, measured and not busy. */
function quietUpToNow(fleet: WatchedFleet, workload: string): number {
  let hours = 0
  let next: number = DRAWN_AT
  for (const [at, rows] of hoursFrom(heldRows(fleet, workload))) {
    const isFirst = hours === 0 && next - at <= 2 * HOUR_MS
    if ((at !== next - HOUR_MS && !isFirst) || rows.some((row) => isBusy(row, fleet) || row.measured === 0)) break
    hours += quietHours(rows, fleet)
    next = at
  }
  return hours
}

const workloadOf = ({ snapshot }: WatchedFleet, object: string): Workload => {
  const found = snapshot.workloads.find(({ id }) => `workload/${id}` === object || id === object)
  if (found === undefined) throw new Error(`no workload ${object}`)
  return found
}
const nodeOf = ({ snapshot }: WatchedFleet, name = ''): GpuNode => {
  const found = snapshot.nodes.find((node) => node.name === name)
  if (found === undefined) throw new Error(`no node ${name}`)
  return found
}
const shortName = ({ namespace, name }: Workload): string => `${namespace}/${name}`
const podsOf = ({ snapshot }: WatchedFleet, workload: Workload): readonly Pod[] =>
  snapshot.pods.filter((pod) => pod.workload === workload.id)
const partsOf = ({ snapshot }: WatchedFleet, workload: Workload) =>
  partsOfSnapshot(snapshot).filter((part) => part.kind === 'held' && part.workload === workload.id)

/** Devices that nobody holds, by what pods ask for, of ready nodes. */
function freeDevices(
  { snapshot: { nodes, allocations } }: WatchedFleet,
  resource: string,
  where: (node: GpuNode) => boolean = () => true,
): number {
  const held = new Set<string>(allocations.map(({ partition }) => partition))
  return total(nodes, (node) =>
    node.ready && node.schedulable && where(node)
      ? total(node.gpus, ({ partitions, fault }) =>
          fault === undefined
            ? partitions.filter((each) => !held.has(each.id) && resourceOf(node, each) === resource).length
            : 0,
        )
      : 0,
  )
}

type Free = { readonly fleet: WatchedFleet; readonly resource: string; readonly model: string | undefined }

/** Devices of its GPU model that no other recommendation counts on or is about to change; 0 where any of them may. */
function freeFor(about: object, { fleet, resource, model }: Free): number {
  const others = fleet.advice.recommendations.filter((each) => each !== about)
  const areTaken = others.some(({ kind }) => kind === 'right-size' || kind === 'repartition' || kind === 'remove-node')
  return areTaken ? 0 : freeDevices(fleet, resource, (node) => node.model === model)
}

const isNamed = (name: string | undefined, about: Recommendation, fleet: WatchedFleet): void =>
  expect(name).toBe(shortName(workloadOf(fleet, about.object)))
const says = (about: Recommendation, name: string): number | string | undefined => about.evidence.figures[name]
const actions = ({ plan }: Recommendation) => plan.steps.map(({ action }) => action)
const waitingIn = ({ snapshot }: WatchedFleet): readonly Pod[] => snapshot.pods.filter(({ node }) => node === undefined)

const RECLAIM: readonly Claim<Recommendation>[] = [
  [
    /^Scale (\S+) to 0 until it is needed$/u,
    ([, name], about, fleet) => {
      isNamed(name, about, fleet)
      expect(actions(about)).toMatchObject([{ kind: 'scale', to: 0 }])
    },
  ],
  [
    /^Stop (\S+) while idle$/u,
    ([, name], about, fleet) => {
      isNamed(name, about, fleet)
      expect(actions(about)).toMatchObject([{ kind: 'scale', to: 0 }])
    },
  ],
  [
    /^Ask the owner of (\S+) to end it$/u,
    ([, name], about, fleet) => {
      isNamed(name, about, fleet)
      expect(about.plan.steps).toEqual([])
      expect(about.plan.refused).toHaveLength(1)
    },
  ],
  [
    /^It holds ([\d.]+) GPUs? and has been idle for (\d+) h in a row\.$/u,
    ([, gpus, hours], about, fleet) => {
      const workload = workloadOf(fleet, about.object)
      expect(figure(gpus)).toBeCloseTo(
        total(partsOf(fleet, workload), ({ share }) => share),
        2,
      )
      equals(gpus, says(about, 'GPUs held'))
      equals(hours, says(about, 'idle in a row, h'))
      expect(figure(hours)).toBeLessThanOrEqual(quietUpToNow(fleet, workload.id) + 1e-9)
    },
  ],
  [
    /^It holds ([\d.]+) GPUs? and was idle for (\d+) of (\d+) h(, with work in between)?(?:; (\d+) h were not fully measured)?\.$/u,
    ([, gpus, idle, held, work, unmeasured], about, fleet) => {
      const workload = workloadOf(fleet, about.object)
      const rows = heldRows(fleet, workload.id)
      const hours = hoursFrom(rows)
      equals(gpus, says(about, 'GPUs held'))
      equals(idle, says(about, 'idle, h'))
      equals(held, says(about, 'held, h'))
      expect(figure(idle)).toBeLessThanOrEqual(total(hours, ([, own]) => quietHours(own, fleet)) + 1e-9)
      expect(figure(held)).toBeLessThanOrEqual(hours.length)
      expect(work !== undefined).toBe(rows.some((row) => isBusy(row, fleet)))
      if (unmeasured === undefined) return
      const since = (DRAWN_AT - about.evidence.window.from) / HOUR_MS
      const measured = total(hours, ([, own]) => there(own) * least(own, (row) => row.measured / row.present))
      expect(figure(unmeasured)).toBeLessThanOrEqual(since - measured + 1e-9)
    },
  ],
  [
    /^Busy within the last hour\.$/u,
    (_, about, fleet) => {
      const newest = heldRows(fleet, workloadOf(fleet, about.object).id).filter(({ at }) => at >= DRAWN_AT - HOUR_MS)
      expect(newest.some((row) => isBusy(row, fleet))).toBe(true)
    },
  ],
  [
    /^Last seen busy (\d+) h ago\.$/u,
    ([, ago], about, fleet) => {
      const hours = hoursFrom(heldRows(fleet, workloadOf(fleet, about.object).id))
      const last = hours.find(([, rows]) => rows.some((row) => isBusy(row, fleet)))
      expect((DRAWN_AT - (last?.[0] ?? 0)) / HOUR_MS - 1).toBe(figure(ago))
    },
  ],
  [
    /^Stopping it would have freed ([\d.,]+) GPU-hours? in the last (\d+) (hours?|days?)(?:, until it was used again \((\d+) times?\))?\.$/u,
    ([, freed, length, unit = '', again], about, fleet) => {
      equals(freed, says(about, 'would have freed, GPU-hours'))
      equals(again ?? '0', says(about, 'used again after a stop, times'))
      const hours = figure(length) * (unit.startsWith('day') ? 24 : 1)
      const slack = unit.startsWith('day') ? 12 : 1
      const own = heldRows(fleet, workloadOf(fleet, about.object).id)
      const within = own.filter(({ at }) => at >= DRAWN_AT - (hours + slack) * HOUR_MS)
      expect(figure(freed)).toBeLessThanOrEqual(total(within, ({ share, idle }) => (share * idle) / 3600) + 0.01)
      // As long as anything was seen at all.
      const since = (DRAWN_AT - Math.min(...fleet.rows.map(({ at }) => at))) / HOUR_MS
      expect(Math.abs(since - hours)).toBeLessThanOrEqual(slack)
    },
  ],
  [
    /^Undo restarts it\.$/u,
    (_, about) => expect(about.plan.steps.every(({ inverse }) => inverse.length > 0)).toBe(true),
  ],
  [
    /^Until then nothing answers its requests\.$/u,
    (_, about, fleet) => expect(workloadOf(fleet, about.object).class).toBe('inference'),
  ],
  [
    /^A bare pod is not recreated once it is gone, so only its owner may stop it\.$/u,
    (_, about, fleet) => expect(workloadOf(fleet, about.object).kind).toBe('Pod'),
  ],
  [
    /^A (\w+) has no number of replicas that could be set to 0, so its owner has to suspend or end it\.$/u,
    ([, kind], about, fleet) => expect(workloadOf(fleet, about.object).kind).toBe(kind),
  ],
]

const FEWER: readonly Claim<Recommendation>[] = [
  [
    /^Request (\d+) (\S+) instead of (\d+) for (each pod of )?(\S+)$/u,
    ([, left, device = '', before, each, name], about, fleet) => {
      const pods = podsOf(fleet, workloadOf(fleet, about.object))
      isNamed(name, about, fleet)
      equals(before, pods[0]?.requests[0]?.count)
      expect(each !== undefined).toBe(pods.length > 1)
      expect(pods[0]?.requests[0]?.resource).toContain(device.replace(/GPUs?/u, 'gpu'))
      expect(actions(about)).toContainEqual(
        expect.objectContaining({ kind: 'resize', to: [expect.objectContaining({ count: figure(left) })] }),
      )
      expect(figure(left) * pods.length).toBe(says(about, 'devices after'))
    },
  ],
  [
    /^Run (\d+) replicas? of (\S+) instead of (\d+)$/u,
    ([, left, name, before], about, fleet) => {
      isNamed(name, about, fleet)
      equals(before, podsOf(fleet, workloadOf(fleet, about.object)).length)
      expect(actions(about)).toMatchObject([{ kind: 'scale', from: figure(before), to: figure(left) }])
      expect(about.risk.displaced).toHaveLength(figure(before) - figure(left))
    },
  ],
  [
    /^(?:Both|All (\d+)) together did the work of ([\d.]+) GPUs at the highest moment and of ([\d.]+) in the busiest hours\.$/u,
    ([, devices = '2', peak, sustained], about, fleet) => {
      const workload = workloadOf(fleet, about.object)
      equals(devices, partsOf(fleet, workload).length)
      equals(peak, says(about, 'busy at the highest moment, GPUs'))
      equals(sustained, says(about, 'busy in the busiest hours, GPUs'))
      expect(figure(peak)).toBeGreaterThanOrEqual(figure(sustained))
      const hours = hoursFrom(heldRows(fleet, workload.id))
      const busiest = hours.map(([, own]) => total(own, ({ busy = 0, share }) => busy * share))
      expect(figure(sustained)).toBeLessThanOrEqual(Math.max(...busiest) + 0.01)
    },
  ],
  [
    /^Also set its own number of GPUs to match \(tensor parallel size, workers\), or it won't start\.$/u,
    (_, about) => expect(actions(about).some(({ kind }) => kind === 'resize')).toBe(true),
  ],
  [/^An autoscaler must allow so few\.$/u, (_, about) => expect(actions(about)).toMatchObject([{ kind: 'scale' }])],
  [
    /^One replica is left, so there is no service while that one restarts\.$/u,
    (_, about) => expect(actions(about)).toMatchObject([{ kind: 'scale', to: 1 }]),
  ],
]

const RIGHT_SIZE: readonly Claim<Recommendation>[] = [
  [
    /^Give (\S+) a (new )?(\S+) instead of a (whole GPU|\S+)$/u,
    ([, name, fresh, profile, held], about, fleet) => {
      isNamed(name, about, fleet)
      expect(
        new Set(partsOf(fleet, workloadOf(fleet, about.object)).map((part) => part.profile || 'whole GPU')),
      ).toEqual(new Set([held]))
      const to = [{ resource: `nvidia.com/mig-${profile}`, count: 1 }]
      expect(actions(about)).toContainEqual(expect.objectContaining({ kind: 'resize', to }))
      expect(actions(about).some(({ kind }) => kind === 'repartition')).toBe(fresh !== undefined)
    },
  ],
  [
    /^At its peak it used ([\d.]+) of ([\d.]+) GiB that a (\S+) has, and in its busiest hour ([\d.]+)% of a GPU's compute\.$/u,
    ([, used, memory, name = '', compute], about, fleet) => {
      const parts = partsOf(fleet, workloadOf(fleet, about.object))
      const rows = heldRows(fleet, workloadOf(fleet, about.object).id).filter(({ model }) => model === parts[0]?.model)
      const board = boardFor(parts[0]?.model ?? '')
      const profile = board && profileOf(board, name)
      expect(memory).toBe(((profile?.memory ?? 0) / 1024).toFixed(1))
      const measured = rows.filter((row) => row.measured > 0)
      expect(used).toBe((Math.max(...measured.map(({ memoryPeak }) => memoryPeak ?? 0)) / 1024).toFixed(1))
      expect(figure(compute)).toBe(Math.round(100 * Math.max(...measured.map(({ busy = 0, share }) => busy * share))))
    },
  ],
  [
    /^A (\S+) is free for (?:its pod|each of its (\d+) pods) now\.$/u,
    ([, profile, pods = '1'], about, fleet) => {
      equals(pods, podsOf(fleet, workloadOf(fleet, about.object)).length)
      expect(freeDevices(fleet, `nvidia.com/mig-${profile}`)).toBeGreaterThanOrEqual(figure(pods))
    },
  ],
  [
    /^(?:None is|Too few are) free for it: (unallocated GPUs are repartitioned first|its own GPUs are repartitioned first, and its (?:(\d+) )?pods? waits? for that)\.$/u,
    ([, how = '', pods], about, fleet) => {
      const { resource = '' } = actions(about).flatMap((each) => (each.kind === 'resize' ? each.to : []))[0] ?? {}
      const workload = workloadOf(fleet, about.object)
      const model = partsOf(fleet, workload)[0]?.model
      expect(freeFor(about, { fleet, resource, model })).toBeLessThan(podsOf(fleet, workload).length)
      if (pods !== undefined) equals(pods, podsOf(fleet, workload).length)
      const own = new Set(partsOf(fleet, workload).map(({ gpu }) => gpu))
      const cut = actions(about).flatMap((each) => (each.kind === 'repartition' ? each.gpus : []))
      const held = new Set(partsOfSnapshot(fleet.snapshot).flatMap((part) => (part.kind === 'held' ? part.gpu : [])))
      const changed = cut.filter(({ from, to }) => {
        const after = Object.entries(to.geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
        return (
          from.layout
            .map(({ profile }) => profile)
            .toSorted(compareText)
            .join() !== after.toSorted(compareText).join()
        )
      })
      if (how.startsWith('its own')) expect(changed.some(({ gpu }) => own.has(gpu))).toBe(true)
      else expect(changed.filter(({ gpu }) => held.has(gpu))).toEqual([])
    },
  ],
]

/** `2 × 1g.10gb + 1 × 3g.40gb`: what a GPU is cut into, or what it is without instances. */
function becomes({ to: { migEnabled, geometry } }: GpuChange): string {
  const instances = Object.entries(geometry).flatMap(([name, count]) => (count > 0 ? `${count} × ${name}` : []))
  return instances.join(' + ') || (migEnabled ? 'MIG mode without instances' : 'a whole GPU')
}

const REPARTITION: readonly Claim<Recommendation>[] = [
  [
    /^Repartition (?:(\S+): )?(GPUs? .*)$/u,
    ([, node, cuts = ''], about) => {
      const steps = actions(about).flatMap((each) => (each.kind === 'repartition' ? [each] : []))
      if (node !== undefined) expect(steps.map((each) => each.node)).toEqual([node])
      for (const [, index, on = node, to] of cuts.matchAll(/GPU (\d+)(?: on (\S+))? to ([^,]+)/gu)) {
        const changes = steps.flatMap((each) => (each.node === on ? each.gpus : []))
        expect(changes.find((gpu) => gpu.index === figure(index))).toSatisfy(
          (change: GpuChange) => becomes(change) === to,
        )
      }
    },
  ],
  [
    /^(.+) would start: (\d+) pods? waits? for (.+), and the current layout has no room for (?:it|all of them)\.$/u,
    ([, names = '', pods, what], about, fleet) => {
      equals(pods, says(about, 'pods that start'))
      const named = names.split(/, | and /u).filter((name) => !/^\d+ more$/u.test(name))
      const waiting = waitingIn(fleet).filter((pod) => named.includes(shortName(workloadOf(fleet, pod.workload))))
      expect(new Set(waiting.map((pod) => shortName(workloadOf(fleet, pod.workload))))).toEqual(new Set(named))
      // What is free may go to others that wait for it as well.
      const asked = waiting.flatMap(({ requests }) => requests)
      const wanted = waitingIn(fleet).flatMap(({ requests }) => requests)
      const [selected = {}] = waiting.map(({ scheduling }) => scheduling.nodeSelector)
      const mayUse = ({ room }: GpuNode): boolean =>
        Object.entries(selected).every(([key, value]) => room.labels[key] === value)
      const isShort = ({ resource, count }: (typeof asked)[number]): boolean =>
        freeDevices(fleet, resource, mayUse) < total(wanted, (each) => (each.resource === resource ? each.count : 0)) ||
        // All that one pod asks for is on one node.
        fleet.snapshot.nodes.every(
          (node) => freeDevices(fleet, resource, (each) => each === node && mayUse(node)) < count,
        )
      expect(asked.some(isShort)).toBe(true)
      const isWhole = waiting.some(({ requests }) => requests.some(({ resource }) => resource === 'nvidia.com/gpu'))
      expect(/GPU/u.test(what ?? '')).toBe(isWhole)
    },
  ],
  [/^It displaces no pod\.$/u, (_, about) => expect(about.risk.displaced).toEqual([])],
  [
    /^It displaces (\d+) pods?, with room kept for each\.$/u,
    ([, pods], about) => {
      equals(pods, about.risk.displaced.length)
      const kept = new Set(about.plan.moves.flatMap(({ pod, to }) => (to === undefined ? [] : pod)))
      expect(about.risk.displaced.filter((pod) => !kept.has(pod))).toEqual([])
    },
  ],
]

const REMOVE: readonly Claim<Recommendation>[] = [
  [
    /^Remove (\S+) and its (\d+) GPUs?$/u,
    ([, name, gpus], about, fleet) => {
      expect(about.object).toBe(`node/${name}`)
      equals(gpus, nodeOf(fleet, name).gpus.length)
    },
  ],
  [
    /^Over (\d+) (h|days) ([\d.]+)% of it was unallocated, and no waiting work could use it\.$/u,
    ([, length, unit, share], about, fleet) => {
      const name = about.object.slice('node/'.length)
      const node = nodeOf(fleet, name)
      const own = fleet.rows.filter((row) => row.node === name)
      const seen = new Set(own.map(({ at }) => at)).size
      expect(figure(length) * (unit === 'h' ? 1 : 24)).toBeLessThanOrEqual(seen)
      equals(share, says(about, 'unallocated, % of its capacity'))
      const free = own.filter(({ kind }) => kind === 'free')
      expect(Math.abs(figure(share) - (100 * gpuHours(free)) / gpuHours(own))).toBeLessThanOrEqual(0.051)
      const offered = (resource: string): boolean =>
        node.gpus.some(({ partitions }) => partitions.some((each) => resourceOf(node, each) === resource))
      const wanting = waitingIn(fleet).filter(
        ({ requests, scheduling }) =>
          requests.every(({ resource, count }) => offered(resource) && count === 1) &&
          Object.entries(scheduling.nodeSelector).every(([key, value]) => node.room.labels[key] === value),
      )
      expect(wanting).toEqual([])
    },
  ],
  [
    /^No work with a GPU runs on it\.$/u,
    (_, about, fleet) => expect(fleet.snapshot.pods.filter(({ node }) => `node/${node}` === about.object)).toEqual([]),
  ],
  [
    /^Its (?:pod fits|(\d+) pods fit) on other nodes now\.$/u,
    ([, pods = '1'], about, fleet) => {
      equals(pods, fleet.snapshot.pods.filter(({ node }) => `node/${node}` === about.object).length)
      equals(pods, about.risk.displaced.length)
      expect(about.plan.moves.filter(({ to }) => to === undefined)).toEqual([])
    },
  ],
  [
    /^It is the last ready node of its kind in its pool\.$/u,
    (_, about, fleet) => {
      const { name, pool, model } = nodeOf(fleet, about.object.slice('node/'.length))
      const others = fleet.snapshot.nodes.filter((node) => node.pool === pool && node.model === model)
      expect(others.filter((node) => node.ready && node.name !== name)).toEqual([])
    },
  ],
]

const RESCHEDULE: readonly Claim<Recommendation>[] = [
  [
    /^Let (\S+) run on (\S+)(?: in pool (\S+))?$/u,
    ([, name, model, pool = ''], about, fleet) => {
      isNamed(name, about, fleet)
      expect(actions(about)).toMatchObject([{ kind: 'reschedule', to: { model, pool } }])
      expect(fleet.snapshot.nodes.some((node) => node.model === model && node.pool === pool)).toBe(true)
    },
  ],
  [
    /^(Its|Both its|All its (\d+)) waiting pods? would start there at once, but for this: (.+)\.$/u,
    ([, all, pods = all === 'Its' ? '1' : '2'], about, fleet) => {
      equals(pods, podsOf(fleet, workloadOf(fleet, about.object)).filter(({ node }) => node === undefined).length)
      equals(pods, says(about, 'pods that wait'))
      expect(says(about, 'pods for which there is room')).toBeGreaterThanOrEqual(figure(pods))
    },
  ],
  [/^Check with its owner that it may run elsewhere\.$/u, always],
  [
    /^Check with its owner that it runs as well on (\S+)\.$/u,
    ([, model], about) => expect(about.title).toContain(`run on ${model}`),
  ],
]

const SHARE: readonly Claim<Recommendation>[] = [
  [
    /^Share the GPUs of (\S+) among (\S+)'s pods, (\d+) to a GPU$/u,
    ([, node, tenant, replicas], about) =>
      expect(actions(about)).toContainEqual(
        expect.objectContaining({
          kind: 'share',
          node,
          tenant,
          to: { kind: 'time-slicing', replicas: figure(replicas) },
        }),
      ),
  ],
  [
    /^(\d+) pods of (\S+) hold a GPU each and keep it ([\d.]+)% busy on average\.$/u,
    ([, pods, tenant, busy], about, fleet) => {
      const own = fleet.snapshot.pods.filter(({ node }) => `node/${node}` === about.object)
      equals(pods, own.length)
      expect(new Set(own.map(({ namespace }) => namespace))).toEqual(new Set([tenant]))
      equals(busy, says(about, 'mean busy of a GPU, %'))
      const rows = fleet.rows.filter(({ pod, measured }) => measured > 0 && own.some(({ id }) => id === pod))
      expect(figure(busy)).toBeLessThanOrEqual(100 * Math.max(...rows.map((row) => row.busy ?? 0)) + 0.1)
    },
  ],
  [
    /^(\d+) GPUs? would do for them; (\d+) would be free for more work of (\S+)\.$/u,
    ([, needed, freed], about, fleet) => {
      const held = fleet.snapshot.pods.filter(({ node }) => `node/${node}` === about.object).length
      expect(figure(needed) + figure(freed)).toBe(held)
    },
  ],
  [
    /^Shared GPUs have no isolation, so no other namespace may use the node\.$/u,
    (_, about) => expect(actions(about).some(({ kind }) => kind === 'share')).toBe(true),
  ],
]

/** What the saving and the plan of any of them say. */
const OF_ANY: readonly Claim<Recommendation>[] = [
  [
    /^frees ([\d.]+) GPUs?$/u,
    ([, gpus], about) => {
      expect(figure(gpus)).toBeGreaterThan(0)
      const { room } = about.saving
      if (room !== undefined) expect(figure(gpus)).toBeCloseTo(room.gpuHoursPerMonth / 730, 1)
      else expect(about.message).toContain(`${gpus} would be free`)
    },
  ],
  [
    /^starts (\d+) pods?$/u,
    ([, pods], about) => equals(pods, says(about, 'pods that start') ?? says(about, 'pods that wait')),
  ],
  [
    /^Over this history no idle time would have been saved; what it frees is room for other work\.$/u,
    (_, about, fleet) => {
      const workload = workloadOf(fleet, about.object)
      const idle = says(about, 'would have freed, GPU-hours') ?? total(heldRows(fleet, workload.id), (row) => row.idle)
      expect(idle).toBe(0)
      expect(about.saving.room?.gpuHoursPerMonth).toBeGreaterThan(0)
    },
  ],
  [
    /^It starts waiting work on capacity that is paid for already: time, not money\.$/u,
    (_, about) => expect(actions(about).some(({ kind }) => kind === 'remove-node')).toBe(false),
  ],
  [
    /^Pods on a shared GPU slow one another down by an amount that their separate history cannot predict, so no saving is estimated\.$/u,
    (_, about) => expect(about.saving.kind).toBe('none'),
  ],
  [/^No pod is displaced: no plan can do better\.$/u, (_, about) => expect(about.risk.displaced).toEqual([])],
  [
    /^Every plan found displaces pods; displacing fewer than (\d+) pods? is not ruled out\.$/u,
    ([, pods], about) => equals(pods, about.risk.displaced.length),
  ],
  [
    /^No GPU workload moves: no plan can do better\.$/u,
    (_, about) => expect([...about.risk.displaced, ...about.plan.moves]).toEqual([]),
  ],
]

const RECOMMENDATIONS = {
  'reclaim-idle': [...RECLAIM, ...OF_ANY],
  'fewer-gpus': [...FEWER, ...OF_ANY],
  'right-size': [...RIGHT_SIZE, ...OF_ANY],
  repartition: [...REPARTITION, ...OF_ANY],
  'remove-node': [...REMOVE, ...OF_ANY],
  reschedule: [...RESCHEDULE, ...OF_ANY],
  share: [...SHARE, ...OF_ANY],
} satisfies Record<Recommendation['kind'], readonly Claim<Recommendation>[]>

const gpusAsked = ({ resource, count }: GpuRequest): number => (resource === 'nvidia.com/gpu' ? count : 0)
const mostOf = (rows: readonly UsageRow[], hours: number): readonly UsageRow[] =>
  rows.filter(({ at }) => at >= DRAWN_AT - hours * HOUR_MS)
/** One decimal, as alerts and findings write. */
const tenth = (value: number): number => Math.round(value * 10) / 10

/** `Job train (2 × nvidia.com/gpu) for 3 h`, and no more whole GPUs asked for than are told to be free. */
function isWaiting(
  [, kind, name, asked = '', wait, unit]: readonly string[],
  whole: number,
  fleet: WatchedFleet,
): void {
  const workload = fleet.snapshot.workloads.find((each) => each.kind === kind && each.name === name)
  const { createdAt, requests, status } = workload ?? { createdAt: 0, requests: [], status: 'unknown' }
  expect(status).toBe('queued')
  equals(wait, tenth((DRAWN_AT - createdAt) / (unit === 'h' ? HOUR_MS : 60_000)))
  expect(requests.filter(({ resource, count }) => !asked.includes(`${count} × ${resource}`))).toEqual([])
  expect(whole).toBeGreaterThanOrEqual(total(requests, gpusAsked))
}

const ALERTS: Partial<Record<Observation['kind'], readonly Claim<Observation>[]>> = {
  'idle-held': [
    [
      /^(\S+) holds (\d+) GPUs? or slices? idle$/u,
      ([, name, devices], about, fleet) => {
        const workload = workloadOf(fleet, about.object)
        const own = fleet.snapshot.allocations.filter((each) => each.workload === workload.id)
        expect(name).toBe(workload.name)
        equals(devices, own.length)
        expect(own.filter(({ partition }) => !fleet.evidence.idle.has(partition))).toEqual([])
      },
    ],
    [
      /^(\S+) (\S+) in (\S+) holds (\d+) GPUs? or slices? that (?:was|were) idle for ([\d.]+) h of the ([\d.]+) h for which Septet watched it \(limit ([\d.]+) h\); (\d+)% of those were measured\.$/u,
      ([, kind, name, namespace, devices, idle, watched, limit, measured], about, fleet) => {
        const workload = workloadOf(fleet, about.object)
        expect([kind, name, namespace]).toEqual([workload.kind, workload.name, workload.namespace])
        equals(devices, fleet.snapshot.allocations.filter((each) => each.workload === workload.id).length)
        equals(idle, tenth(about.figure.value))
        equals(limit, about.figure.threshold)
        equals(measured, Math.round(100 * (about.figure.coverage ?? NaN)))
        const own = mostOf(heldRows(fleet, workload.id), about.figure.threshold <= 24 ? 24 : 168)
        const hours = hoursFrom(own)
        expect(figure(watched)).toBeLessThanOrEqual(hours.length + 0.05)
        const most = total(hours, ([, rows]) => Math.max(...rows.map((row) => row.idle)) / 3600)
        expect(figure(idle)).toBeLessThanOrEqual(most + 0.05)
        expect(figure(idle)).toBeLessThanOrEqual(figure(watched))
      },
    ],
    [
      /^Ask its owner to release them: (scale it to 0 replicas|stop the notebook|end it), or request less\.$/u,
      ([, how], about, fleet) => {
        const { kind } = workloadOf(fleet, about.object)
        const isScaled = kind === 'Deployment' || kind === 'StatefulSet'
        expect(how).toBe(isScaled ? 'scale it to 0 replicas' : kind === 'Notebook' ? 'stop the notebook' : 'end it')
      },
    ],
  ],
  budget: [
    [
      /^([\d.]+)% of budget (.+) is spent$/u,
      ([, share, name], about, { evidence }) => {
        expect(evidence.budgets?.map((budget) => budget.name)).toContain(name)
        equals(share, tenth(about.figure.value))
      },
    ],
    [
      /^(\$[\d,.]+) of the (\$[\d,.]+) of budget .+ are spent \(limit ([\d.]+)%\)\.$/u,
      ([, spent, limit, most], about, { evidence }) => {
        const budget = evidence.budgets?.find(({ id }) => about.object.startsWith(`budget/${id}/`))
        equals(spent, budget?.spent)
        equals(limit, budget?.limit)
        equals(most, about.figure.threshold)
      },
    ],
    [
      /^Open Cost to see which workloads it went to; shrink or stop what is idle, or raise the budget\.$/u,
      (_, about, { evidence }) =>
        expect(evidence.budgets?.find(({ id }) => about.object.startsWith(`budget/${id}/`))?.spent).toBeGreaterThan(0),
    ],
  ],
  efficiency: [
    [/^GPUs held in .+ are busy ([\d.]+)% of the time$/u, ([, busy], about) => equals(busy, tenth(about.figure.value))],
    [
      /^Over the last (\d+) h the GPUs that .+ holds were busy for ([\d.]+)% of the time that was measured \(floor ([\d.]+)%; Septet watched ([\d.]+) h, of which (\d+)% was measured\)\.$/u,
      ([, hours, busy, floor, watched, measured], about, fleet) => {
        equals(busy, tenth(about.figure.value))
        equals(floor, about.figure.threshold)
        equals(measured, Math.round(100 * (about.figure.coverage ?? NaN)))
        const held = mostOf(fleet.rows, figure(hours))
        expect(new Set(held.map(({ at }) => at)).size).toBeCloseTo(figure(watched), -0.5)
        const seen = held.filter((row) => row.kind === 'held' && row.measured > 0)
        const known = total(seen, (row) => row.share * row.measured)
        const is = (100 * total(seen, (row) => row.share * row.measured * (row.busy ?? 0))) / known
        expect(Math.abs(figure(busy) - is)).toBeLessThanOrEqual(0.051)
      },
    ],
    [
      /^Open Workloads and sort by Busy, the lowest first, to see which use their GPUs least\.$/u,
      (_, __, { rows }) => expect(rows.some((row) => row.kind === 'held' && row.measured > 0)).toBe(true),
    ],
  ],
  'pending-with-free': [
    [
      /^(\S+) is waiting for (\S+) although enough is free$/u,
      ([, namespace, what], about) => {
        expect(about.object).toBe(`waiting/${namespace}/${what}`)
        expect(about.figure.value).toBeGreaterThanOrEqual(about.figure.threshold)
      },
    ],
    [
      /^(\d+) workloads? waits?: (.+); (.+) free(?: on .+)?\.$/u,
      ([, count, who = '', free = ''], _, fleet) => {
        const named = [...who.matchAll(/(\S+) (\S+) \(([^)]+)\) for ([\d.]+) (h|min)/gu)]
        expect(named).toHaveLength(figure(count))
        const whole = figure(/(\d+) whole GPU/u.exec(free)?.[1] ?? '0')
        const byGpu = [...Map.groupBy(partsOfSnapshot(fleet.snapshot), ({ gpu }) => gpu).values()]
        const open = byGpu.filter((parts) => parts.every(({ kind }) => kind !== 'held' && kind !== 'down'))
        expect(whole).toBeLessThanOrEqual(open.length)
        for (const words of named) isWaiting(words, whole, fleet)
      },
    ],
    [/^Scheduler message for the longest wait: Drawn as waiting\.$/u, always],
    [
      /^Open Workloads: each one that waits shows where it could run, and what would make room for it\.$/u,
      (_, __, fleet) => expect(waitingIn(fleet)).not.toEqual([]),
    ],
  ],
  xid: [
    [
      /^GPU (\d+) on (\S+) reports XID (\d+)$/u,
      ([, index, node, code], about, fleet) => {
        const gpu = nodeOf(fleet, node).gpus[figure(index)]
        expect(about.object).toBe(`gpu/${gpu?.id}`)
        expect(gpu?.fault?.message).toContain(`XID ${code}:`)
        expect(about.figure.value).toBe(figure(code))
      },
    ],
    [
      /^GPU (\S+) on (\S+) reported XID 79: it fell off the bus\.$/u,
      ([, id, node], about, fleet) => {
        expect(about.object).toBe(`gpu/${id}`)
        expect(nodeOf(fleet, node).gpus.map((gpu) => gpu.id)).toContain(id)
      },
    ],
    [
      /^Pods on it fail\.$|^Cordon the node, drain it and restart it; if it comes back, have the GPU replaced\.$/u,
      always,
    ],
    [
      /^Follow NVIDIA's XID catalog for this code; drain the GPU before it is reset or replaced\.$/u,
      (_, about) => expect(about.title).toMatch(/reports XID \d+$/u),
    ],
  ],
  'telemetry-missing': [
    [
      /^(\S+) reports no metrics$/u,
      ([, who], about) =>
        expect(['node/' + who, 'target/' + who, who === 'Production' ? 'cluster' : '']).toContain(about.object),
    ],
    [
      /^No new data from Production: its utilization is unknown, not 0\.$/u,
      (_, __, { evidence: { connected, asOf = 0, now } }) => expect(connected && now - asOf < 300_000).toBe(false),
    ],
    [
      /^Its newest data is old\.$/u,
      (_, about) => expect(about.figure.value).toBeGreaterThanOrEqual(about.figure.threshold),
    ],
    [/^Its API server is not responding\.$/u, (_, __, { evidence }) => expect(evidence.connected).toBe(false)],
    [
      /^Node (\S+) of Production has GPUs and reports no metrics: their use is unknown, not 0\.$/u,
      ([, name], _, fleet) => {
        const gpus = new Set(nodeOf(fleet, name).gpus.map(({ id }) => id))
        expect([...fleet.evidence.samples.values()].filter(({ gpu }) => gpus.has(gpu))).toEqual([])
      },
    ],
    [
      /^The exporter (\S+) of Production is (down|stale)\.$/u,
      ([, target, kind], _, { evidence }) =>
        expect(evidence.targets).toContainEqual(expect.objectContaining({ target, kind })),
    ],
    [
      /^Check that dcgm-exporter runs there and is scraped, and that Septet reaches it\.$/u,
      (_, about, { evidence }) => expect(about.object !== 'cluster' || evidence.connected).toBe(true),
    ],
    [
      /^Check the connection of Production in Settings → Clusters\.$/u,
      (_, about, { evidence }) => {
        expect(about.object).toBe('cluster')
        expect(evidence.connected).toBe(false)
      },
    ],
  ],
  'spend-change': [
    [/^(\S+) spends ([\d.]+)% more than before$/u, ([, , more], about) => equals(more, tenth(about.figure.value))],
    [
      /^GPUs held by (\S+) in Production cost (\$[\d,.]+) a day in the last 24 h; in the days before it was (\$[\d,.]+) a day\.$/u,
      ([, , now, before], about) => {
        expect(100 * (figure(now) / figure(before) - 1)).toBeCloseTo(about.figure.value, 0)
      },
    ],
    [
      /^Open Cost for it to see which workload is new or grew\.$/u,
      (_, about) => expect(about.figure.value).toBeGreaterThan(0),
    ],
  ],
}

const wasted = ([, hours]: readonly string[], about: Finding): void => equals(hours, about.gpuHours)

/** Words that stand for themselves. */
function asForm(words: string): string {
  return `^${words.replaceAll('.', '\\.')}$`
}

function isReason(reason: string, { evidence }: Finding): void {
  expect(evidence['reason']).toBe(reason)
}

const FINDINGS: Readonly<Record<string, readonly Claim<Finding>[]>> = {
  'idle-held': [
    [
      /^(\S+) held GPUs idle for ([\d.]+) GPU-h, ([<>]?)(\d+)% of what it held: busy at most ([\d.]+)% for (\d+) min or longer\.$/u,
      ([, name, hours, sign = '', share, most, minutes], about, fleet) => {
        expect(about.object).toBe(`workload/${name}`)
        equals(hours, about.gpuHours)
        equals(most, Number(about.evidence['idleThreshold']) * 100)
        equals(minutes, Number(about.evidence['idleMinimumSeconds']) / 60)
        const rows = heldRows(fleet, name ?? '')
        const is = (100 * total(rows, (row) => (row.share * row.idle) / 3600)) / gpuHours(rows)
        isShare(sign, figure(share), is)
      },
    ],
    [/^Ask its owner to release or shrink it\.$/u, always],
  ],
  oversized: [
    [
      /^Pods of (\S+) would fit a (\S+): their memory peaks and sustained compute stayed within it\.$/u,
      ([, name = '', profile = ''], about, fleet) => {
        expect(about.object).toBe(`workload/${name}`)
        expect(about.evidence['profile']).toBe(profile)
        const rows = heldRows(fleet, name).filter(
          ({ measured, model }) => measured > 0 && boardFor(model) !== undefined,
        )
        const alike = Map.groupBy(rows, (row) => `${row.model} ${row.profile}`)
        const fits = (own: readonly UsageRow[]): boolean => {
          const board = boardFor(own[0]?.model ?? '')
          const found = board && profileOf(board, profile)
          if (board === undefined || found === undefined) return false
          const busy = own.map((row) => (row.busy ?? 0) * row.share).toSorted((a, b) => a - b)
          const sustained = busy[Math.floor(0.95 * (busy.length - 1))] ?? Infinity
          const peak = Math.max(...own.map(({ memoryPeak = Infinity }) => memoryPeak))
          return peak <= (found.memory ?? 0) && sustained <= sliceShare(board, found)
        }
        expect([...alike.values()].some(fits)).toBe(true)
      },
    ],
    [/^([\d.]+) GPU-h of what they used were more than they need\.$/u, wasted],
    [/^Request the smaller profile\.$/u, always],
  ],
  stranded: [
    [
      /^([\d.]+) GPU-h of (\S+) lay beside its MIG devices in a shape that no profile can use\.$/u,
      (words, about, fleet) => {
        wasted(words, about)
        expect(about.object).toBe(`node/${words[2]}`)
        const rows = fleet.rows.filter(({ kind, node }) => kind === 'stranded' && node === words[2])
        expect(figure(words[1])).toBeCloseTo(gpuHours(rows), 0)
      },
    ],
    [/^Cut its GPUs into profiles that fill them\.$/u, always],
  ],
  unallocated: [
    [
      /^([\d.]+) GPU-h of (\S+)(?: in pool (\S+))? were unallocated, ([<>]?)(\d+)% of capacity\.$/u,
      (words, about, fleet) => {
        wasted(words, about)
        const [, , model, pool = '', sign = '', share] = words
        const rows = fleet.rows.filter((row) => row.model === model && row.pool === pool)
        isShare(sign, figure(share), (100 * gpuHours(rows.filter(({ kind }) => kind === 'free'))) / gpuHours(rows))
      },
    ],
    [/^Schedule more work on it, or remove nodes\.$/u, always],
  ],
  telemetry: [
    [
      /^([\d.]+) GPU-h were held without a trustworthy measurement\.$/u,
      (words, about, fleet) => {
        wasted(words, about)
        const rows = fleet.rows.filter(({ kind, reason }) => kind === 'held' && reason === about.evidence['reason'])
        expect(figure(words[1])).toBeCloseTo(
          total(rows, (row) => (row.share * (row.present - row.measured)) / 3600),
          0,
        )
      },
    ],
    [
      /^(\S+) reports no metrics: the use of its GPUs is unknown, and counted as used\.$/u,
      ([, node], about, fleet) => {
        expect(about.object).toBe(`node/${node}`)
        const gpus = new Set(nodeOf(fleet, node).gpus.map(({ id }) => id))
        expect([...fleet.evidence.samples.values()].filter(({ gpu }) => gpus.has(gpu))).toEqual([])
      },
    ],
    [/^Check that dcgm-exporter runs on it and is scraped\.$/u, always],
    ...Object.entries(QUALITY_REASONS).map(([reason, words]): Claim<Finding> => [
      new RegExp(asForm(words), 'u'),
      (_, about) => isReason(reason, about),
    ]),
  ],
  fault: [
    [
      /^GPU (\S+) on (\S+) reported XID 79: it fell off the bus\.$/u,
      ([, id, node], about) => {
        expect(about.object).toBe(`gpu/${id}`)
        expect(about.evidence['node']).toBe(node)
      },
    ],
    [
      /^Pods on it fail\.$|^Cordon the node, drain it and restart it; if it comes back, have the GPU replaced\.$/u,
      always,
    ],
  ],
}

/** A share without decimals: 0 is none of it, and 100 all of it. */
function isShare(sign: string, share: number, is: number): void {
  expect(Math.abs(share - is)).toBeLessThanOrEqual(sign === '' ? 0.51 : 1)
  if (sign === '' && share === 0) expect(is).toBe(0)
  if (sign === '' && share === 100) expect(is).toBeCloseTo(100, 6)
}

const holdsOne = (pod: string, parts: readonly GpuPart[]): boolean =>
  parts.filter((part) => part.pod === pod && part.profile === '' && part.share === 1).length === 1

/** What is on each of the nodes on which a workload holds something: pods, and what is held. */
const onItsNodes = (fleet: WatchedFleet, { workload }: UnansweredHolder) =>
  [...new Set(partsOf(fleet, workloadOf(fleet, workload)).map(({ node }) => node))].map((name) => ({
    pods: fleet.snapshot.pods.filter(({ node }) => node === name),
    parts: partsOfSnapshot(fleet.snapshot).filter(({ node, kind }) => node === name && kind === 'held'),
  }))

/** What is said of a workload that a rule left alone; `said` is whole, with the rule before it. */
const UNANSWERED: readonly Claim<UnansweredHolder>[] = [
  [
    /^Stopping it: it was idle for ([\d.]+)% of (\d+) h(; the rest is not known to be idle| and worked in between)\.$/u,
    ([, share, hours, rest = ''], about, fleet) => {
      const rows = heldRows(fleet, about.workload)
      const all = hoursFrom(rows)
      expect(figure(hours)).toBeLessThanOrEqual(all.length)
      const quiet = total(all, ([, own]) => quietHours(own, fleet))
      expect(figure(share)).toBeLessThanOrEqual((100 * quiet) / figure(hours) + 0.1)
      expect(rows.some((row) => isBusy(row, fleet))).toBe(rest.startsWith(' and worked'))
    },
  ],
  [
    /^Stopping it: it ran for (\d+) hours? of the (\d+) that tell\.$/u,
    ([, hours, asked], about, fleet) => {
      const all = hoursFrom(heldRows(fleet, about.workload))
      expect(figure(hours)).toBe(
        Math.floor(total(all, ([, own]) => Math.max(...own.map(({ present }) => present))) / 3600),
      )
      expect(figure(hours)).toBeLessThan(figure(asked))
    },
  ],
  [
    /^Stopping it: only (\d+)% of the time since it was first seen is measured\.$/u,
    ([, share], about, fleet) => {
      const all = hoursFrom(heldRows(fleet, about.workload))
      const measured = total(all, ([, own]) => least(own, (row) => row.measured / row.present))
      const since = (DRAWN_AT - Math.min(...all.map(([at]) => at))) / HOUR_MS
      expect(figure(share)).toBeLessThanOrEqual((100 * measured) / since + 1.5)
    },
  ],
  [
    /^Stopping it: what it does now is not measured\.$/u,
    (_, about, fleet) => {
      const workload = workloadOf(fleet, about.workload)
      const newest = heldRows(fleet, workload.id).filter(({ at }) => at >= DRAWN_AT - HOUR_MS)
      const seen = new Set(newest.map(({ pod }) => pod))
      expect(partsOf(fleet, workload).every(({ pod }) => seen.has(pod))).toBe(false)
    },
  ],
  [
    /^Fewer GPUs: each pod holds one device, and how many pods a (\S+) has is set by its owner\.$/u,
    ([, kind], about, fleet) => {
      const workload = workloadOf(fleet, about.workload)
      expect(kind).toBe(workload.kind)
      expect(podsOf(fleet, workload).every(({ requests }) => requests[0]?.count === 1)).toBe(true)
    },
  ],
  [
    /^(?:Fewer GPUs|A smaller size): Its pods hold different devices, so no one answer fits them all\.$/u,
    (_, about, fleet) => {
      const workload = workloadOf(fleet, about.workload)
      const held = Map.groupBy(partsOf(fleet, workload), ({ pod }) => pod)
      expect(held.size).toBe(podsOf(fleet, workload).length)
      const kinds = [...held.values()].map((own) =>
        own
          .map(({ model, profile }) => `${model} ${profile}`)
          .toSorted(compareText)
          .join(),
      )
      expect(new Set(kinds).size).toBeGreaterThan(1)
    },
  ],
  [
    /^(?:Fewer GPUs|A smaller size): Not all of its pods hold a working GPU now\.$/u,
    (_, about, fleet) => {
      const workload = workloadOf(fleet, about.workload)
      const asked = total(podsOf(fleet, workload), ({ requests }) => total(requests, ({ count }) => count))
      expect(partsOf(fleet, workload).length).toBeLessThan(asked)
    },
  ],
  [
    /^Fewer GPUs: (?:Both|All (\d+)) together did the work of ([\d.]+) GPUs at the highest moment and of ([\d.]+) in the busiest hours, which fewer may not hold\.$/u,
    ([, devices = '2'], about, fleet) => equals(devices, partsOf(fleet, workloadOf(fleet, about.workload)).length),
  ],
  [
    /^Sharing its GPU: its node has a fault, and nothing is changed there meanwhile\.$/u,
    (_, about, fleet) => {
      const nodes = partsOf(fleet, workloadOf(fleet, about.workload)).map(({ node }) => nodeOf(fleet, node))
      expect(nodes.some((node) => unsoundNode(node) ?? node.gpus.some((gpu) => faultyGpu(gpu)))).toBeTruthy()
    },
  ],
  [
    /^Sharing its GPU: two pods on one GPU could need (\d+)% of its memory and (\d+)% of its compute; at most (\d+)% and (\d+)% are planned\.$/u,
    ([, memory, busy, mostMemory, mostBusy], about, fleet) => {
      expect(figure(memory) > figure(mostMemory) || figure(busy) > figure(mostBusy)).toBe(true)
      const sums = onItsNodes(fleet, about).map(({ pods, parts: [first] }) => {
        const rows = pods.flatMap(({ id }) => [fleet.rows.filter(({ pod, kind }) => pod === id && kind === 'held')])
        const peaks = rows.map((own) => Math.max(0, ...own.map(({ memoryPeak = 0 }) => memoryPeak)))
        const [one = 0, two = 0] = peaks.toSorted((a, b) => b - a)
        return Math.round((100 * (one + two)) / ((first && memoryOfDevice(first)) ?? NaN))
      })
      expect(sums).toContain(figure(memory))
    },
  ],
  [
    /^Sharing its GPU: no other pod holds a GPU of its node\.$/u,
    (_, about, fleet) => expect(onItsNodes(fleet, about).some(({ parts }) => parts.length === 1)).toBe(true),
  ],
  [
    /^Sharing its GPU: not every pod of its node holds one GPU each that is known to be its own\.$/u,
    (_, about, fleet) => {
      const nodes = onItsNodes(fleet, about)
      expect(nodes.some(({ pods, parts }) => pods.some(({ id }) => !holdsOne(id, parts)))).toBe(true)
    },
  ],
  [
    /^A smaller size: (\S+) does not support MIG\.$/u,
    ([, model], about, fleet) => {
      expect(partsOf(fleet, workloadOf(fleet, about.workload)).map((part) => part.model)).toContain(model)
      expect(boardFor(model ?? '')).toBeUndefined()
    },
  ],
  [
    /^(\d+) × (\S+) would do, but (?:none is|too few are) free for it\.$/u,
    ([, pods, profile], about, fleet) => {
      equals(pods, podsOf(fleet, workloadOf(fleet, about.workload)).length)
      const model = partsOf(fleet, workloadOf(fleet, about.workload))[0]?.model
      expect(freeFor(about, { fleet, resource: `nvidia.com/mig-${profile}`, model })).toBeLessThan(figure(pods))
    },
  ],
  [
    /^No GPU can be partitioned for it without displacing others\.$|^The only GPUs that could be partitioned for it must stay whole for work that spans several GPUs\.$/u,
    always,
  ],
  [
    // Which room is gone by then is a matter of the whole replay; that they run now, and are its own, can be seen.
    /^Kubernetes’ scheduler would leave (.+) waiting: it starts pods on the least allocated nodes, and then no room is left for (it|them)\.$/u,
    ([, names = '', them], about, fleet) => {
      const own = podsOf(fleet, workloadOf(fleet, about.workload)).filter(({ node }) => node !== undefined)
      const named = names.match(/[\w.-]+\/[\w.-]+/gu) ?? []
      expect(own.map(({ id }) => id)).toEqual(expect.arrayContaining(named))
      expect(them).toBe(named.length === 1 ? 'it' : 'them')
    },
  ],
  // What a size study says is held against its history where that is made.
  [
    /^(?:A smaller size|Fewer GPUs): (?:not enough history|only \d+% of its history|a \S+ is smaller than|near idle so far|its memory|there is no smaller profile|\S+ is too small|its newest usage)/u,
    always,
  ],
  [
    /^“(.+)” waits for what comes first: “(.+)”\.$/u,
    ([, , first], __, { advice }) => expect(advice.recommendations.map(({ title }) => title)).toContain(first),
  ],
]

const isA = <Kind extends Action['kind']>({ action }: PlanStep, kind: Kind): Extract<Action, { kind: Kind }> => {
  if (action.kind !== kind) throw new Error(`a ${action.kind} is told as a ${kind}`)
  return action as Extract<Action, { kind: Kind }>
}
const asks = (requests: readonly GpuRequest[]): string =>
  requests.map(({ resource, count }) => `${count} × ${resource}`).join(' + ')
const isChanged = ({ from, to }: GpuChange): boolean => {
  const after = Object.entries(to.geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
  const before = from.layout.map(({ profile }) => profile)
  return from.migEnabled !== to.migEnabled || before.toSorted(compareText).join() !== after.toSorted(compareText).join()
}
const isOfNode = (name: string | undefined, { action }: PlanStep): void =>
  expect('node' in action ? action.node : undefined).toBe(name)
const runningOf = ({ snapshot }: WatchedFleet, workload = ''): number =>
  snapshot.pods.filter((pod) => pod.workload === workload && pod.node !== undefined).length

/** What each step of a recommendation says that it does, and what is so afterwards. */
const STEPS: readonly Claim<PlanStep>[] = [
  [/^Cordon (\S+)$/u, ([, node], about) => expect(isA(about, 'cordon').node).toBe(node)],
  [
    /^No new pod starts on (\S+); running pods continue\.$/u,
    ([, node], about) => {
      expect(isA(about, 'cordon').node).toBe(node)
      expect(about.displaced).toEqual([])
    },
  ],
  [/^Uncordon (\S+)$/u, ([, node], about) => expect(isA(about, 'uncordon').node).toBe(node)],
  [/^Pods may start on (\S+) again\.$/u, ([, node], about) => expect(isA(about, 'uncordon').node).toBe(node)],
  [
    /^Evict (\S+): (?:GPUs on (\S+) are repartitioned|(\S+) is removed|the device plugin of (\S+) restarts with other replicas)$/u,
    ([, pod = '', ...nodes], about, { snapshot }) => {
      expect(isA(about, 'evict').pod).toBe(pod)
      expect(about.displaced).toEqual([pod])
      expect(nodes).toContain(snapshot.pods.find(({ id }) => id === pod)?.node)
    },
  ],
  [
    /^(\S+) stops; its controller creates a new pod, which waits until it can be scheduled\.$/u,
    ([, pod], about, { snapshot }) => {
      expect(isA(about, 'evict').pod).toBe(pod)
      expect(snapshot.pods.find(({ id }) => id === pod)?.scheduling.managed).toBe(true)
    },
  ],
  [
    /^The (\d+) other pods? of (\S+) may stop too if all act as one\.$/u,
    ([, pods, workload], about, fleet) => {
      expect(isA(about, 'evict').workload).toBe(workload)
      expect(figure(pods)).toBeLessThan(runningOf(fleet, workload))
    },
  ],
  [
    /^Repartition (\d+) of (\d+) GPUs? of (\S+) \(configuration (\S+)\)$/u,
    ([, changed, all, node, config], about, fleet) => {
      const action = isA(about, 'repartition')
      expect([action.node, action.config]).toEqual([node, config])
      equals(all, nodeOf(fleet, node).gpus.length)
      equals(changed, action.gpus.filter(isChanged).length)
    },
  ],
  [
    /^GPU \d+ becomes .+\.$/u,
    ([whole = ''], about) => {
      const changed = isA(about, 'repartition').gpus.filter(isChanged)
      expect(whole.slice(0, -1).split('; ').toSorted(compareText)).toEqual(
        changed.map((each) => `GPU ${each.index} becomes ${becomes(each)}`).toSorted(compareText),
      )
    },
  ],
  [
    /^GPUs that do not change are unaffected: (\d+)\.$/u,
    ([, kept], about) => equals(kept, isA(about, 'repartition').gpus.filter((each) => !isChanged(each)).length),
  ],
  [
    /^The device plugin, GPU feature discovery and DCGM of (\S+) are down meanwhile: no new GPU pod starts there and telemetry has a gap\.$/u,
    ([, node], about) => expect(isA(about, 'repartition').node).toBe(node),
  ],
  [
    /^MIG mode changes, (?:which resets the GPU on this generation|for which every GPU client of the node stops); where that does not succeed, the node must restart \(WITH_REBOOT\), which stops every pod on it\.$/u,
    (_, about) =>
      expect(isA(about, 'repartition').gpus.some(({ from, to }) => from.migEnabled !== to.migEnabled)).toBe(true),
  ],
  [
    /^Remove (\S+?)(?: once .+ elsewhere)?; this cannot be undone$/u,
    ([, node], about) => {
      expect(isA(about, 'remove-node').node).toBe(node)
      expect(about.inverse).toEqual([])
    },
  ],
  [
    /^Pods without a GPU leave (\S+) by their disruption budgets, then the machine is removed\.$/u,
    ([, node], about) => isOfNode(node, about),
  ],
  [
    /^Give each pod of (\S+) (.+) instead of (.+)$/u,
    (words, about, { snapshot }) => {
      const { workload, from, to } = isA(about, 'resize')
      expect(words.slice(1)).toEqual([workload, asks(to), asks(from)])
      const pods = snapshot.pods.filter((pod) => pod.workload === workload)
      expect(pods.filter(({ requests }) => asks(requests) !== asks(from))).toEqual([])
    },
  ],
  [
    /^The pods of (\S+) are replaced and ask for (.+)\.$/u,
    (words, about) => {
      const { workload, to } = isA(about, 'resize')
      expect(words.slice(1)).toEqual([workload, asks(to)])
    },
  ],
  [
    /^Scale (\S+) from (\d+) to (\d+) pods?$/u,
    ([, workload, before, after], about, fleet) => {
      expect(isA(about, 'scale')).toMatchObject({ workload, from: figure(before), to: figure(after) })
      equals(before, podsOf(fleet, workloadOf(fleet, workload ?? '')).length)
    },
  ],
  [
    /^(\S+) stops and its GPUs are free\.$/u,
    ([, workload], about, fleet) => {
      expect(isA(about, 'scale')).toMatchObject({ workload, to: 0 })
      expect(about.displaced).toHaveLength(runningOf(fleet, workload))
    },
  ],
  [
    /^(\S+) runs with (\d+) pods?; its controller chooses which (\d+) of (\d+) go\.$/u,
    ([, workload, pods, fewer, all], about, fleet) => {
      const from = figure(all)
      expect(isA(about, 'scale')).toMatchObject({ workload, from, to: from - figure(fewer) })
      expect(about.displaced).toHaveLength(runningOf(fleet, workload) - figure(pods))
    },
  ],
  [
    /^Share the GPUs of (\S+): (\d+) replicas by time-slicing instead of no sharing$/u,
    ([, node, replicas], about) =>
      expect(isA(about, 'share')).toMatchObject({ node, from: { kind: 'none' }, to: { replicas: figure(replicas) } }),
  ],
  [
    /^Each GPU of (\S+) serves (\d+) pods\.$/u,
    ([, node, replicas], about) =>
      expect(isA(about, 'share')).toMatchObject({ node, to: { replicas: figure(replicas) } }),
  ],
  [
    /^Nothing isolates their memory or faults\.$/u,
    (_, about) => expect(isA(about, 'share').to.kind).toBe('time-slicing'),
  ],
  [
    /^Keep namespaces other than (\S+) off this node by a taint\.$/u,
    ([, tenant], about) => expect(isA(about, 'share').tenant).toBe(tenant),
  ],
  [
    /^(?:Let|The scheduler may start) (\S+) (?:run )?(?:in pool (\S+) )?on (\S+?)(?: with (.+)\.)?$/u,
    ([, workload, pool = '', model, asked], about) => {
      const { to, ...action } = isA(about, 'reschedule')
      expect([action.workload, to.pool, to.model]).toEqual([workload, pool, model])
      if (asked !== undefined) expect(asked).toBe(asks(to.requests))
    },
  ],
]

const SENTENCE = /(?<=[.!?])\s+(?=\S)/u
const sentencesOf = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split(SENTENCE))

/** Forms that were met, so that none of the table stands for nothing. */
const met = new Set<RegExp>()

type Held<About> = { readonly claims: readonly Claim<About>[]; readonly about: About; readonly fleet: WatchedFleet }

/** Each sentence takes a form that is known, and what must be so of it is so. */
function hold<About>(texts: readonly string[], { claims, about, fleet }: Held<About>): void {
  for (const sentence of sentencesOf(texts)) {
    const forms = claims.filter(([form]) => form.test(sentence))
    expect(forms, `no row tells what must hold of “${sentence}”`).not.toEqual([])
    for (const [form, holds] of forms) {
      met.add(form)
      try {
        holds(form.exec(sentence) ?? [], about, fleet)
      } catch (thrown) {
        throw new Error(`“${sentence}” is not so`, { cause: thrown })
      }
    }
  }
}

/** Reasons for missing telemetry that drawn fleets do not have. */
const NOT_DRAWN: ReadonlySet<string> = new Set(Object.values(QUALITY_REASONS).map(asForm))

test('of drawn fleets with gaps, restarts and missing telemetry every sentence is so', () => {
  fc.assert(
    fc.property(watchedFleets, (fleet) => {
      const { advice, week, evidence } = fleet
      for (const about of advice.recommendations)
        hold(textsOf(about), { claims: RECOMMENDATIONS[about.kind], about, fleet })
      for (const about of advice.recommendations.flatMap(({ plan }) => plan.steps))
        hold([about.title, about.effect], { claims: STEPS, about, fleet })
      for (const about of advice.unanswered) hold([about.because], { claims: UNANSWERED, about, fleet })
      for (const about of week.findings) hold([about.message], { claims: FINDINGS[about.kind] ?? [], about, fleet })
      for (const about of ALERT_KINDS.flatMap((kind) => observe(evidence, kind).observations))
        // What is clear or unknown is told to nobody.
        if (about.verdict === 'breach' || about.verdict === 'between')
          hold([about.title, about.message, about.advice], { claims: ALERTS[about.kind] ?? [], about, fleet })
    }),
    { numRuns: 250, seed: 31 },
  )
  const all = [RECOMMENDATIONS, ALERTS, FINDINGS, { UNANSWERED }, { STEPS }].flatMap((tables) =>
    Object.values<readonly Claim<never>[]>(tables).flatMap((claims) => claims.map(([form]) => form)),
  )
  expect(all.flatMap((form) => (met.has(form) || NOT_DRAWN.has(form.source) ? [] : form.source))).toEqual([])
}, 180_000)

/** All that is said of a recommendation before a person decides. */
const textsOf = ({ title, message, saving, plan: { refused, bound } }: Recommendation): readonly string[] => [
  title,
  message,
  ...(saving.kind === 'none' ? [saving.brings, saving.because] : []),
  ...refused.map((problem) => problem.message),
  ...(bound === undefined ? [] : [bound]),
]
