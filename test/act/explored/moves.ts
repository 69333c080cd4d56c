/* oxlint-disable complexity, max-params, typescript/no-unsafe-type-assertion, typescript/no-base-to-string -- all that may happen stands in one list, and calls are played again as values without types */
import {
  canBeUndone,
  instant,
  isBeforeWriting,
  lastBegun,
  OVER_STATES,
  setByOthers,
  stateOf,
  type ActionRun,
  type Transition,
} from '@septet/domain'
import { nothingRemembered } from '@septet/server/testing/act'

import { isoTime, ownMoves, withObject } from './cluster-model.ts'
import { readingOf, snapshotOf } from './cluster-view.ts'
import { callStore } from './store-twin.ts'
import { arrive, ended, perform, settable, standing, type Performed } from './perform.ts'
import { playTurn, type Bug } from './play-turn.ts'
import { told } from './state-hash.ts'
import type { ActorState, Answer, Call, Left, Release, Scenario, Turn, World } from './world.ts'

/** What may happen next, in words, and what is then. */
export type Move = { readonly says: string; readonly leads: () => World | Promise<World> }

const SOON_MS = 15_000
const LONG_MS = 660_000
const ARRIVES_MS = 60_000

export const isOver = ({ kept }: World): boolean => kept.runs.every((run) => OVER_STATES.includes(stateOf(run).state))

const mayBeUndone = ({ left, kept }: World): boolean =>
  left.undo > 0 && kept.runs.some((run) => stateOf(run).state === 'kept' || stateOf(run).state === 'failed')

/** Everything that may happen next. */
export function movesFrom(world: World, scenario: Scenario, bug: Bug | undefined): readonly Move[] {
  if (
    world.flaw !== undefined ||
    (isOver(world) && !world.network.some(({ at }) => world.now - at < ARRIVES_MS) && !mayBeUndone(world))
  )
    return []
  return [
    ...world.actors.flatMap((actor, who) => actorMoves(world, { who, actor }, { scenario, bug })),
    ...clusterMoves(world, scenario),
    ...timeMoves(world),
    ...othersMoves(world, scenario),
  ].map(({ says, leads }) => ({ says, leads: async () => standing(await leads(), scenario) }))
}

const spend = (world: World, what: keyof Left): World => ({
  ...world,
  left: { ...world.left, [what]: world.left[what] - 1 },
})

function clusterMoves(world: World, scenario: Scenario): readonly Move[] {
  const own = ownMoves(world.cluster, world.now, world.left.mig > 0).map(([says, cluster]) => ({
    says,
    leads: () => ({ ...(says.endsWith('by chance') ? spend(world, 'mig') : world), cluster }),
  }))
  const late = world.network.flatMap((write, index) =>
    world.now - write.at >= ARRIVES_MS
      ? []
      : {
          says: `a write arrives late: ${write.effect}`,
          leads: () => arrive({ ...world, network: world.network.toSpliced(index, 1) }, write, scenario),
        },
  )
  return [...own, ...late]
}

function timeMoves(world: World): readonly Move[] {
  const isIdle = world.actors.every(
    ({ turn, turnedAt }) => turn === undefined && (turnedAt === world.now || world.reading === undefined),
  )
  if (!isIdle && world.left.pause === 0) return []
  const isSettled = ownMoves(world.cluster, world.now, false).length === 0
  if (!isSettled && world.left.slow === 0) return []
  const rested = isSettled ? world : spend(world, 'slow')
  const from = isIdle ? rested : spend(rested, 'pause')
  const meanwhile = isIdle ? '' : ', in which an actor stands still'
  const pass = (by: number, reads: boolean): World => {
    const now = world.now + by
    return {
      ...from,
      ...(isIdle ? renewed(from, now) : {}),
      now,
      reading: reads ? readingOf(world.cluster, now) : world.reading,
    }
  }
  return [
    { says: `15 s pass${meanwhile}`, leads: () => pass(SOON_MS, true) },
    ...(world.left.stale > 0
      ? [{ says: `15 s pass without a reading${meanwhile}`, leads: () => spend(pass(SOON_MS, false), 'stale') }]
      : []),
    ...(world.left.long > 0
      ? [{ says: `11 minutes pass${meanwhile}`, leads: () => spend(pass(LONG_MS, true), 'long') }]
      : []),
  ]
}

/** Who leads and runs says every few seconds that it is there. */
function renewed({ kept, actors }: World, now: number): Pick<World, 'kept' | 'actors'> {
  const { actor } = kept
  const leads = ({ lead }: ActorState): boolean => lead !== undefined && lead.token === actor?.token
  if (actor === undefined || !actors.some(leads)) return { kept, actors }
  return {
    kept: { ...kept, actor: { ...actor, heardAt: now } },
    actors: actors.map((each) => (leads(each) ? { ...each, lead: { token: actor.token, at: now } } : each)),
  }
}

const SWITCH = 'configmaps/septet/septet-stop'
const LEASE = 'leases/septet/septet-actor'

