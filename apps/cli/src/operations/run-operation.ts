import { meantWords } from '@septet/domain/words'
import { numberOf, oneOf, UsageError } from '../options/command-options.ts'
import { cellAt } from '../output/columns.ts'
import { checkColumns, formatAnswer, type AnswerWish, explainAnswer, OUTPUTS } from '../output/format-answer.ts'
import { requestOperation } from '../served/ask-operation.ts'
import type { Environment } from '../served/kept-servers.ts'
import { serverToAsk } from '../served/server-to-ask.ts'
import { flagsOf } from './flags.ts'
import { operationHelp, verbHelp } from './operation-help.ts'
import { plainOperation } from './plain-operations.ts'
import { readInput, refuseWrong, type InputNeeds } from './read-input.ts'
import { readWords, type CommandWords } from './read-words.ts'
import { SPOKEN, spokenAs, type Spoken } from './verbs.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { AskError } from '../served/ask-server.ts'

/** Where answers go. */
type Screen = {
  /** Characters of a line of the terminal; undefined where none reads along. */
  readonly width: number | undefined
  readonly print: (text: string) => Promise<void>
  /** Aborted when the one who watches has seen enough. */
  readonly enough: AbortSignal
}

/**
 * Asks again and again: a terminal shows the newest answer alone, anything else gets one after the other. A server that
 * is away for a while is waited for; a refusal ends it, as does `enough`. Throws as asking does.
 */
async function keepWatching(ask: () => Promise<string>, seconds: number, screen: Screen): Promise<string> {
  while (!screen.enough.aborted) {
    const text = await ask().catch(whileAway)
    await screen.print(screen.width === undefined ? text : `${CLEAR}${text}`)
    await delay(seconds * 1000, undefined, { signal: screen.enough }).catch(() => undefined)
  }
  return ''
}

const CLEAR = '\u001B[H\u001B[2J\u001B[3J'

function whileAway(error: unknown): string {
  if (error instanceof AskError && (error.status === undefined || error.status >= 500)) {
    return `${error.message}\n`
  }
  throw error
}

export type OperationNeeds = InputNeeds & {
  readonly environment: Environment
  /** As it was called: `septet`, or `kubectl septet`. */
  readonly program: string
  readonly screen: Screen
  /** Columns that a table shows where none are chosen; where left out, those that say something. */
  readonly columns?: readonly string[]
}

/** `septet VERB NOUN …`: asks one operation of a Septet that runs. Resolves with what is still to be printed. */
export async function runOperation(words: readonly string[], needs: OperationNeeds): Promise<string> {
  const [first = '', second, ...rest] = words
  const spoken = spokenAs(first, second)
  if (spoken === undefined) return helpOfVerb(first, second, needs)
  const operation = plainOperation(spoken.key)
  const flags = flagsOf(operation)
  const told = readWords(rest, flags)
  if (told.general.help !== undefined) return operationHelp(needs.program, spoken, { operation, flags })
  const explains = told.general.explain !== undefined
  // To explain what changes something is not a reason to do it.
  if (explains && operation.effect !== 'read') return explainAnswer(operation, undefined)
  const shown = shownAs(told)
  checkColumns(operation, shown)
  const input = await readInput({ ...operation, key: spoken.key }, { ...told, flags }, needs)
  const whom = serverToAsk(told.general.server, needs.environment)
  const wish = { ...shown, ...placeOf(input, told.general.output === 'wide' ? WIDE : needs) }
  const ask = async (): Promise<string> => {
    const answer = await computed(() => requestOperation(operation, input, whom)).catch(async (error: unknown) => {
      // In words of the flags, where this program knows them too.
      if (error instanceof AskError && error.status === 400) await refuseWrong(spoken.key, input, flags)
      throw error
    })
    return explains ? explainAnswer(operation, answer, needs.screen.width) : formatAnswer(operation, answer, wish)
  }
  const { watch } = told.general
  if (watch === undefined) return ask()
  if (operation.effect !== 'read') throw new UsageError('--watch repeats the request, and this one changes something.')
  return keepWatching(ask, secondsOf(watch), needs.screen)
}

/** Asks until what takes long is computed. */
async function computed(ask: () => Promise<unknown>): Promise<unknown> {
  let answer = await ask()
  while (cellAt(answer, ['state']) === 'computing') {
    await delay(LOOK_MS)
    answer = await ask()
  }
  return answer
}

const LOOK_MS = 250

/** A verb alone lists its nouns. */
function helpOfVerb(verb: string, noun: string | undefined, { program }: OperationNeeds): string {
  const known = SPOKEN.filter((one) => one.verb === verb)
  const titled = known.map((spoken): [Spoken, string] => [spoken, plainOperation(spoken.key).title])
  if ((noun === undefined || noun === '--help' || noun === '-h') && known.length > 0)
    return verbHelp(program, verb, titled)
  const choices = known.length > 0 ? known : SPOKEN.filter((one) => spokenAs(one.verb, verb) === one)
  const near = meantWords(
    noun ?? '',
    choices.map((one) => one.noun),
  )
  const likely = near.length === 0 ? choices : choices.filter((one) => near.includes(one.noun))
  const meant = likely.map((one) => `${program} ${one.verb} ${one.noun}`)
  throw new UsageError(
    `There is no "${[verb, noun].filter(Boolean).join(' ')}". ${near.length === 0 ? 'There is' : 'Did you mean'}: ${meant.join(', ')}${near.length === 0 ? '.' : '?'}`,
  )
}

function shownAs({ general }: CommandWords): Pick<AnswerWish, 'output' | 'chosen'> {
  const output = oneOf('--output', general.output ?? 'table', OUTPUTS)
  const chosen = general.columns?.split(',').map((name) => name.trim())
  return { output: output === 'wide' ? 'table' : output, chosen }
}

type Place = Pick<OperationNeeds, 'columns'> & { readonly screen: Pick<Screen, 'width'> }

/** All columns, as wide as they are. */
const WIDE: Place = { screen: { width: undefined } }

const placeOf = (
  { sort }: Readonly<Record<string, unknown>>,
  { columns, screen: { width } }: Place,
): Pick<AnswerWish, 'sortedBy' | 'width' | 'preferred'> => ({
  sortedBy: typeof sort === 'string' ? sort : undefined,
  width: width ?? Number.POSITIVE_INFINITY,
  ...(columns && { preferred: columns }),
})

const secondsOf = (text: string): number =>
  text === '' ? 5 : numberOf('--watch', text, { least: 0.1, most: 86_400, whole: false })
