import { HOUR_MS, instant, seconds, type Seconds } from '../../units.ts'
import { Replay } from '../../replay/replay.ts'
import { seededChance } from '../simulate/seeded-chance.ts'
import type { Action } from '../words/action.ts'
import type { Appointment, AppointmentAsk } from './appointment.ts'
import { endOf, FencedCluster, free, type Job, type Running } from './fenced-cluster.fake.ts'
import { planAppointment } from './plan-appointment.ts'

export type FencedRun = {
  readonly seed: number
  readonly hours: number
  readonly nodes: number
  /** Mean hours between arrivals, and between appointments. */
  readonly arrivals: number
  readonly appointments: number
  /** No work runs longer, and appointments count on it; undefined: they do not. */
  readonly longest?: Seconds
}

/** What came of it. `faults` are promises that were broken, each in a sentence: there must be none. */
export type FencedOutcome = {
  arrived: number
  started: number
  /** Let in behind a fence, and the GPU-hours that these used. */
  backfilled: number
  backfilledHours: number
  asked: number
  kept: number
  refused: number
  evicted: number
  /** Appointments for which no plan evicts fewer, proven. */
  proven: number
  /** GPU-hours that the plans said would stand idle if nothing were let in. */
  idleHours: number
  readonly faults: string[]
}

const GPUS_PER_NODE = 8
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['lab/a', 1],
  ['lab/b', 3],
])
/** A restart of the beneficiary's pods in the middle of the appointment: their GPUs must still be there. */
const RESTART = 600_000

type Event = { readonly at: number; readonly happen: (now: number) => void }

/** Work comes and goes for so many hours, while appointments are made on what is read and carried out by their steps. */
export function runFenced(of: FencedRun): FencedOutcome {
  const run = new Run(of)
  run.toEnd()
  return run.outcome
}

class Run {
  readonly outcome: FencedOutcome = {
    arrived: 0,
    started: 0,
    backfilled: 0,
    backfilledHours: 0,
    asked: 0,
    kept: 0,
    refused: 0,
    evicted: 0,
    proven: 0,
    idleHours: 0,
    faults: [],
  }
  readonly #of: FencedRun
  readonly #chance: () => number
  readonly #cluster: FencedCluster
  readonly #replay: Replay<Event>
  /** Evictions that are planned and not done, by budget. */
  readonly #reserved = new Map<string, number>()
  /** Nodes that are spoken for, closed or not. */
  readonly #spokenFor = new Set<string>()
  #jobs = 0

