import {
  OPERATIONS,
  Refusal,
  wrongFields,
  type InputOf,
  type Operation,
  type OperationKey,
  type OutputOf,
  invalidInput,
} from '@septet/contract'
import { recordOf, type Caller } from '@septet/domain'
import { z } from 'zod'
import type { ClusterFacts, Facts } from '../../facts.ts'
import type { Audited } from './audited.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { permissionRefusal } from './permission.ts'
import { withSays, type Unsaid } from '../says/saying.ts'
import { chooseCluster, visibleFacts, type VisibleFacts } from './source.ts'
import type { Ask } from '@septet/tools'

/** Answers one operation from unparsed input: parses it, answers, or throws a `Refusal`. */
export type Answer = (input: unknown, caller: Caller, listening?: Listening) => Promise<unknown>

/** Anyone who waits for an answer that comes in pieces; the signal says that nobody does any more. */
type Listening = { readonly onText?: (text: string) => void; readonly signal?: AbortSignal }

/** Who asks, and the clusters that are there for them. */
export type Asked = { readonly caller: Caller; readonly seen: VisibleFacts; readonly listening: Listening }

type Operations = typeof OPERATIONS
type Input<Key extends OperationKey> = InputOf<Operations[Key]>
type Output<Key extends OperationKey> = OutputOf<Operations[Key]>
/** Its sentences are made of it afterwards. */
type Answered<Key extends OperationKey> = Unsaid<Output<Key>> | Promise<Unsaid<Output<Key>>>

/** Operations that may be asked without a cluster and mean something else by it: no sample data stands behind them. */
type NotOfOne = 'copilotAsk' | 'queryAsk' | 'pricesPut' | 'reportGet' | 'reportSchedulesPut'
type MayNameCluster = {
  [Key in OperationKey]: Operations[Key]['input']['shape'] extends { cluster: z.ZodOptional } ? Key : never
}[OperationKey]
/** Operations that are answered from one cluster: the one that is named, or the first. */
type ClusterKey = Exclude<MayNameCluster, NotOfOne>

type SeptetKey = Exclude<OperationKey, ClusterKey>

/** What they answer, or why they do not, where there is no cluster and sample data stands in for one. */
export type SampleAnswers = { readonly [Key in ClusterKey]: (input: Input<Key>) => Unsaid<Output<Key>> }

type OfCluster = {
  readonly [Key in ClusterKey]: (cluster: ClusterFacts, input: Input<Key>, asked: Asked) => Answered<Key>
}
type OfSeptet = { readonly [Key in SeptetKey]: (input: Input<Key>, asked: Asked) => Answered<Key> }
/** What answers each operation. It is handed parsed input of callers who may ask, and the cluster where one is asked about. */
export type Implemented = OfCluster & OfSeptet
/** Those of the operations whose keys begin with these names. */
export type AnswersOf<Name extends string> = Pick<Implemented, Extract<OperationKey, `${Name}${string}`>>

/** The one implementation of every operation: what every face calls. */
export type Answers = Readonly<Record<OperationKey, Answer>>

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this very object
export const OPERATION_KEYS = Object.keys(OPERATIONS) as readonly OperationKey[]

type Parts = {
  readonly facts: Facts
  readonly audited: Audited
  readonly sample: SampleAnswers
  /** Absent: every question is answered anew. */
  readonly kept?: KeptAnswers | undefined
}

/**
 * Makes answers of operations and their implementations: looks whether the caller may ask, parses what they ask, and
 * writes down what they did or were refused. An implementation knows clusters only: what sample data says in the place
 * of one is looked up here, for all of them. What many ask about a cluster is worked out once for all of them.
 */
export function answering({ facts, audited, sample, kept }: Parts): (all: Implemented) => Answers {
  const answerOf =
    <Key extends OperationKey>(key: Key, answer: (input: Input<Key>, asked: Asked) => Promise<object>): Answer =>
    async (input, caller, listening = {}) => {
      const operation = OPERATIONS[key]
      const refusal = permissionRefusal(operation, caller)
      if (refusal !== undefined) {
        await audited.refused(operation, caller, input)
        throw refusal
      }
      const parsed = parseInput<Operations[Key]['input']>(operation, input)
      try {
        const asked = { caller, seen: visibleFacts(facts, caller), listening }
        const answered = await answer(parsed, asked)
        await audited.done(operation, caller, parsed)
        return answered
      } catch (error) {
        if (error instanceof Refusal && error.code === 'not-allowed') await audited.refused(operation, caller, parsed)
        throw error
      } finally {
        if (operation.method !== 'GET') kept?.wrote()
      }
    }
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties what is asked to what is answered
  const ofCluster = <Key extends ClusterKey>(key: Key, all: OfCluster): Answer =>
    answerOf<Key>(key, async (input, asked) => {
      const cluster = chooseCluster(asked.seen, input.cluster)
      if (cluster === undefined) return withSays(key, sample[key](input), input)
      const make = async (): Promise<object> => withSays(key, await all[key](cluster, input, asked), input)
      return kept === undefined ? make() : kept.answer({ key, input, caller: asked.caller, cluster }, make)
    })
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the same
  const ofSeptet = <Key extends SeptetKey>(key: Key, all: OfSeptet): Answer =>
    answerOf<Key>(key, async (input, asked) => withSays(key, await all[key](input, asked), input))
  const isOfCluster = (key: OperationKey): key is ClusterKey => Object.hasOwn(sample, key)
  return (all) => recordOf(OPERATION_KEYS, (key) => (isOfCluster(key) ? ofCluster(key, all) : ofSeptet(key, all)))
}

function parseInput<Schema extends z.ZodObject>(operation: Operation<Schema>, input: unknown): z.output<Schema> {
  const parsed = z.safeParse(operation.input, input)
  if (parsed.success) return parsed.data
  throw invalidInput(
    `${operation.method} ${operation.path}: ${wrongFields(parsed.error)}.`,
    'Correct the named fields; /api lists what each operation takes.',
  )
}

/** Asks operations as a caller: the very answers that every face gives. */
export const askAs =
  (answers: Readonly<Record<OperationKey, Answer>>, caller: Caller): Ask =>
  async <Key extends OperationKey>(key: Key, input: object, signal?: AbortSignal) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what an operation answers is what its schema says, by `answering`
    (await answers[key](input, caller, signal && { signal })) as OutputOf<(typeof OPERATIONS)[Key]>
