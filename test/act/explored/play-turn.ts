/* oxlint-disable complexity, max-lines-per-function, typescript/no-unsafe-type-assertion -- one turn is played in one place, and calls are played again as values without types */
import {
  DEFAULT_ACT_POLICY,
  DEFAULT_PATIENCE,
  instant,
  ratio,
  recordOf,
  seconds,
  SHOWN_POLICY,
  type ActPolicy,
  type ActionStore,
  type ClusterWriter,
} from '@septet/domain'
import { ACTION_CLASSES } from '@septet/domain/action-classes'
import { Actor, openHand, type ActorMemory } from '@septet/server/testing/act'

import { samplesOf, snapshotOf } from './cluster-view.ts'
import { told } from './state-hash.ts'
import { STORE_CALLS, type Kept, type Told } from './store-twin.ts'
import type { Answer, Call, Release, Scenario, Turn } from './world.ts'

type ActorOptions = ConstructorParameters<typeof Actor>[0]

/** A bug that is planted into what an actor works with, or into the store. */
export type Bug = {
  readonly store?: (store: ActionStore) => ActionStore
  readonly writer?: (writer: ClusterWriter) => ClusterWriter
  readonly options?: (options: ActorOptions, writer: ClusterWriter) => ActorOptions
  /** Whoever takes the lead gets no new number. */
  readonly isUnnumbered?: true
  /** What the store does instead; undefined: what it always does. */
  readonly call?: (kept: Kept, name: string, given: readonly unknown[]) => Told | undefined
}

/** Does a call that is answered at once, and tells what came of it. */
export type AtOnce = (call: Call) => Answer

export type Played = { readonly turn: Turn } | { readonly memory: ActorMemory }

const NO_LIMITS = { pods: undefined, nodes: undefined, gpus: undefined, usdPerHour: undefined }
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

function policyOf({ policy: { podsPerHour, warningSeconds = 0 } }: Scenario): ActPolicy {
  return {
    ...DEFAULT_ACT_POLICY,
    modes: recordOf(ACTION_CLASSES, () => 'approve'),
    minimum: { usdPerMonth: 0, gpuHoursPerMonth: 0, confidence: ratio(0) },
    limits: { run: NO_LIMITS, hour: { ...NO_LIMITS, pods: podsPerHour }, day: NO_LIMITS },
    warning: seconds(warningSeconds),
    watch: seconds(15),
    coolDown: seconds(0),
    approvalHolds: seconds(120),
  }
}

/** Calls that nobody comes between: looks, rehearsals, and what ends with the look at who may act. */
function isAnsweredAtOnce(
  { port, name, given: [first, second] }: Call,
  rehearsed: ReadonlySet<unknown>,
  isFine: boolean,
): boolean {
  if (port === 'cluster') {
    if (name !== 'write') return !isFine || isLease(first)
    return isLease(first) || (second as { dryRun: boolean }).dryRun
  }
  if (name === 'intend') return (first as { isRehearsal?: boolean }).isRehearsal === true
  if (name === 'settle') return rehearsed.has(`${String(first)}/${String(second)}`)
  return name !== 'advance'
}

const isLease = (given: unknown): boolean => {
  const { name, object } = given as { readonly name?: string; readonly object?: { readonly name: string } }
  const own = object?.name ?? name
  return own === 'septet-actor' || own === 'septet-stop'
}

/** Each turn begins with what was remembered, and changes it. */
const copied = (memory: ActorMemory): ActorMemory => ({
  ...memory,
  tidied: new Set(memory.tidied),
  looked: new Map(memory.looked),
  worse: new Map(memory.worse),
  resting: new Map(memory.resting),
})

/** A server takes itself for out of its lead after so long without a word, milliseconds. */
const OWN_MS = 7000

const WRITER_CALLS = ['get', 'list', 'write']

/**
 * Plays a turn of the actor that ships up to where it has to wait: anew from its beginning, with what it was answered then. Its
 * code is run and nothing of it is told over.
 */
