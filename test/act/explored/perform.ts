/* oxlint-disable complexity, max-params, typescript/no-unsafe-type-assertion -- all that must hold stands in one list, and calls are played again as values without types */
import {
  mayFollow,
  OVER_STATES,
  stateOf,
  textAt,
  type ActionRun,
  type Intent,
  type ClusterWrite,
  type ObjectRef,
  type RecordedWrite,
  type Transition,
} from '@septet/domain'
import { valueAt } from '@septet/domain/testing'

import { applied, listed, MIG, MIG_STATE, pathOf, type Cluster } from './cluster-model.ts'
import type { Bug } from './play-turn.ts'
import { callStore } from './store-twin.ts'
import type { Answer, Call, LateWrite, Release, Scenario, World } from './world.ts'

const STOP = 'configmaps/septet/septet-stop'
const HOUR_MS = 3_600_000

export type Performed = {
  readonly world: World
  readonly answer: Answer
  readonly sent?: LateWrite
  readonly settles?: Release['settles']
}

/** Carries a call of an actor out, and looks whether it may be. */
export function perform(world: World, who: number, call: Call, how: How): Performed {
  return call.port === 'store' ? toStore(world, who, call, how) : toCluster(world, who, call, how.scenario)
}

type How = { readonly scenario: Scenario; readonly bug: Bug | undefined }

const flawed = (world: World, flaw: string | false | undefined): World =>
  flaw === false || flaw === undefined || world.flaw !== undefined ? world : { ...world, flaw }

function toStore(world: World, who: number, call: Call, { scenario, bug }: How): Performed {
  const told = bug?.call?.(world.kept, call.name, call.given) ?? callStore(world.kept, call.name, call.given)
  const next = { ...world, kept: told.kept }
  if (told.error !== undefined) return { world: flawed(next, told.error), answer: { error: told.error } }
  const { answer } = told
  if (call.name === 'intend') {
    const intent = answer as Intent
    if (intent.kind !== 'recorded') return { world: next, answer: { value: answer } }
    const id = `${(call.given[0] as RecordedWrite).run}/${intent.number}`
    const actors = next.actors.map((actor, index) =>
      index === who ? { ...actor, intents: [...actor.intents, id] } : actor,
    )
    const name = `${who} ${world.actors[who]?.lives}`
    const acted = { ...next.ghost.acted, [(call.given[1] as { token: number }).token]: name }
    const after = { ...next, actors, ghost: { ...next.ghost, acted } }
    return { world: flawed(after, whyNotRecorded(world, name, { who, call })), answer: { value: answer } }
  }
  if (call.name === 'advance' && answer !== undefined) {
    return {
      world: flawed(next, whyNotAdvanced(world, next, answer as ActionRun, { call, scenario })),
      answer: { value: answer },
    }
  }
  const [run, number, result] = call.given as [string, number, { kind: string }]
  const isMadeUp =
    call.name === 'settle' &&
    result.kind === 'done' &&
    world.actors[who]?.turn?.releases.some(
      ({ isLost, settles }) => isLost && settles?.run === run && settles.number === number,
    )
  const wrong =
    isMadeUp === true
      ? 'a write was called done of which no answer came'
      : call.name === 'resume' && 'an actor lifted a stop order'
  return { world: flawed(next, wrong), answer: { value: answer } }
}

/** Nothing is recorded under a stop order, under an old fence, without a look at the switch, or once another installation acts. */
function whyNotRecorded(
  world: World,
  name: string,
  { who, call: { given, at } }: { readonly who: number; readonly call: Call },
): string | undefined {
  const [{ isRehearsal }, fence] = given as [RecordedWrite, { token: number }]
  const actor = world.actors[who]
  if (world.kept.stops.length > 0) return 'a write was recorded under a stop order'
  if (world.kept.actor?.token !== fence.token) return 'a write was recorded under an old fence'
  if ((world.ghost.acted[fence.token] ?? name) !== name) return 'two actors write under one fence'
  if (actor === undefined || isRehearsal === true) return undefined
  if (actor.looked.isStop || at - actor.looked.at > 250)
    return 'a write was recorded without a look at the switch in the cluster'
  const lease = world.cluster.objects['leases/septet/septet-actor']
  const isOthers = textAt(lease, 'spec', 'holderIdentity') === 'other'
  return isOthers && Date.parse(textAt(lease, 'spec', 'renewTime')) < (actor.turn?.begins.now ?? world.now)
    ? 'a write was recorded while another installation holds the Lease'
    : undefined
}

