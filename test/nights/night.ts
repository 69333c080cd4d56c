/* oxlint-disable complexity, typescript/no-unsafe-type-assertion -- all that must hold at an hour stands in one list, and what nobody asks for is left out */
import {
  COST_PARTS,
  HOUR_MS,
  instant,
  rangeText,
  type ClusterReader,
  type Store,
  type TelemetryReader,
  type TelemetryReading,
} from '@septet/domain'
import {
  ADMIN,
  askAs,
  ClusterPipeline,
  CSV_FILES,
  factsOf,
  LoopRecord,
  makeAnswers,
  parseCsv,
} from '@septet/server/testing/nights'
import { openTestStore } from '@septet/storage/testing'
import { draw } from '@septet/domain/testing'
import { readManifest } from '@septet/connectors'

import { randomFrom } from '../../bench/random-from.ts'
import { GPUS, NightCluster } from './night-cluster.ts'

/** From one look to the next, milliseconds. */
const STEP_MS = 300_000
/** Upkeep is late on a busy machine. */
const EVERY_MS: Readonly<Record<string, number>> = { upkeep: 1_800_000 }
/** The faces are compared every so many hours. */
const FACES_HOURS = 6
const BEGIN = Date.UTC(2026, 10, 18)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const RECORD = { id: 'night', name: 'night', kind: 'cluster', createdAt: instant(BEGIN) } as const

/** What goes wrong, how often it begins at a look, and for how many looks it lasts at most. */
const FAULTS = {
  'the API server is away': { often: 0.01, looks: 12 },
  'exporters are away': { often: 0.01, looks: 18 },
  'exporters tell garbage': { often: 0.015, looks: 6 },
  'the store is away': { often: 0.008, looks: 4 },
  'a reading is told twice': { often: 0.02, looks: 1 },
  'the clock jumps ahead': { often: 0.003, looks: 1 },
  'the process dies': { often: 0.008, looks: 1 },
} as const
type Fault = keyof typeof FAULTS

export type Night = {
  readonly seed: number
  readonly days: number
  readonly faults: Readonly<Record<string, number>>
  readonly checks: number
  /** What was not as it must be, with the hour. */
  readonly flaws: readonly string[]
}

type Loop = { readonly name: string; readonly work: () => Promise<void>; readonly everyMs: number; dueAt: number }

/** Some days of a small cluster, told by a seed: what is read, what goes wrong, and what must hold at each hour. */
export async function playNight(seed: number, days: number, loses = false): Promise<Night> {
  const store = await openTestStore()
  try {
    return await new Playing(seed, store, loses).play(days)
  } finally {
    await store.close()
  }
}

/** More than a reader sees. */
const far = (a: number, b: number): boolean => Math.abs(a - b) > 0.0005

class Playing {
  readonly #seed: number
  readonly #random: () => number
  readonly #cluster: NightCluster
  readonly #store: Store
  readonly #going = new Map<Fault, number>()
  readonly #faults: Record<string, number> = {}
  readonly #flaws: string[] = []
  #now = BEGIN
  #checks = 0
  #loops: Loop[] = []
  #pipeline: ClusterPipeline | undefined
  #told = 0
  /** Of a store that is away: it does what it is asked, and nobody hears of it. */
  #isLate = false
  #writes = 0
  readonly #loses: boolean
  /** Hours in which something went wrong. */
  readonly #disturbed = new Set<number>()
  #last: TelemetryReading | undefined
  /** Looks at which something good was read. */
  readonly #good = new Set<number>()
  /** Seconds that were measured in what a flush has acknowledged, by hour. */
  readonly #acknowledged = new Map<number, number>()

  constructor(seed: number, store: Store, loses: boolean) {
    this.#loses = loses
    this.#seed = seed
    this.#random = randomFrom(seed)
    this.#cluster = new NightCluster(seed + 1)
    this.#store = store
  }

