import {
  AccessRefused,
  type ActionRun,
  type ActionStore,
  type ClusterWrite,
  type ClusterWriter,
  type Deciding,
  type StepDecision,
  type Fence,
  type Instant,
  type LiveAnswer,
  type LiveObject,
  type LiveQuestion,
  type RecordedWrite,
  type StopOrder,
  type WriteOutcome,
} from '@septet/domain'
import { classRow } from '@septet/domain/action-classes'
import { listed } from '@septet/domain/words'

import { holdLease, type LeaseVerdict, type LeaseWish } from './cluster-lease.ts'

/** The only way from here to a cluster: nothing is sent that was not written down first, and nothing under a stop order. */
export type Hand = {
  /** Follows a decision of a run to its end: looks at whatever it asks to see. */
  decide(deciding: Deciding, run: PlannedRun): Promise<StepDecision | NoRight>
  /** Follows a look to its end. Throws `AccessRefused` where the credentials do not let it look. */
  look<T>(looking: Generator<LiveQuestion, T, LiveAnswer>): Promise<T>
  /**
   * Writes once, or asks the API server whether it would take the write where the intent is a rehearsal. Throws where no answer
   * comes: then the write stays unsettled, and the next look tells what came of it.
   */
  write(write: ClusterWrite, under: WriteUnder): Promise<WriteOutcome | Halted>
  lease(wish: LeaseWish): Promise<LeaseVerdict>
  object(name: { readonly namespace: string; readonly configMap: string }): Promise<LiveObject | undefined>
}

/** It could not be looked at: the credentials do not allow it, for now or at all. */
type NoRight = { readonly kind: 'no-right'; readonly because: string }

type PlannedRun = Pick<ActionRun, 'class' | 'plan'>

type Halted = { readonly kind: 'halted' | 'fenced' }

type WriteUnder = {
  readonly store: Pick<ActionStore, 'intend' | 'settle'>
  readonly fence: Fence
  /** Undefined: whoever sends has lost it, or cannot know. */
  readonly lead: () => Fence | undefined
  readonly stopped: () => Promise<StopOrder | undefined>
  readonly clock: () => Instant
  readonly intent: Pick<RecordedWrite, 'run' | 'step' | 'isUndo' | 'isRehearsal' | 'key' | 'says' | 'stops'>
}

export function openHand(writer: ClusterWriter): Hand {
  return {
    async decide(deciding, run) {
      try {
        return await followed(deciding, writer)
      } catch (error) {
        if (!(error instanceof AccessRefused)) throw error
        return { kind: 'no-right', because: rightsWords(error, run) }
      }
    },
    look: (looking) => followed(looking, writer),
    write: (write, under) => written(writer, write, under),
    lease: (wish) => holdLease(writer, wish),
    object: ({ namespace, configMap: name }) =>
      writer.get({ group: '', version: 'v1', resource: 'configmaps', namespace, name }),
  }
}

/** What the actor may not do, and which files of deploy/ let it: those of the class, and of cutting where room is made first. */
export function rightsWords({ message }: Pick<AccessRefused, 'message'>, { class: kind, plan }: PlannedRun): string {
  const classes = [kind, ...plan.steps.flatMap(({ action }) => (action.kind === 'repartition' ? action.kind : []))]
  const roles = new Set(classes.flatMap((name) => classRow(name).rights?.role ?? []))
  const files = listed([...roles].map((role) => `deploy/actor-${role}.yaml`))
  const lacks = `The actor lacks permissions: ${message}.`
  // Of ConfigMaps the roles name each: that of mig-manager or the device plugin has any name.
  const [, map] = /^configmaps "([^"]+)" is forbidden/u.exec(message) ?? []
  if (map === undefined || !(roles.has('repartition') || roles.has('share')))
    return `${lacks} Apply ${files}, or turn on the same in the chart.`
  return `${lacks} The ClusterPolicy names the ConfigMap ${map}. Add it to resourceNames in ${files} and to the lists in deploy/actor-policy.yaml and apply them, or set gpuOperator.configMaps in the chart.`
}

/** Whether that is how an API server says that the credentials may not do something: admission refuses in other words. */
export const lacksRight = (because: string): boolean => /\bcannot \S+ resource "|^Unauthorized/u.test(because)

async function followed<T>(looking: Generator<LiveQuestion, T, LiveAnswer>, writer: ClusterWriter): Promise<T> {
  let turn = looking.next()
  while (turn.done !== true) turn = looking.next(await seen(turn.value, writer))
  return turn.value
}

async function seen(question: LiveQuestion, writer: ClusterWriter): Promise<LiveAnswer> {
  if (question.kind === 'object') {
    const found = await writer.get(question.object)
    return found === undefined ? [] : [found]
  }
  const { objects, labelSelector, fieldSelector } = question
  return writer.list(objects, {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  })
}

async function written(
  writer: ClusterWriter,
  write: ClusterWrite,
  { store, fence, lead, stopped, clock, intent }: WriteUnder,
): Promise<WriteOutcome | Halted> {
  if ((await stopped()) !== undefined) return { kind: 'halted' }
  const recorded = await store.intend({ ...intent, at: clock(), what: nameOf(write) }, fence)
  if (recorded.kind !== 'recorded') return { kind: recorded.kind === 'fenced' ? 'fenced' : 'halted' }
  // A process that was paused since may have been replaced: then the next look tells that nothing came of it.
  if (lead()?.token !== fence.token) return { kind: 'fenced' }
  const outcome = await writer.write(write, { dryRun: intent.isRehearsal === true })
  const result = outcome.kind === 'done' ? { kind: 'done' as const, because: '' } : refusedFor(outcome.because)
  await store.settle(intent.run, recorded.number, { at: clock(), ...result })
  return outcome
}

const refusedFor = (because: string) => ({ kind: 'refused' as const, because })

const nameOf = ({ verb, object: { resource, namespace, name } }: ClusterWrite): string =>
  `${verb} ${resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`
