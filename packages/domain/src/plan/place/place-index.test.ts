import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { plainProfiles, profileOf, type Board, type MigProfile } from '../../gpu/board.ts'
import { inferPlacements } from '../../gpu/infer-placements.ts'
import { boardFor } from '../../gpu/known-boards.ts'
import { isFeasible, occupancy, placeAt, type Layout } from '../../gpu/layout.ts'
import { placeable, placeableTogether } from '../../gpu/occupancy.ts'
import { mib, ratio } from '../../units.ts'
import {
  profilesFor,
  type GpuWant,
  type PlaceAsk,
  type PlacedPod,
  type PlaceGpu,
  type PlaceNode,
} from './place-index-ask.ts'
import { nodeRefusal } from '../../cluster/node-rules.ts'
import { nodesOf, type IndexedGpu, type InstanceView, type IndexedNode } from './place-index-view.fixture.ts'
import { PlaceIndex } from './place-index.ts'

const boardOf = (model: string): Board => {
  const board = boardFor(model)
  if (board === undefined) throw new Error(`no board for ${model}`)
  return board
}
const [A100_40, A100_80, A30, PRO] = [
  boardOf('A100-SXM4-40GB'),
  boardOf('A100-SXM4-80GB'),
  boardOf('A30'),
  boardOf('RTX PRO 6000 Blackwell Server Edition'),
]

type Extra = {
  readonly count?: number
  readonly whole?: boolean
  readonly cpu?: number
  readonly labels?: Record<string, string>
  readonly cut?: readonly string[]
}
const node = (id: string, board: Board | undefined, extra: Extra = {}): PlaceNode => ({
  id,
  model: board?.key ?? 'T4',
  board,
  room: {
    cpuMilli: extra.cpu ?? 64_000,
    memory: mib((extra.cpu ?? 64_000) * 4),
    labels: { 'kubernetes.io/hostname': id, ...extra.labels },
    taints: id.startsWith('tainted') ? [{ key: 'team', value: 'x', effect: 'NoSchedule' }] : [],
  },
  gpus: Array.from({ length: extra.count ?? 1 }, (_, index) => gpuOf(`${id}#${index}`, board, extra)),
})

function gpuOf(id: string, board: Board | undefined, { whole = false, cut }: Extra): PlaceGpu {
  if (board === undefined || whole) return { kind: 'whole', id }
  return cut === undefined ? { kind: 'dynamic', id } : { kind: 'cut', id, layout: inferPlacements(board, cut) ?? [] }
}

const ask = (wants: GpuWant, extra: Partial<PlaceAsk> & { cpu?: number } = {}): PlaceAsk => ({
  wants,
  models: extra.models ?? [],
  tenant: extra.tenant,
  scheduling: {
    cpuMilli: extra.cpu ?? 0,
    memory: mib((extra.cpu ?? 0) * 4),
    nodeSelector: {},
    nodeTerms: [],
    tolerations: [],
    ...extra.scheduling,
  },
})
const mig = (profile: string, extra?: Parameters<typeof ask>[1]): PlaceAsk => ask({ kind: 'mig', profile }, extra)

const half = (tenant: string): PlaceAsk => ask({ kind: 'share', milli: 400 }, { tenant })