export async function playTurn(
  { begins, answers, releases }: Omit<Turn, 'pending'>,
  { scenario, bug, atOnce }: { readonly scenario: Scenario; readonly bug: Bug | undefined; readonly atOnce: AtOnce },
): Promise<Played> {
  const memory = copied(begins.memory)
  let all = answers
  const known = new Map<number, Answer>()
  for (let each = answers; each !== undefined; each = each.before) known.set(each.number, each.answer)
  const waiting = new Map<number, { readonly call: Call; readonly end: (answer: Answer) => void }>()
  const rehearsed = new Set<unknown>()
  let now = begins.now
  let { reading, lead }: Pick<Release, 'reading' | 'lead'> = begins
  let number = 0
  const called = (port: Call['port'], name: string, given: readonly unknown[]): Promise<unknown> => {
    number += 1
    const call: Call = { number, port, name, given, at: now }
    if (isAnsweredAtOnce(call, rehearsed, scenario.isFine === true)) {
      const before = known.get(number)
      const answer = before ?? atOnce(call)
      if (before === undefined) all = told(all, number, answer, begins.now)
      if (name === 'intend' && 'value' in answer)
        rehearsed.add(`${(given[0] as { run: string }).run}/${(answer.value as { number: number }).number}`)
      return settled(answer)
    }
    return new Promise((resolve, reject) => {
      waiting.set(number, { call, end: (answer) => void settled(answer).then(resolve, reject) })
    })
  }
  const port = (of: Call['port'], names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, (...given: readonly unknown[]) => called(of, name, given)]))
  const store = port('store', STORE_CALLS) as unknown as ActionStore
  const writer = { ...port('cluster', WRITER_CALLS), close: async () => undefined } as unknown as ClusterWriter
  const policy = policyOf(scenario)
  const options: ActorOptions = {
    cluster: 'drawn',
    // Whoever was not heard of takes itself for out of it before others do.
    lead: () => (lead !== undefined && now - lead.at < OWN_MS ? { cluster: 'drawn', token: lead.token } : undefined),
    store: bug?.store?.(store) ?? store,
    hand: openHand(bug?.writer?.(writer) ?? writer),
    snapshot: () => reading && snapshotOf(reading),
    clock: () => instant(now),
    log: silent,
    operatorNamespace: 'gpu-operator',
    namespace: 'septet',
    patience: { ...DEFAULT_PATIENCE, reconfigure: 15_000, leave: 15_000, settle: 15_000 },
    samples: () => (reading === undefined ? [] : samplesOf(reading)),
    policy: async () => policy,
    plans: async () => SHOWN_POLICY,
    roleOf: async () => 'admin',
    prices: async () => [],
    advised: async () => scenario.runs.flatMap(({ cause }) => (cause.kind === 'advice' ? [cause.recommendation] : [])),
    changed: () => undefined,
    installation: async () => 'septet',
    everyMs: 1000,
  }
  const actor = new Actor(bug?.options?.(options, writer) ?? options, memory)
  let isOver = false
  const over = (): void => {
    isOver = true
  }
  // A turn that fails is logged, and there is a next one.
  void actor.turn().then(over, over)
  await quiet()
  for (const release of releases) {
    ;({ now, reading, lead } = release)
    const answer = known.get(release.number)
    if (answer === undefined) throw new Error('it was never answered')
    waiting.get(release.number)?.end(answer)
    waiting.delete(release.number)
    await quiet()
  }
  if (isOver) return { memory }
  const pending = [...waiting.values()].map(({ call }) => call)
  if (pending.length === 0) throw new Error('a turn waits for nothing')
  return { turn: { begins, answers: all, releases, pending } }
}

const settled = async (answer: Answer): Promise<unknown> => {
  if ('error' in answer) throw new Error(answer.error)
  return answer.value
}

/** Once nothing is left to be done at this instant. */
const quiet = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