  async play(days: number): Promise<Night> {
    const ends = BEGIN + days * 24 * HOUR_MS
    await this.#open()
    for (let hour = Math.floor(this.#now / HOUR_MS); this.#now < ends;) {
      this.#now += STEP_MS
      this.#cluster.step()
      await this.#disturb()
      if (this.#going.size > 0) this.#disturbed.add(Math.floor(this.#now / HOUR_MS))
      for (const loop of this.#loops) await this.#run(loop)
      const next = Math.floor(this.#now / HOUR_MS)
      if (next > hour && !this.#going.has('the store is away')) await this.#check()
      hour = next
    }
    return { seed: this.#seed, days, faults: this.#faults, checks: this.#checks, flaws: this.#flaws }
  }

  async #run(loop: Loop): Promise<void> {
    if (loop.dueAt > this.#now) return
    loop.dueAt = this.#now + loop.everyMs
    await loop.work()
    if (loop.name !== 'store') return
    const isAway = this.#is('the store is away')
    const isTold =
      this.#pipeline
        ?.facts()
        .problems()
        .some(({ code }) => code === 'usage-not-saved') ?? false
    this.#flaw(
      isTold === isAway ? undefined : `the store is ${isAway ? 'away' : 'there'}, and that is not what is told`,
    )
  }

  async #disturb(): Promise<void> {
    for (const [fault, looks] of this.#going) {
      if (looks <= 1) this.#going.delete(fault)
      else this.#going.set(fault, looks - 1)
    }
    for (const [fault, { often, looks }] of Object.entries(FAULTS)) {
      if (this.#random() >= often || this.#going.has(fault as Fault)) continue
      this.#faults[fault] = (this.#faults[fault] ?? 0) + 1
      this.#going.set(fault as Fault, 1 + Math.floor(this.#random() * looks))
      // What was read last, and is not written yet, is of the hour before it sometimes.
      this.#disturbed.add(Math.floor((this.#now - STEP_MS) / HOUR_MS))
      if (fault === 'the clock jumps ahead') this.#now += 7 * 60_000
      this.#isLate = this.#random() < 0.3
      if (fault === 'the process dies') await this.#open()
    }
  }

  #is = (fault: Fault): boolean => this.#going.has(fault)

  /** A planted bug: a store that says yes and keeps nothing, each ninth time. */
  #lost(): boolean {
    this.#writes += 1
    return this.#writes % 9 === 0
  }

  /** A process begins; of the one before nothing is left but what it has stored. */
  async #open(): Promise<void> {
    this.#loops = []
    this.#pipeline = new ClusterPipeline({
      record: RECORD,
      admission: undefined,
      reader: this.#reader(),
      telemetry: this.#telemetry(),
      history: undefined,
      inference: undefined,
      feed: undefined,
      engine: undefined,
      store: this.#faulty(this.#store),
      log: silent,
      clock: () => instant(this.#now),
      pace: { pollSeconds: STEP_MS / 1000, storeSeconds: 300, recommendSeconds: 86_400, historyDays: 1 },
      repeat: (work, { name, everyMs, startMs = 0, onError }) => {
        const record = new LoopRecord(name, everyMs)
        // Nobody asks for advice at night.
        if (name !== 'recommend')
          this.#loops.push({
            name,
            work: () => record.run(work).catch(onError),
            everyMs: Math.max(everyMs, EVERY_MS[name] ?? 0),
            dueAt: this.#now + startMs,
          })
        return { stop: async () => undefined, state: () => record.state() }
      },
      publish: (event) => {
        this.#told += Number(event.kind === 'analysis')
      },
      observe: () => undefined,
      analyzed: () => undefined,
    })
    await this.#pipeline.start()
  }

