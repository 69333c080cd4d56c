/* oxlint-disable max-params, typescript/no-unsafe-type-assertion -- objects have no types */
import { ofThisStep, stateOf, textAt, type ActionRun, type RecordedWrite } from '@septet/domain'
import type { ActorMemory } from '@septet/server/testing/act'

import { isoTime, type Cluster } from './cluster-model.ts'
import type { Kept } from './store-twin.ts'
import type { ActorState, Answer, Told, Turn, World } from './world.ts'

/** A number of 53 bits for a text. */
function textHash(text: string, seed = 0): number {
  let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  return joined(a, b)
}

function joined(first: number, second: number): number {
  let [a, b] = [first, second]
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

const LOW = 4294967296
const mixed = (hash: number, value: number): number =>
  joined(
    (hash % LOW) ^ Math.imul(value % LOW, 2654435761),
    Math.floor(hash / LOW) ^ Math.imul(Math.floor(value / LOW) + 0x9e3779b9, 1597334677),
  )

/**
 * Ages are told apart as far as anything waits for them: quarters of a minute up to half a one, then ten minutes and an hour.
 * Milliseconds.
 */
function ageClass(age: number, most = 30_000): number {
  const size = Math.abs(age)
  const seconds = size >= 3_600_000 ? 1003 : size >= 660_000 ? 1002 : size >= most ? 1001 : Math.round(size / 250) / 4
  return age < 0 ? 8192 - seconds * 4 : seconds * 4
}

type Shape = { readonly hash: number; readonly times: readonly number[] }
const shapes = new WeakMap<object, Shape>()
const EPOCH = 1_700_000_000_000
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu

/** What a value is but for its times, and those of them that anything still depends on. */
function shapeOf(value: object): Shape {
  const known = shapes.get(value)
  if (known !== undefined) return known
  const times: number[] = isRun(value) ? timesOf(value) : isWrite(value) ? [value.at] : []
  const areKnown = isRun(value) || isWrite(value)
  const text = JSON.stringify(isRun(value) ? pathOf(value) : value, (key, each: unknown) => {
    if (typeof each === 'number' && each > EPOCH) return areKnown ? '@' : times.push(each) && '@'
    // Which of them is in force is told beside it.
    if (key === 'token') return undefined
    if (typeof each === 'string' && each.includes('T')) return each.replaceAll(TIME, '@')
    return each
  })
  const shape = { hash: textHash(text), times }
  shapes.set(value, shape)
  return shape
}

/** The way that a run has come, and what is said at the step where it stands. */
function pathOf(run: ActionRun): unknown {
  const way = run.transitions.map(({ state, step }) => `${state} ${step ?? ''}`)
  return [
    run.id,
    way.filter((each, index) => each !== way[index - 1]),
    ofThisStep(run).map(({ because, by }) => [because, by]),
  ]
}

const isRun = (value: object): value is ActionRun => 'plan' in value && 'transitions' in value
const isWrite = (value: object): value is RecordedWrite => 'says' in value && 'isUndo' in value

/** Of what lies behind a run nothing is asked any more when it was. */
function timesOf(run: ActionRun): number[] {
  const last = stateOf(run)
  const applied = run.transitions.findLast(({ state }) => state === 'applied')
  const watched = run.transitions.find(({ state }) => state === 'verified')
  const isWatched = last.state === 'applied' || last.state === 'verified'
  return [
    last.at,
    ofThisStep(run)[0].at,
    last.until ?? 0,
    ...(isWatched ? [applied?.at ?? 0, watched?.until ?? 0] : []),
  ]
}

/** What an actor remembers: most of it is asked for only whether it is of this instant. */
function memoryHash(memory: ActorMemory, now: number): number {
  const { otherHolder, stop, worse, looked, resting, tidied } = memory
  const ages = [memory.leasedAt, memory.lookedRoundAt, memory.proposedAt, stop?.at ?? 0]
  const fresh = [...ages, ...looked.values(), ...[...resting.values()].map(({ since }) => since)].map((at) =>
    Number(at === now),
  )
  const lasting = [...worse].map(([run, { because, since }]) => [run, because, ageClass(now - since)])
  const rests = [...resting.keys()]
  const rest = [otherHolder, stop?.order?.by, fresh, lasting, rests, [...tidied], memory.leftOver.everyMs]
  return textHash(JSON.stringify(rest))
}

/** A value as it is seen at an instant: by how long ago its times are. */
function hashAt(value: unknown, now: number): number {
  if (Array.isArray(value)) return value.reduce<number>((hash, each) => mixed(hash, hashAt(each, now)), value.length)
  if (typeof value !== 'object' || value === null) return textHash(JSON.stringify(value) ?? '')
  const { hash, times } = shapeOf(value)
  return times.reduce((all, time) => mixed(all, ageClass(now - time)), hash)
}

const turns = new WeakMap<Turn, number>()

/** What a turn goes on with depends on what it began with and was answered, and on nothing else. */
function turnHash(turn: Turn): number {
  const known = turns.get(turn)
  if (known !== undefined) return known
  const { begins, answers, releases } = turn
  let hash = mixed(memoryHash(begins.memory, begins.now), hashAt(begins.reading ?? {}, begins.now))
  hash = mixed(hash, answers?.hash ?? 0)
  for (const { number, now, reading, lead } of releases) {
    hash = mixed(
      mixed(mixed(hash, number), now - begins.now),
      mixed(
        lead === undefined ? 0 : 1 + now - lead.at,
        reading === begins.reading ? 0 : hashAt(reading ?? {}, begins.now),
      ),
    )
  }
  turns.set(turn, hash)
  return hash
}

/** What was told before, and one answer more. */
export const told = (before: Told | undefined, number: number, answer: Answer, begun: number): Told => ({
  number,
  answer,
  before,
  hash: mixed(mixed(before?.hash ?? 0, number), hashAt('value' in answer ? answer.value : answer, begun)),
})

function actorHash(actor: ActorState, { now, kept }: World): number {
  const { memory, turn, turnedAt, looked, lives, lead } = actor
  const stands = turn === undefined ? memoryHash(memory, now) : mixed(turnHash(turn), ageClass(now - turn.begins.now))
  const facts = [turnedAt === now, looked.isStop, lead !== undefined && lead.token === kept.actor?.token].map(Number)
  return [...facts, ageClass(now - looked.at), lead === undefined ? 0 : 1 + ageClass(now - lead.at), lives].reduce(
    mixed,
    stands,
  )
}

/** Objects, and which managers were started after their configurations were written. */
function clusterHash({ objects, cuts, takenUp, made }: Cluster, now: number): number {
  const map = objects['configmaps/gpu-operator/custom-mig-config']
  const [entry] = (map?.['metadata'] as { managedFields?: { time: string }[] } | undefined)?.managedFields ?? []
  const written = entry?.time ?? isoTime(0)
  const hash = Object.keys(objects)
    .toSorted()
    .reduce((all, path) => {
      const object = objects[path]
      const own = mixed(textHash(path), hashAt(object, now))
      const since = path.startsWith('pods/gpu-operator/') ? textAt(object, 'metadata', 'creationTimestamp') : ''
      const renewed = path.startsWith('leases/')
        ? ageClass(now - Date.parse(textAt(object, 'spec', 'renewTime')), 45_000)
        : 0
      return mixed(all, mixed(own, renewed + (since > written ? 1 : 0)))
    }, made)
  return mixed(hash, hashAt([cuts, takenUp], now))
}

/** When something was written is asked of the step at which its run stands, and of no other. */
const writesHash = ({ runs, writes }: Kept, now: number): number =>
  writes.reduce((hash, write) => {
    const run = runs.find(({ id }) => id === write.run)
    const stands = run && stateOf(run)
    const isNow =
      stands !== undefined && (stands.state === 'reverting') === write.isUndo && (stands.step ?? 0) === write.step
    return mixed(hash, mixed(shapeOf(write).hash, isNow ? ageClass(now - write.at) : 0))
  }, writes.length)

/** Worlds of one hash are one world. */
export function worldHash(world: World): number {
  const { now, cluster, reading, kept, actors, network, left, ghost } = world
  return [
    clusterHash(cluster, now),
    hashAt(reading ?? {}, now),
    hashAt(kept.runs, now),
    writesHash(kept, now),
    hashAt(kept.actor ?? {}, now),
    hashAt(kept.stops, now),
    ...actors.map((actor) => actorHash(actor, world)),
    hashAt(network, now),
    hashAt(left, now),
    hashAt(ghost.effects, now),
    hashAt(ghost.theirs, now),
    hashAt(ghost.evicted, now),
    textHash(world.flaw ?? ''),
  ].reduce(mixed)
}