  constructor(of: FencedRun) {
    this.#of = of
    this.#chance = seededChance(of.seed)
    this.#cluster = new FencedCluster(of.nodes, GPUS_PER_NODE, BUDGETS)
    this.#replay = new Replay<Event>(
      { comesAt: () => undefined, until: of.hours * HOUR_MS },
      {
        ended: (events) => {
          for (const { at, happen } of events) happen(at)
        },
      },
    )
    this.#arriveAt(0)
    this.#askAt(this.#after(of.appointments))
  }

  toEnd(): void {
    this.#replay.advance()
  }

  /** Milliseconds to the next of something that comes every so many hours on the mean. */
  #after(hours: number): number {
    return -Math.log(1 - this.#chance()) * hours * HOUR_MS
  }

  #at(at: number, happen: Event['happen']): void {
    this.#replay.willEnd({ at, happen })
  }

  #arriveAt(at: number): void {
    this.#at(at, (now) => {
      this.outcome.arrived += 1
      this.#cluster.waiting.push(this.#drawJob())
      this.#schedule(now)
      this.#arriveAt(now + this.#after(this.#of.arrivals))
    })
  }

  #drawJob(): Job {
    const chance = this.#chance
    this.#jobs += 1
    const grace = seconds(chance() < 0.8 ? 30 : 300)
    const most = this.#of.longest === undefined ? Infinity : this.#of.longest - grace - 60
    const runs = seconds(Math.min(most, 60 + this.#after(6) / 1000))
    // Some say too little and are ended by it.
    const limit = chance() < 0.5 ? seconds(Math.ceil(runs * (0.8 + 1.5 * chance()))) : undefined
    const size = [1, 1, 1, 2, 2, 4, 8][Math.floor(chance() * 7)] ?? 1
    const budget = [undefined, undefined, 'lab/a', 'lab/b'][Math.floor(chance() * 4)]
    return { id: `lab/job-${this.#jobs}`, gpus: size, runs, limit, grace, managed: chance() < 0.85, budget }
  }

  #schedule(now: number): void {
    for (const pod of this.#cluster.schedule(now)) {
      this.outcome.started += 1
      const end = endOf(pod, this.#chance)
      if (pod.role === 'backfill') {
        this.outcome.backfilled += 1
        this.outcome.backfilledHours += (pod.gpus * (end - now)) / HOUR_MS
      }
      this.#at(end, (at) => this.#end(pod, at))
    }
  }

  /** Anyone who was evicted meanwhile runs as another. */
  #end(pod: Running, now: number): void {
    if (this.#cluster.running.get(pod.id) !== pod) return
    this.#cluster.stop(pod)
    this.#schedule(now)
  }

  #askAt(at: number): void {
    this.#at(at, (now) => {
      this.#ask(now)
      this.#askAt(now + this.#after(this.#of.appointments))
    })
  }

  #ask(now: number): void {
    const chance = this.#chance
    const perNode = [1, 4, 8][Math.floor(chance() * 3)] ?? 1
    const most = Math.max(1, Math.floor((this.#of.nodes * GPUS_PER_NODE * 0.4) / perNode))
    const { longest } = this.#of
    const ask: AppointmentAsk = {
      gpus: perNode * (1 + Math.floor(chance() * most)),
      perNode,
      at: instant(Math.round(now + HOUR_MS * (1 + 47 * chance()))),
      length: seconds(Math.round(3600 * (1 + 11 * chance()))),
      except: [...this.#spokenFor],
      ...(longest === undefined ? {} : { longest }),
    }
    this.outcome.asked += 1
    const answer = planAppointment({ snapshot: this.#cluster.snapshot(now, this.#reserved), ask, maxDisplaced: 10 })
    if (answer.kind === 'none') this.outcome.refused += 1
    else this.#carryOut(answer)
  }

  #carryOut(appointment: Appointment): void {
    const { plan, ask, moves, bound, idle, endsAt, nodes } = appointment
    for (const { node } of nodes) this.#spokenFor.add(node)
    this.outcome.idleHours += idle
    this.outcome.proven += moves === bound ? 1 : 0
    for (const { action } of plan.steps) if (action.kind === 'evict') this.#reserve(action.pod, 1)
    for (const { action, notBefore = 0 } of plan.steps) {
      if (action.kind === 'uncordon') continue
      this.#at(notBefore, (now) => this.#step(action, appointment, now))
    }
    this.#at(ask.at, (now) => this.#begin(appointment, now))
    this.#at(endsAt, (now) => this.#release(appointment, now))
  }

  #reserve(id: string, by: 1 | -1): void {
    const budget = this.#cluster.running.get(id)?.budget
    if (budget !== undefined) this.#reserved.set(budget, (this.#reserved.get(budget) ?? 0) + by)
  }

  #step(action: Action, { ask }: Appointment, now: number): void {
    if (action.kind === 'cordon') {
      const node = this.#cluster.nodes.find(({ name }) => name === action.node)
      if (node?.closedFor !== undefined) this.outcome.faults.push(`${node.name} was closed by two appointments.`)
      if (node !== undefined) node.closedFor = ask.at
    }
    if (action.kind === 'evict') this.#evict(action.pod, ask, now)
  }

  #evict(id: string, ask: AppointmentAsk, now: number): void {
    const pod = this.#cluster.running.get(id)
    if (pod === undefined) return
    if (pod.budget !== undefined && this.#cluster.allowedNow(pod.budget) <= 0) {
      // As a person would who runs the commands again.
      if (now + 60_000 < ask.at) this.#at(now + 60_000, (later) => this.#evict(id, ask, later))
      return
    }
    if (pod.role !== 'work') this.outcome.faults.push(`${id} was let in and evicted all the same.`)
    this.#reserve(id, -1)
    this.outcome.evicted += 1
    this.#at(now + pod.grace * 1000 * this.#chance(), (stopped) => {
      if (this.#cluster.running.get(id) !== pod) return
      this.#cluster.stop(pod)
      const { gpus, runs, limit, grace, managed, budget } = pod
      this.#cluster.waiting.push({ id, gpus, runs, limit, grace, managed, budget, evicted: true })
      this.#schedule(stopped)
    })
  }

  /** The instant: the GPUs must be free, and nobody who was let in still be there. */
  #begin(appointment: Appointment, now: number): void {
    const before = this.outcome.faults.length
    for (const { node, gpus } of appointment.nodes) {
      const there = this.#cluster.nodes.find(({ name }) => name === node)
      if (there === undefined || free(there).length < gpus) this.outcome.faults.push(`${node} lacks GPUs at ${now}.`)
      for (const pod of this.#cluster.running.values())
        if (pod.node === there && pod.role === 'backfill') this.outcome.faults.push(`${pod.id} is still on ${node}.`)
    }
    this.outcome.kept += this.outcome.faults.length === before ? 1 : 0
    const pods = this.#enter(appointment, now)
    const middle = (now + appointment.endsAt) / 2
    this.#at(middle, () => pods.forEach((pod) => this.#cluster.stop(pod)))
    this.#at(Math.min(middle + RESTART, appointment.endsAt - 1), (later) => {
      const again = this.#enter(appointment, later)
      this.#at(appointment.endsAt - 0.5, () => again.forEach((pod) => this.#cluster.stop(pod)))
    })
  }

  #enter({ nodes, ask, plan }: Appointment, now: number): readonly Running[] {
    return nodes.flatMap(({ node: name, gpus }) => {
      const node = this.#cluster.nodes.find((each) => each.name === name)
      if (node === undefined) return []
      const job: Job = {
        id: `team/${plan.id}-${name}`,
        gpus,
        runs: ask.length,
        limit: undefined,
        grace: seconds(30),
        managed: true,
        budget: undefined,
      }
      const pod = this.#cluster.start(job, node, { now, role: 'beneficiary' })
      if (pod.gpusHeld.length < gpus) this.outcome.faults.push(`${name} lost GPUs of the appointment at ${now}.`)
      return [pod]
    })
  }

  #release({ nodes }: Appointment, now: number): void {
    for (const { node } of nodes) {
      this.#spokenFor.delete(node)
      const there = this.#cluster.nodes.find(({ name }) => name === node)
      if (there !== undefined) there.closedFor = undefined
    }
    this.#schedule(now)
  }
}