describe('PlaceIndex', () => {
  it('spares the position of the large profiles: a 1g goes to slice 6, not to 0', () => {
    const index = new PlaceIndex([node('a', A100_80)])
    expect(index.place(mig('1g.10gb'))?.instance?.placement).toEqual({ start: 6, size: 1 })
    expect(index.place(mig('4g.40gb'))?.instance?.placement).toEqual({ start: 0, size: 4 })
  })

  it('takes a name as the shape that each board has', () => {
    const index = new PlaceIndex([node('a', A100_40), node('b', A100_80)])
    const placed = Array.from({ length: 11 }, () => index.place(mig('1g.10gb')))
    const shapes = placed.map((one) => `${one?.node} ${one?.instance?.placement.size}`)
    expect(shapes.toSorted()).toEqual([...Array(4).fill('a 2'), ...Array(7).fill('b 1')])
    expect(index.place(mig('1g.10gb'))).toBeUndefined()
  })

  it('gives A30 four and RTX PRO 6000 four of twelve units, and +me once', () => {
    for (const [board, profile] of [
      [A30, '1g.6gb'],
      [PRO, '1g.24gb'],
    ] as const) {
      const index = new PlaceIndex([node('a', board)])
      const wanted = [`${profile}+me`, `${profile}+me`, profile, profile, profile, profile]
      const placed = wanted.map((name) => index.place(mig(name)) !== undefined)
      expect(placed).toEqual([true, false, true, true, true, false])
    }
  })

  it('takes only existing instances of GPUs that mig-manager cut, and gives them back', () => {
    const index = new PlaceIndex([node('a', A100_80, { cut: ['3g.40gb', '2g.20gb', '1g.10gb', '1g.10gb'] })])
    const first = index.place(mig('3g.40gb'))
    expect(first?.instance?.profile).toBe('3g.40gb')
    expect(index.place(mig('3g.40gb'))).toBeUndefined()
    expect(index.place(mig('4g.40gb'))).toBeUndefined()
    expect(index.place(ask({ kind: 'whole', count: 1 }))).toBeUndefined()
    if (first !== undefined) index.release(first)
    expect(index.place(mig('3g.40gb'))).toBeDefined()
  })

  it('shares a GPU by software inside one tenant only, and by MIG across tenants', () => {
    const shared = new PlaceIndex([node('a', undefined)])
    const first = shared.place(half('red'))
    expect(shared.place(half('blue'))).toBeUndefined()
    expect(shared.place(half('red'))).toBeDefined()
    expect(shared.place(half('red'))).toBeUndefined()
    if (first !== undefined) shared.release(first)
    expect(shared.place(half('blue'))).toBeUndefined()
    const cut = new PlaceIndex([node('a', A100_80)])
    expect(cut.place(mig('1g.10gb', { tenant: 'red' }))?.gpus).toEqual(['a#0'])
    expect(cut.place(mig('1g.10gb', { tenant: 'blue' }))?.gpus).toEqual(['a#0'])
  })

  it('puts several whole GPUs on one node, and keeps nodes with many free for those who want many', () => {
    const index = new PlaceIndex([node('a', undefined, { count: 2 }), node('b', undefined, { count: 4 })])
    expect(index.place(ask({ kind: 'whole', count: 1 }))?.node).toBe('a')
    expect(index.place(ask({ kind: 'whole', count: 4 }))?.gpus).toEqual(['b#0', 'b#1', 'b#2', 'b#3'])
    expect(index.place(ask({ kind: 'whole', count: 2 }))).toBeUndefined()
  })

  it('maps a need to the profiles that have it, on any board', () => {
    const index = new PlaceIndex([node('a', A100_40), node('b', A100_80)])
    const need = ask({ kind: 'need', compute: ratio(0.1), memory: mib(15_000) })
    expect(index.place(need)?.instance).toBeDefined()
    for (const board of [A100_40, A100_80]) {
      const names = profilesFor(board, need.wants).map(({ name }) => name)
      expect(names).not.toContain(board === A100_40 ? '2g.10gb' : '1g.10gb')
    }
  })

  it('refuses an ask and a fleet that mean nothing, with the reason', () => {
    const index = new PlaceIndex([node('a', A100_80)])
    expect(() => index.place(ask({ kind: 'whole', count: 1.5 }))).toThrow('whole number of GPUs')
    expect(() => index.place(ask({ kind: 'share', milli: -3 }))).toThrow('thousandths')
    const published = ['1g.5gb', '1g.5gb', '2g.10gb', '2g.10gb', '3g.20gb', '3g.20gb', '3g.20gb']
    const layout: Layout = published.map((name) => placeAt(profileOf(A100_40, name) ?? wrong(name), 0))
    const impossible: PlaceNode = { ...node('a', A100_40), gpus: [{ kind: 'cut', id: 'a#0', layout }] }
    expect(() => new PlaceIndex([impossible])).toThrow('3 × 3g.20gb: A100-40GB takes at most 2')
  })

  it('lets a pod that asks for no CPU run on a node whose CPU is overcommitted, as the scheduler does', () => {
    const index = new PlaceIndex([node('a', A100_80, { cpu: 8000 })])
    index.place(mig('1g.10gb', { cpu: 8000 }))
    index.setRoom('a', { cpuMilli: 4000, memory: mib(16_000) })
    const [before] = nodesOf(index)
    expect(before?.cpuFree).toBe(-4000)
    expect(index.place(mig('1g.10gb', { cpu: 1 }))).toBeUndefined()
    expect(index.place(mig('1g.10gb', { cpu: 0 }))?.node).toBe('a')
  })

  it('starts from what other pods of the node already use', () => {
    const other = node('a', A100_80, { cpu: 8000 })
    const index = new PlaceIndex([{ ...other, room: { ...other.room, cpuUsed: 6000, memoryUsed: mib(1000) } }])
    expect(nodesOf(index)[0]).toMatchObject({ cpuFree: 2000, memoryFree: 31_000 })
    expect(index.place(mig('1g.10gb', { cpu: 3000 }))).toBeUndefined()
    index.setRoom('a', { cpuMilli: 9000, memory: mib(32_000) })
    expect(index.place(mig('1g.10gb', { cpu: 3000 }))).toBeDefined()
  })

  it('starts from what pods hold before, and gives none of it away', () => {
    const at = (profile: string, start: number) => placeAt(profileOf(A100_80, profile) ?? wrong(profile), start)
    const cut = inferPlacements(A100_80, ['3g.40gb', '3g.40gb']) ?? []
    const index = new PlaceIndex([
      { ...node('a', A100_80), gpus: [{ kind: 'dynamic', id: 'a#0', held: [at('1g.10gb+me', 6), at('4g.40gb', 0)] }] },
      { ...node('b', A100_80), gpus: [{ kind: 'dynamic', id: 'b#0', held: 'whole' }] },
      { ...node('c', A100_80), gpus: [{ kind: 'cut', id: 'c#0', layout: cut, held: cut.slice(1) }] },
      { ...node('d', undefined), gpus: [{ kind: 'whole', id: 'd#0', held: true }] },
    ])
    expect(index.place(ask({ kind: 'whole', count: 1 }))).toBeUndefined()
    expect(index.place(mig('1g.10gb+me'))).toBeUndefined()
    expect(index.place(half('red'))).toBeUndefined()
    const threes = [1, 2, 3].map(() => index.place(mig('3g.40gb'))?.node)
    expect(threes).toEqual(['c', undefined, undefined])
    const ones = Array.from({ length: 4 }, () => index.place(mig('1g.10gb'))?.instance?.placement.start)
    expect(new Set(ones)).toEqual(new Set([4, 5, undefined]))
    const [a] = nodesOf(index)
    expect(a?.gpus[0]).toMatchObject({ kind: 'dynamic', instances: Array.from({ length: 4 }, () => ({ held: true })) })
  })

  it('gives back once: a pod released twice, or one of another index, is refused and nothing changes', () => {
    const index = new PlaceIndex([node('a', A100_80, { cpu: 4000 })])
    const first = index.place(mig('4g.40gb', { cpu: 1000 }))
    if (first === undefined) throw new Error('an empty GPU has room')
    index.release(first)
    const second = index.place(mig('4g.40gb', { cpu: 1000 }))
    expect(() => index.release(first)).toThrow('does not hold')
    expect(nodesOf(index)[0]?.cpuFree).toBe(3000)
    expect(index.place(mig('4g.40gb'))).toBeUndefined()
    expect(() => new PlaceIndex([node('a', A100_80)]).release(second ?? first)).toThrow('does not hold')
  })

  it('refuses figures that are not numbers, endless, or below 0', () => {
    const index = new PlaceIndex([{ ...node('a', A100_80), room: { ...node('a', A100_80).room, cpuMilli: undefined } }])
    for (const cpu of [Number.NaN, Number.POSITIVE_INFINITY, -1])
      expect(() => index.place(mig('1g.10gb', { cpu }))).toThrow('0 or more')
    expect(() =>
      index.place(ask({ kind: 'need', compute: ratio(0.1), memory: mib(Number.POSITIVE_INFINITY) })),
    ).toThrow('MiB')
    expect(() => index.setRoom('a', { cpuMilli: Number.NaN, memory: mib(1) })).toThrow('0 or more')
    expect(nodesOf(index)[0]?.cpuFree).toBe(Number.POSITIVE_INFINITY)
    for (const price of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      expect(() => new PlaceIndex([{ ...node('a', A100_80), price }])).toThrow('price')
    const room = { ...node('a', A100_80).room, cpuMilli: Number.NaN }
    expect(() => new PlaceIndex([{ ...node('a', A100_80), room }])).toThrow('CPU and memory')
    expect(() => new PlaceIndex([node('a', A100_80)], { renewEvery: 0 })).toThrow('renewEvery')
  })

  it('tells nodes apart that differ in one taint or one label only', () => {
    const nodes = [node('a', A100_80), node('tainted-b', A100_80), node('c', A100_80)]
    // Without host names, which would tell all nodes apart.
    const alike = nodes.map((one) => ({ ...one, room: { ...one.room, labels: one.id === 'c' ? { zone: 'x' } : {} } }))
    const index = new PlaceIndex(alike)
    const inZone = { ...mig('7g.80gb').scheduling, nodeSelector: { zone: 'x' } }
    const placed = [
      mig('7g.80gb', { scheduling: inZone }),
      mig('7g.80gb', { scheduling: inZone }),
      mig('7g.80gb'),
      mig('7g.80gb'),
    ]
    expect(placed.map((one) => index.place(one)?.node)).toEqual(['c', undefined, 'a', undefined])
  })

  it('does not learn from a wish that no node could ever hold', () => {
    const [index, other] = [
      new PlaceIndex([node('a', A100_80)], { renewEvery: 1 }),
      new PlaceIndex([node('a', A100_80)], { renewEvery: 1 }),
    ]
    expect(index.place(ask({ kind: 'whole', count: Number.MAX_SAFE_INTEGER }))).toBeUndefined()
    expect(index.choose(mig('1g.10gb'))?.loss).toBe(other.choose(mig('1g.10gb'))?.loss)
  })

  it('answers as a scan of all GPUs does, whatever came before', () => {
    const property = fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), agreesWithScan)
    expect(() => fc.assert(property, { numRuns: 60 })).not.toThrow()
  })
})