type Advancing = { readonly call: Call; readonly scenario: Scenario }

function whyNotAdvanced(
  before: World,
  { kept, cluster, ghost }: World,
  run: ActionRun,
  { call, scenario }: Advancing,
): string | undefined {
  const [, transition, fence] = call.given as [string, Transition, { token: number } | undefined]
  const was = before.kept.runs.find(({ id }) => id === run.id)
  const { state, because } = stateOf(run)
  if (was !== undefined && !mayFollow(stateOf(was).state, state))
    return `a run that is ${stateOf(was).state} became ${state}`
  if (transition.number !== (was?.transitions.length ?? 0) + 1) return 'two advanced a run from the same state'
  if (fence !== undefined && before.kept.actor?.token !== fence.token) return 'a run was advanced under an old fence'
  if (because.trim() === '') return `a run is ${state} and nothing says why`
  const [wrote] = kept.writes.filter(
    (write) => write.run === run.id && write.isRehearsal !== true && write.key !== 'warn',
  )
  if (state === 'reverted') return unlike(run, { cluster, wanted: fieldsOf(scenario.cluster), ghost })
  if (state === 'kept')
    return unlike(run, { cluster, wanted: { ...fieldsOf(scenario.cluster), ...scenario.wanted }, ghost })
  if (
    (state === 'failed' || state === 'expired' || state === 'cancelled') &&
    because.startsWith('Nothing was changed') &&
    wrote !== undefined
  ) {
    return `it says that nothing was changed, and has written: ${wrote.says}`
  }
  return undefined
}

/** What others can set as well, by object and field. */
function fieldsOf(cluster: Cluster): Readonly<Record<string, unknown>> {
  const nodes = Object.keys(cluster.cuts).flatMap((name) => {
    const node = cluster.objects[`nodes/${name}`]
    return [
      [`${name} is cut into`, cluster.cuts[name]?.toSorted().join(' ')],
      [`${name} takes pods`, valueAt(node, 'spec', 'unschedulable') !== true],
    ] as const
  })
  const sizes = listed(cluster, { resource: 'deployments', namespace: 'lab' }).map(
    (object) => [`replicas of ${textAt(object, 'metadata', 'name')}`, valueAt(object, 'spec', 'replicas')] as const,
  )
  return Object.fromEntries([...nodes, ...sizes])
}

type Wanted = {
  readonly cluster: Cluster
  readonly wanted: Readonly<Record<string, unknown>>
  readonly ghost: World['ghost']
}

/** Only what the plan itself is about: other runs have theirs. What others have set is as they set it. */
function unlike(run: ActionRun, { cluster, wanted, ghost }: Wanted): string | undefined {
  const own = run.plan.steps.flatMap(({ action }) =>
    'node' in action ? [action.node] : action.kind === 'scale' ? [action.workload.split('/')[2] ?? ''] : [],
  )
  const is = fieldsOf(cluster)
  const wrong = Object.keys(wanted).find((field) => {
    const isOwn = own.some((name) => field.split(' ').includes(name))
    const isTheirs =
      field in ghost.theirs || (field.endsWith('is cut into') && `${field.split(' ')[0]} label` in ghost.theirs)
    return isOwn && !isTheirs && is[field] !== wanted[field]
  })
  return wrong === undefined
    ? undefined
    : `a run is ${stateOf(run).state}, and ${wrong}: ${String(is[wrong])}, not ${String(wanted[wrong])}`
}