function othersMoves(world: World, { foreign }: Scenario): readonly Move[] {
  const { left, kept, cluster, now } = world
  const moves: Move[] = []
  const may = (says: string, leads: () => World): void => void moves.push({ says, leads })
  if (left.stop > 0) {
    const order = { cluster: undefined, at: instant(now), by: 'ann', because: 'an incident' }
    may('a person stops acting', () => spend({ ...world, kept: { ...kept, stops: [order] } }, 'stop'))
    may('a person makes the switch in the cluster', () =>
      spend(
        {
          ...world,
          cluster: withObject(
            cluster,
            SWITCH,
            { metadata: { name: 'septet-stop', namespace: 'septet' }, data: {} },
            now,
          ),
        },
        'stop',
      ),
    )
  }
  if (kept.stops.length > 0 || cluster.objects[SWITCH] !== undefined) {
    const { [SWITCH]: _, ...objects } = cluster.objects
    may('a person lets it act again', () => ({
      ...world,
      kept: { ...kept, stops: [] },
      cluster: { ...cluster, objects },
    }))
  }
  if (left.lease > 0 && now - Date.parse(leaseTime(world)) > 30_000) {
    const spec = { holderIdentity: 'other', renewTime: isoTime(now) }
    may('another installation takes the Lease', () =>
      spend(
        {
          ...world,
          cluster: withObject(cluster, LEASE, { metadata: { name: 'septet-actor', namespace: 'septet' }, spec }, now),
        },
        'lease',
      ),
    )
  }
  if (left.foreign > 0) {
    for (const { says, does } of foreign) {
      const after = does(cluster, now)
      if (after !== undefined) may(says, () => theirs(spend({ ...world, cluster: after }, 'foreign'), world))
    }
  }
  if (left.undo > 0) {
    for (const run of kept.runs) {
      const to = calledOff(world, run)
      if (to !== undefined) may(`a person calls ${run.id} off`, () => spend(moved(world, run, to), 'undo'))
    }
  }
  return moves
}

const leaseTime = ({ cluster }: World): string => {
  const spec = cluster.objects[LEASE]?.['spec']
  return typeof spec === 'object' && spec !== null && 'renewTime' in spec
    ? String(spec.renewTime)
    : '2020-01-01T00:00:00Z'
}

/** Fields that differ are from then on as somebody else has set them. */
function theirs(world: World, before: World): World {
  const changed = Object.keys(world.cluster.objects).flatMap((path) => {
    const [was, is] = [settable(before.cluster, path), settable(world.cluster, path)]
    return Object.entries(is).filter(([field, value]) => was[field] !== value)
  })
  return { ...world, ghost: { ...world.ghost, theirs: { ...world.ghost.theirs, ...Object.fromEntries(changed) } } }
}

/** What a run becomes that a person rejects or takes back, as the operations let them. */
function calledOff({ reading }: World, run: ActionRun): Pick<Transition, 'state' | 'step'> | undefined {
  if (isBeforeWriting(stateOf(run).state)) return { state: 'cancelled' }
  const isTheirs = reading !== undefined && setByOthers(run, snapshotOf(reading)) !== undefined
  if (isTheirs || !canBeUndone(run)) return undefined
  return { state: 'reverting', step: lastBegun(run) }
}

function moved(world: World, run: ActionRun, to: Pick<Transition, 'state' | 'step'>): World {
  const number = run.transitions.length + 1
  const transition: Transition = { ...to, number, at: instant(world.now), by: 'ann', because: 'It is called off.' }
  const { answer, kept } = callStore(world.kept, 'advance', [run.id, transition])
  return answer === undefined ? world : { ...world, kept }
}

type Who = { readonly who: number; readonly actor: ActorState }
type How = { readonly scenario: Scenario; readonly bug: Bug | undefined }

const NAMES = ['one', 'two', 'three']

function actorMoves(world: World, { who, actor }: Who, how: How): readonly Move[] {
  const name = NAMES[who] ?? String(who)
  const { turn } = actor
  if (turn === undefined) {
    if (actor.turnedAt === world.now || world.reading === undefined) return []
    return [{ says: `${name} begins a turn`, leads: () => begun(world, { who, actor }, how) }]
  }
  const crash: Move[] =
    world.left.crash > 0 ? [{ says: `${name} dies`, leads: () => spend(died(world, { who, actor }), 'crash') }] : []
  return [...crash, ...turn.pending.flatMap((call) => answersTo(world, { who, actor, turn, call, name }, how))]
}

const withActor = (world: World, who: number, actor: ActorState): World => ({
  ...world,
  actors: world.actors.map((each, index) => (index === who ? actor : each)),
})

function died(world: World, { who, actor }: Who): World {
  const lives = actor.lives + 1
  return withActor(world, who, {
    memory: nothingRemembered(),
    lead: undefined,
    turn: undefined,
    turnedAt: world.now,
    looked: { at: 0, isStop: false },
    intents: [],
    lives,
  })
}