function wrong(name: string): never {
  throw new Error(`no profile ${name}`)
}

// A fleet with every kind of GPU, small enough to fill up.
const FLEET: readonly PlaceNode[] = [
  node('a', A100_80, { count: 2, cpu: 8_000 }),
  node('b', A100_40, { count: 2, cpu: 16_000, labels: { zone: 'x' } }),
  node('c', A100_80, { count: 2, cut: ['3g.40gb', '2g.20gb', '1g.10gb', '1g.10gb'] }),
  node('d', undefined, { count: 4, cpu: 12_000 }),
  node('e', A100_80, { count: 2, whole: true, labels: { zone: 'x' } }),
  node('tainted-f', A30, { count: 2 }),
  // Like a node above but for one rule.
  node('tainted-h', A100_80),
  node('i', A100_80, { labels: { zone: 'x' } }),
  ...Array.from({ length: 34 }, (_, index) => node(`g${index}`, PRO, { cpu: 1000 * (1 + (index % 5)) })),
]

const wants: fc.Arbitrary<GpuWant> = fc.oneof(
  fc.record({ kind: fc.constant('whole' as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('share' as const), milli: fc.constantFrom(100, 250, 500, 900, 1000) }),
  fc.record({
    kind: fc.constant('mig' as const),
    profile: fc.constantFrom('1g.10gb', '2g.20gb', '3g.40gb', '7g.80gb', '1g.10gb+me', '1g.24gb', '1g.6gb', '9g.1gb'),
  }),
  fc.record({
    kind: fc.constant('need' as const),
    compute: fc.constantFrom(ratio(0.1), ratio(0.3), ratio(0.5)),
    memory: fc.constantFrom(mib(4000), mib(9000), mib(30_000)),
  }),
)
const asks: fc.Arbitrary<PlaceAsk> = fc
  .record({
    wants,
    cpu: fc.constantFrom(0, 500, 3000, 7000),
    tenant: fc.constantFrom('red', 'blue', undefined),
    models: fc.constantFrom<readonly string[]>([], ['A100-80GB', 'T4']),
    selector: fc.constantFrom<Record<string, string>>({}, {}, { zone: 'x' }, { 'kubernetes.io/hostname': 'g3' }),
    tolerant: fc.boolean(),
  })
  .map(({ selector, tolerant, wants: want, ...rest }) => {
    const made = ask(want, rest)
    const tolerations = tolerant ? [{ key: '', operator: 'Exists' as const, value: '', effect: '' }] : []
    return { ...made, scheduling: { ...made.scheduling, nodeSelector: selector, tolerations } }
  })
type Step =
  | { readonly kind: 'place'; readonly ask: PlaceAsk }
  | { readonly kind: 'release'; readonly which: number }
  | { readonly kind: 'room'; readonly node: number; readonly cpu: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: asks.map((one): Step => ({ kind: 'place', ask: one })) },
  { weight: 2, arbitrary: fc.nat(100).map((which): Step => ({ kind: 'release', which })) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('room' as const),
      node: fc.nat(4),
      cpu: fc.integer({ min: 0, max: 20_000 }),
    }),
  },
)