/** Fields of one object that a person may have set. */
export function settable(cluster: Cluster, path: string): Readonly<Record<string, unknown>> {
  const object = cluster.objects[path]
  const name = textAt(object, 'metadata', 'name')
  if (path.startsWith('nodes/')) {
    return {
      [`${name} label`]: textAt(object, 'metadata', 'labels', MIG),
      [`${name} takes pods`]: valueAt(object, 'spec', 'unschedulable') !== true,
    }
  }
  return path.startsWith('deployments/')
    ? {
        [`replicas of ${name}`]: valueAt(object, 'spec', 'replicas'),
        [`keep of ${name}`]: textAt(object, 'metadata', 'annotations', 'septet.io/keep'),
      }
    : {}
}

const nameOf = ({ verb, object: { resource, namespace, name } }: ClusterWrite): string =>
  `${verb} ${resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`

function toCluster(world: World, who: number, call: Call, scenario: Scenario): Performed {
  if (call.name === 'get') {
    const path = pathOf(call.given[0] as ObjectRef)
    const value = world.cluster.objects[path]
    const looked = { at: world.now, isStop: value !== undefined }
    const actors = world.actors.map((actor, index) => (index === who && path === STOP ? { ...actor, looked } : actor))
    return { world: path === STOP ? { ...world, actors } : world, answer: { value } }
  }
  if (call.name === 'list') {
    const [objects, query] = call.given as [ObjectRef, object]
    return { world, answer: { value: listed(world.cluster, objects, query) } }
  }
  const [write, { dryRun }] = call.given as [ClusterWrite, { dryRun: boolean }]
  const { cluster, outcome } = applied(world.cluster, write, world.now)
  if (dryRun) return { world, answer: { value: outcome } }
  if (write.object.resource === 'leases') return { world: { ...world, cluster }, answer: { value: outcome } }
  const own = new Set(world.actors[who]?.intents)
  const recorded = world.kept.writes.findLast(
    ({ run, number, what, outcome: settled, isRehearsal }) =>
      own.has(`${run}/${number}`) && what === nameOf(write) && settled === undefined && isRehearsal !== true,
  )
  if (recorded === undefined) {
    return { world: flawed(world, `${nameOf(write)} was sent and not recorded before`), answer: { value: outcome } }
  }
  const { run, step } = recorded
  const rehearsed = world.kept.writes.some((each) => each.run === run && each.isRehearsal === true)
  const unrehearsed = !rehearsed && step > 0 && 'a plan was carried out without a dry run'
  const sent = { write, run, effect: effectOf(recorded), at: world.now, own: [...own] }
  const settles = { run, number: recorded.number, isDone: outcome.kind === 'done' }
  return { world: arrive(flawed(world, unrehearsed), sent, scenario), answer: { value: outcome }, sent, settles }
}

const effectOf = ({ run, step, isUndo, key }: RecordedWrite): string =>
  `${run}/${step}/${isUndo ? 'back' : 'forth'}/${key}`

/** What is tidied up later, an entry among configurations that no node names, and a sentence for an owner. */
const LEAVES_NOTHING = /\/(?:tidy-up|config|warn)$/u

/** These may be done again: what they restart comes back the same. */
const HARMLESS = /\/(?:restart-manager|restart-after-failure|forget-failure)$/u

/** A write reaches the API server, now or later. */
export function arrive(world: World, { write, effect, run, at, own }: LateWrite, scenario: Scenario): World {
  const path = pathOf(write.object)
  const { cluster } = applied(world.cluster, write, world.now)
  if (cluster === world.cluster) return world
  const count = (world.ghost.effects[effect] ?? 0) + 1
  const effects = { ...world.ghost.effects, [effect]: count }
  const evicted = write.verb === 'evict' ? [...world.ghost.evicted, { at: world.now }] : world.ghost.evicted
  const next = { ...world, cluster, ghost: { ...world.ghost, effects, evicted } }
  return flawed(next, whyNotSent(world, next, { write, effect, run, at, own, path, count, scenario }))
}