/** Without a word for so long a lead is taken by another, milliseconds. */
const LEASE_MS = 8000

/** The lead is kept, or taken where it is free: once before each turn, as its own loop does every few seconds. */
function led(world: World, who: number, actor: ActorState, bug: Bug | undefined): World {
  const { now, kept } = world
  const held = kept.actor
  const holder = `${who} ${actor.lives}`
  const isOwn = held?.holder === holder && actor.lead?.token === held.token
  const isFree = held === undefined || held.holder === undefined || now - held.heardAt > LEASE_MS
  if (!isOwn && !isFree) return withActor(world, who, { ...actor, lead: undefined })
  const token = (held?.token ?? 0) + (isOwn || (bug?.isUnnumbered === true && held !== undefined) ? 0 : 1)
  const next = { ...world, kept: { ...kept, actor: { token, holder, heardAt: now } } }
  return withActor(next, who, { ...actor, lead: { token, at: now } })
}

function begun(world: World, { who, actor }: Who, how: How): World | Promise<World> {
  const at = led(world, who, { ...actor, turnedAt: world.now, intents: [] }, how.bug)
  const lead = at.actors[who]?.lead
  // Whoever does not lead does nothing.
  if (lead === undefined) return at
  const begins = { now: world.now, reading: world.reading, memory: actor.memory, lead }
  return played(at, who, { begins, answers: undefined, releases: [] }, how)
}

/** Goes on with a turn, and carries out at once what nobody comes between. */
async function played(world: World, who: number, turn: Omit<Turn, 'pending'>, { scenario, bug }: How): Promise<World> {
  let at = world
  const atOnce = (call: Call): Answer => {
    const done = perform(at, who, call, { scenario, bug })
    at = done.world
    return done.answer
  }
  const result = await playTurn(turn, { scenario, bug, atOnce })
  const actor = at.actors[who]
  if (actor === undefined) throw new Error('nobody')
  if ('turn' in result) return withActor(at, who, { ...actor, turn: result.turn })
  return ended(withActor(at, who, { ...actor, turn: undefined, memory: result.memory }), turn.releases)
}

type Answering = Who & { readonly turn: Turn; readonly call: Call; readonly name: string }

/** All that may come of a call: it is done and answered, or something goes wrong on the way there or back. */
function answersTo(world: World, at: Answering, how: How): readonly Move[] {
  const { who, turn, call, name } = at
  const what = wordsFor(call)
  const goOn = ({ world: after, answer, settles }: Performed, isLost = false): Promise<World> => {
    const release: Release = {
      number: call.number,
      now: after.now,
      reading: after.reading,
      lead: after.actors[who]?.lead,
      settles,
      isLost,
    }
    const answers = told(turn.answers, call.number, answer, turn.begins.now)
    return played(after, who, { begins: turn.begins, answers, releases: [...turn.releases, release] }, how)
  }
  const done = perform(world, who, call, how)
  const lost: Answer = { error: 'no answer came' }
  const { left } = world
  const moves: Move[] = [{ says: `${name}: ${what}`, leads: () => goOn(done) }]
  const may = (often: keyof Left, says: string, leads: () => World | Promise<World>): void => {
    if (left[often] > 0)
      moves.push({ says: `${name}: ${what}, ${says}`, leads: async () => spend(await leads(), often) })
  }
  if (call.name === 'get' || call.name === 'list') return moves
  may('crash', 'and it dies before it hears of it', () => died(done.world, at))
  may('lost', 'and its answer is lost', () => goOn({ ...done, answer: lost }, true))
  may('lost', 'which does not arrive', () => goOn({ ...done, world, answer: lost }, true))
  const { sent } = done
  if (sent !== undefined) {
    may('late', 'which arrives later', () =>
      goOn({ ...done, world: { ...world, network: [...world.network, sent] }, answer: lost }, true),
    )
    may('late', 'which arrives again later', () =>
      goOn({ ...done, world: { ...done.world, network: [...done.world.network, sent] } }),
    )
    const busy = { kind: 'later', because: 'too many requests', afterMs: undefined }
    may('refused', 'and the API server is busy', () => goOn({ world, answer: { value: busy } }))
    const no = { kind: 'refused', because: 'it is invalid', status: 422 }
    may('refused', 'and the API server refuses', () => goOn({ world, answer: { value: no } }))
  }
  return moves
}

function wordsFor({ name, given }: Call): string {
  const [first, second, third] = given as [Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]
  if (name === 'intend') return `records “${String(first['says'])}”`
  if (name === 'settle') return `writes down that write ${String(second)} was ${String(third['kind'])}`
  if (name === 'advance')
    return `${String(first)} is ${String(second['state'])} (${String(second['step'] ?? '')} ${String(second['because'])})`
  if (name === 'write') {
    const { resource, name: object } = first['object'] as { resource: string; name: string }
    return `sends ${String(first['verb'])} ${resource}/${object}`
  }
  return `${name}s`
}