function agreesWithScan(steps: readonly Step[]): void {
  const index = new PlaceIndex(FLEET, { renewEvery: 1 })
  const scan = new Scan()
  const held: PlacedPod[] = []
  for (const one of steps) {
    if (one.kind === 'room') {
      index.setRoom(`${'abcde'[one.node]}`, { cpuMilli: one.cpu, memory: mib(one.cpu * 4) })
    } else if (one.kind === 'release') {
      for (const gone of held.splice(one.which % (held.length + 1), 1)) index.release(gone)
    } else {
      held.push(...placeBoth(index, scan, one.ask))
      checkLegal(nodesOf(index), held)
    }
  }
  for (const placed of held) index.release(placed)
  for (const { gpus } of nodesOf(index)) for (const gpu of gpus) must(isFree(gpu), `${gpu.id} is not free again`)
}

function placeBoth(index: PlaceIndex, scan: Scan, one: PlaceAsk): readonly PlacedPod[] {
  const before = nodesOf(index)
  const expected = scan.best(before, one)
  const placed = index.place(one)
  scan.learn(before, one)
  must((placed === undefined) === (expected === undefined), `${JSON.stringify(one)}: one of the two finds no place`)
  if (placed === undefined || expected === undefined) return []
  must(Math.abs(placed.loss - expected) < 1e-9, `loss ${placed.loss}, by the scan ${expected}`)
  return [placed]
}