function whyNotSent(
  { cluster: before, kept, ghost }: World,
  { cluster }: World,
  {
    write,
    effect,
    run: id,
    own,
    path,
    count,
    scenario,
  }: LateWrite & { readonly path: string; readonly count: number; readonly scenario: Scenario },
): string | undefined {
  const run = kept.runs.find((each) => each.id === id)
  const [was, is] = [settable(before, path), settable(cluster, path)]
  const overwritten = Object.keys(is).find(
    (field) => field in ghost.theirs && was[field] === ghost.theirs[field] && is[field] !== was[field],
  )
  // Of one of somebody else whose answer was not there yet nobody knows that it was done, and undone by a person.
  const earlier = kept.writes.filter((each) => effectOf(each) === effect).slice(0, -1)
  const isUnsure =
    earlier.some(({ number, outcome }) => outcome === undefined || !own.includes(`${id}/${number}`)) &&
    Object.keys(is).some((field) => field in ghost.theirs)
  // A node that is cordoned while a change is taken back is opened again in the end.
  if (overwritten !== undefined && !isUnsure && !effect.endsWith('/back/cordon')) {
    return `${nameOf(write)} overwrites what somebody else has set: ${overwritten}`
  }
  if (count > 1 && !isUnsure && !HARMLESS.test(effect)) return `${effect} was done ${count} times`
  if (run !== undefined && OVER_STATES.includes(stateOf(run).state) && !LEAVES_NOTHING.test(effect)) {
    return `${nameOf(write)} changed something when its run was ${stateOf(run).state}`
  }
  if (effect.endsWith('/forth/scale')) {
    const owner = settable(before, path)
    if (Object.keys(owner).some((field) => field.startsWith('keep of') && owner[field] !== ''))
      return 'work was stopped that its owner keeps'
    const isWarned = ghost.effects[effect.replace(/\/\d+\/forth\/scale$/u, '/0/forth/warn')] !== undefined
    if (scenario.policy.warningSeconds !== undefined && !isWarned) return 'work was stopped whose owner was not warned'
  }
  if (write.verb === 'evict' && run !== undefined && !effect.includes('/back/')) {
    const isPlanned = run.plan.steps.some(
      ({ action }) => action.kind === 'evict' && action.uid === textAt(before.objects[path], 'metadata', 'uid'),
    )
    if (!isPlanned) return `${nameOf(write)} evicted a pod that is not in the plan`
  }
  const node = path.startsWith('pods/gpu-operator/mig-manager-')
    ? path.slice('pods/gpu-operator/mig-manager-'.length)
    : ''
  const isCutting = textAt(before.objects[`nodes/${node}`], 'metadata', 'labels', MIG_STATE) === 'pending'
  return isCutting && !(`${node} label` in ghost.theirs) && write.verb === 'delete' && !effect.includes('/back/')
    ? `mig-manager was restarted while it repartitions ${node}`
    : undefined
}

/** What must hold whatever was done last. */
export function standing(world: World, scenario: Scenario): World {
  const { podsPerHour } = scenario.policy
  const recent = world.ghost.evicted.filter(({ at }) => world.now - at < HOUR_MS).length
  return flawed(
    world,
    podsPerHour !== undefined &&
      recent > podsPerHour &&
      `${recent} pods were stopped within an hour, of ${podsPerHour}`,
  )
}

/** A turn that ended without a crash has written down what came of each write whose answer it heard. */
export function ended(world: World, releases: readonly Release[]): World {
  if (releases.some(({ isLost }) => isLost)) return world
  const wrong = releases.find(({ settles }) => {
    const write = world.kept.writes.find(({ run, number }) => run === settles?.run && number === settles.number)
    return write !== undefined && (write.outcome?.kind === 'done') !== settles?.isDone
  })
  return flawed(
    world,
    wrong && `what came of write ${wrong.settles?.number} of ${wrong.settles?.run} was not written down`,
  )
}