  #reader(): ClusterReader {
    let known = this.#cluster.inventory(this.#now)
    return {
      start: async () => undefined,
      inventory: () => {
        if (!this.#is('the API server is away')) known = this.#cluster.inventory(this.#now)
        return known
      },
      onChange: () => undefined,
      state: () => ({
        kind: this.#is('the API server is away') ? 'disconnected' : 'connected',
        lastContact: instant(this.#now),
        problems: [],
      }),
      objectsOf: () => undefined,
      stop: async () => undefined,
    }
  }

  #telemetry(): TelemetryReader {
    return {
      read: async () => {
        if (this.#is('exporters are away')) throw new Error('no exporter answers')
        const before = this.#last
        this.#last = undefined
        if (this.#is('a reading is told twice') && before !== undefined) return before
        const reading = this.#cluster.reading(this.#now)
        if (!this.#is('exporters tell garbage')) {
          this.#good.add(Math.floor(this.#now / STEP_MS))
          this.#last = reading
          return reading
        }
        const samples = reading.samples.map(({ busy: _busy, ...sample }) => ({
          ...sample,
          unusable: { busy: 'out-of-range' as const },
        }))
        return { ...reading, samples }
      },
      close: async () => undefined,
    }
  }

  /** Every call fails while the store is away, before or after it was done. */
  #faulty<Target extends object>(target: Target): Target {
    return new Proxy(target, {
      get: (object, name): unknown => {
        const member: unknown = Reflect.get(object, name)
        if (typeof member === 'object' && member !== null) return this.#faulty(member)
        if (typeof member !== 'function') return member
        return async (...given: unknown[]): Promise<unknown> => {
          if (this.#is('the store is away') && !this.#isLate) throw new Error('the store is away')
          if (this.#loses && name === 'write' && this.#lost()) return undefined
          const result: unknown = await Reflect.apply(member, object, given)
          if (this.#is('the store is away')) throw new Error('the store is away')
          return result
        }
      },
    })
  }

  #flaw(what: string | undefined): void {
    this.#checks += 1
    if (what !== undefined) this.#flaws.push(`seed ${this.#seed}, ${new Date(this.#now).toISOString()}: ${what}`)
  }

  async #check(): Promise<void> {
    await this.#checkHours()
    if (Math.floor(this.#now / HOUR_MS) % FACES_HOURS === 0) await this.#checkFaces()
    this.#flaw(this.#told === 0 ? 'nobody was told of an analysis' : undefined)
  }

  /** Of each hour no more than there was, no less than was acknowledged, and nothing measured that nobody read. */
  async #checkHours(): Promise<void> {
    const hour = Math.floor(this.#now / HOUR_MS) - 1
    for (const each of [hour, hour - 1, hour - 6]) {
      if (each * HOUR_MS < BEGIN) continue
      const window = { from: instant(each * HOUR_MS), to: instant((each + 1) * HOUR_MS) }
      const rows = await this.#store.usage.rows({ cluster: RECORD.id, span: '5m', window })
      const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + of(row), 0)
      const present = sum((row) => row.share * row.present)
      const measured = sum((row) => row.share * row.measured)
      const known = this.#acknowledged.get(each) ?? 0
      const at = new Date(window.from).toISOString()
      this.#flaw(present > GPUS * 3600 + 1e-6 ? `${at} has ${present} GPU-seconds of ${GPUS * 3600}` : undefined)
      this.#flaw(measured < known - 1e-6 ? `${at} had ${known} measured seconds, and has ${measured}` : undefined)
      const made = rows.find(
        (row) => row.measured > 0 && ![-1, 0, 1].some((by) => this.#good.has(row.at / STEP_MS + by)),
      )
      this.#flaw(
        made && `${new Date(made.at).toISOString()} has ${made.measured} measured seconds, and nothing was read`,
      )
      const isQuiet = ![-1, 0].some((by) => this.#disturbed.has(each + by)) && each * HOUR_MS > BEGIN
      const seen = sum((row) => (row.kind === 'unobserved' ? 0 : row.share * row.present))
      const isLost = isQuiet && Math.abs(seen - GPUS * 3600) > 1e-6
      this.#flaw(isLost ? `${at} has ${seen} GPU-seconds of ${GPUS * 3600}, and nothing went wrong` : undefined)
      const odd = rows.find((row) => row.measured === 0 && (row.busy !== undefined || row.idle > 0))
      this.#flaw(odd && `${at}: ${odd.partition} is ${odd.busy} busy, and nothing was measured`)
      this.#acknowledged.set(each, Math.max(known, measured))
    }
  }

  /** The screen, the interface and the files tell the same of what is stored, and its parts are the whole. */
  async #checkFaces(): Promise<void> {
    const known = this.#pipeline?.facts()
    if (known === undefined) return
    const facts = { ...factsOf(draw`a T4 [-]`, []), ...known }
    const answers = makeAnswers({
      facts: { clusters: () => [facts] },
      store: this.#store,
      now: () => this.#now,
      record: async () => undefined,
      service: {} as never,
      clusters: {} as never,
      installation: {} as never,
      alerts: {} as never,
      readManifest,
    })
    const ask = askAs(answers, ADMIN)
    const to = instant(Math.floor(this.#now / HOUR_MS) * HOUR_MS - HOUR_MS)
    const from = instant(Math.max(BEGIN, to - 24 * HOUR_MS))
    if (from >= to) return
    const range = rangeText({ kind: 'custom', window: { from, to } })
    const { total } = await ask('costBreakdown', { range, by: 'namespace' })
    const hours = await ask('costBreakdown', { range, by: 'model' })
    const usd = total?.usd
    if (usd === null || usd === undefined) return
    const parts = COST_PARTS.reduce((sum, part) => sum + (usd[part] ?? 0), 0)
    const capacity = usd.capacity ?? 0
    this.#flaw(far(parts, capacity) ? `the parts cost $${parts}, and the capacity $${capacity}` : undefined)
    const models = hours.groups.reduce((sum, group) => sum + (group.usd?.capacity ?? 0), 0)
    this.#flaw(far(models, capacity) ? `the models cost $${models}, and the capacity $${capacity}` : undefined)
    const summary = (await ask('summaryGet', { range })).cost.capacity.value ?? 0
    this.#flaw(far(summary, capacity) ? `the summary says $${summary}, and the breakdown $${capacity}` : undefined)
    const report = await ask('reportGet', { range, lines: 'hour' })
    const [names = [], ...rows] = parseCsv(CSV_FILES.focus(report))
    const billed = rows.reduce((sum, row) => sum + Number(row[names.indexOf('BilledCost')] ?? 0), 0)
    this.#flaw(far(billed, capacity) ? `the bill says $${billed}, and the screen $${capacity}` : undefined)
    const gpuHours = hours.groups.reduce((sum, group) => sum + (group.gpuHours?.capacity ?? 0), 0)
    const most = (GPUS * (to - from)) / HOUR_MS
    this.#flaw(gpuHours > most + 1e-6 ? `${gpuHours} GPU-hours of ${most}` : undefined)
  }
}