function checkLegal(views: readonly IndexedNode[], held: readonly PlacedPod[]): void {
  for (const { node: of, gpus } of views) {
    for (const gpu of gpus) {
      if (gpu.kind === 'shared') must(gpu.freeMilli >= 0, `${gpu.id} gave more than it has`)
      if (gpu.kind !== 'dynamic' || of.board === undefined) continue
      const layout = gpu.instances.map(({ instance }) => instance)
      must(isFeasible(of.board, layout).kind === 'feasible', `${gpu.id} cannot have this layout`)
      const owners = held.filter((placed) => placed.instance !== undefined && placed.gpus.includes(gpu.id))
      must(owners.length === layout.length, `${gpu.id} has instances of nobody`)
    }
  }
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

const isFree = (gpu: IndexedGpu): boolean => {
  if (gpu.kind === 'held') return false
  return gpu.kind === 'shared'
    ? gpu.freeMilli === 1000 && gpu.holder === undefined
    : !gpu.instances.some(({ held }) => held)
}

/** The same score by looking at every GPU, with none of the index's tables; prices are written out again. */
class Scan {
  private readonly seen = new Map<string, number>()

  best(views: readonly IndexedNode[], one: PlaceAsk): number | undefined {
    const losses: number[] = []
    for (const view of views) {
      if (!this.allows(view, one)) continue
      if (one.wants.kind === 'whole') losses.push(...this.nodeLosses(views, view, one.wants.count))
      else for (const gpu of view.gpus) losses.push(...this.gpuLosses(views, view, { gpu, one }))
    }
    return losses.length === 0 ? undefined : Math.min(...losses)
  }

  learn(views: readonly IndexedNode[], one: PlaceAsk): void {
    const allowed = views.filter(({ node: at }) => this.mayServe(at, one))
    const rows = new Set(allowed.flatMap(({ node: at }) => rowNames(at, one.wants)))
    const { wants: want } = one
    const weight = want.kind === 'share' ? want.milli / 1000 : want.kind === 'whole' ? want.count : 1
    for (const row of rows) this.seen.set(row, (this.seen.get(row) ?? 0) + weight / rows.size)
  }

  private nodeLosses(views: readonly IndexedNode[], view: IndexedNode, count: number): number[] {
    const free = view.gpus.filter((gpu) => this.isWhole(gpu))
    const [gpu] = free
    if (gpu === undefined || free.length < count) return []
    return [count * this.value(views, view, gpu) - 1e-6 / (1 + free.length)]
  }

  // Demand is counted where rules that many nodes share allow it; a wish for one host does not make the others scarcer.
  private mayServe({ model, room }: PlaceNode, { models, scheduling }: PlaceAsk): boolean {
    const nodeSelector = 'kubernetes.io/hostname' in scheduling.nodeSelector ? {} : scheduling.nodeSelector
    const allowed = models.length === 0 || models.includes(model)
    return allowed && nodeRefusal({ ...scheduling, nodeSelector }, room) === undefined
  }

  private gpuLosses(
    views: readonly IndexedNode[],
    view: IndexedNode,
    { gpu, one }: { gpu: IndexedGpu; one: PlaceAsk },
  ): number[] {
    const before = this.value(views, view, gpu)
    const tie = fullness(view.node.board, gpu) * 1e-6
    if (one.wants.kind === 'share') return this.canShare(gpu, one, one.wants.milli) ? [whole(gpu, before) - tie] : []
    const { board } = view.node
    if (board === undefined || (gpu.kind !== 'cut' && gpu.kind !== 'dynamic')) return []
    const nexts = profilesFor(board, one.wants).flatMap((profile) =>
      gpu.kind === 'cut' ? withoutFree(gpu.instances, profile.name) : withNew(gpu.instances, board, profile),
    )
    return nexts.map((instances) => before - this.value(views, view, { ...gpu, instances }) - tie)
  }

  private canShare(gpu: IndexedGpu, { tenant }: PlaceAsk, milli: number): boolean {
    if (gpu.kind !== 'shared' || gpu.freeMilli < milli) return false
    return gpu.holder === undefined || gpu.holder.tenant === (tenant ?? '')
  }

  private value(views: readonly IndexedNode[], { node: at }: IndexedNode, gpu: IndexedGpu): number {
    const same = views.filter(({ node: other }) => (other.board?.key ?? other.model) === (at.board?.key ?? at.model))
    const gpus = same.flatMap((view) => view.gpus)
    const names = [...(at.board?.profiles ?? []).map(({ name }) => name), 'whole']
    const seen = names.map((name) => this.expected(at, name))
    const total = seen.reduce((sum, count) => sum + count, 0)
    return names.reduce((sum, name, row) => {
      const room = gpus.reduce((rooms, each) => rooms + this.room(at.board, each, name), 0)
      const price = (gpus.length * ((seen[row] ?? 0) / total) * worth(at.board, name)) / (room + 1)
      return sum + price * this.room(at.board, gpu, name)
    }, 0)
  }

  private expected({ board, model }: PlaceNode, name: string): number {
    const learned = this.seen.get(`${board?.key ?? model} ${name}`) ?? 0
    if (name === 'whole' || board === undefined) return learned + 1
    const plain = plainProfiles(board).find((profile) => profile.name === name)
    return learned + (plain === undefined ? 0 : board.computeSlices / plain.computeSlices)
  }

  private room(board: Board | undefined, gpu: IndexedGpu, name: string): number {
    if (name === 'whole') return this.isWhole(gpu) ? 1 : 0
    const profile = board === undefined ? undefined : profileOf(board, name)
    if (board === undefined || profile === undefined) return 0
    if (gpu.kind === 'cut')
      return gpu.instances.filter(({ instance, held }) => !held && instance.profile === name).length
    if (gpu.kind !== 'dynamic') return 0
    return placeableTogether(
      board,
      gpu.instances.map(({ instance }) => instance),
      profile,
    )
  }

  private isWhole = (gpu: IndexedGpu): boolean =>
    (gpu.kind === 'shared' && gpu.freeMilli === 1000) || (gpu.kind === 'dynamic' && gpu.instances.length === 0)

  private allows({ node: at, cpuFree, memoryFree }: IndexedNode, { models, scheduling }: PlaceAsk): boolean {
    if (models.length > 0 && !models.includes(at.model)) return false
    // A request of nothing fits on an overcommitted node too.
    if (scheduling.cpuMilli > Math.max(0, cpuFree) || scheduling.memory > Math.max(0, memoryFree)) return false
    return nodeRefusal(scheduling, at.room) === undefined
  }
}

const whole = (gpu: IndexedGpu, value: number): number => (gpu.kind === 'shared' && gpu.freeMilli === 1000 ? value : 0)

function worth(board: Board | undefined, name: string): number {
  const profile = board === undefined ? undefined : profileOf(board, name)
  if (board === undefined || profile === undefined) return 1
  return Math.max(profile.computeSlices / board.computeSlices, profile.size / board.memorySlices)
}

function fullness(board: Board | undefined, gpu: IndexedGpu): number {
  if (gpu.kind === 'held') return 1
  if (gpu.kind === 'shared') return 1 - gpu.freeMilli / 1000
  const units = board?.memorySlices ?? 1
  if (gpu.kind === 'dynamic') return bits(occupancy(gpu.instances.map(({ instance }) => instance))) / units
  const free = gpu.instances.reduce((sum, { instance, held }) => sum + (held ? 0 : instance.placement.size), 0)
  return 1 - free / units
}

const bits = (mask: number): number => mask.toString(2).replaceAll('0', '').length

function withoutFree(instances: readonly InstanceView[], name: string): Array<readonly InstanceView[]> {
  const free = instances.find(({ instance, held }) => !held && instance.profile === name)
  return free === undefined ? [] : [instances.map((each) => (each === free ? { ...each, held: true } : each))]
}

function withNew(
  instances: readonly InstanceView[],
  board: Board,
  profile: MigProfile,
): Array<readonly InstanceView[]> {
  const layout = instances.map(({ instance }) => instance)
  const starts = placeable(board, layout, profile)
  return starts.map((start) => [...instances, { instance: placeAt(profile, start), held: true }])
}

function rowNames({ board, model }: PlaceNode, want: GpuWant): readonly string[] {
  const market = board?.key ?? model
  if (want.kind === 'whole' || want.kind === 'share') return [`${market} whole`]
  return board === undefined ? [] : profilesFor(board, want).map(({ name }) => `${market} ${name}`)
}
