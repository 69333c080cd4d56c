import { randomUUID } from 'node:crypto'
import { CopilotAnswerSchema, type CopilotAnswer } from '@septet/contract'
import { answerFixed, queryLine, type Engine } from '@septet/copilot'
import type { Caller, SettingStore, Store } from '@septet/domain'
import { z } from 'zod'
import { type AnswersOf, type Answers, askAs } from '../answering/answering.ts'

type Needs = {
  /** Asked late: what it says is made of the other answers. */
  readonly answers: () => Answers
  readonly store: Pick<Store, 'settings'>
  readonly now: () => number
  /** What also answers other than fixed questions; undefined: nothing does. */
  readonly copilot?: { readonly engineFor: (caller: Caller) => Engine | undefined } | undefined
}

/** Questions in words, and the answers that a person was given. */
export const copilotAnswers = ({ answers, store, now, copilot }: Needs): AnswersOf<'copilot' | 'query'> => ({
  /** Answers fixed questions, and others by the model, where there is one; keeps the answer for a person who is signed in. */
  async copilotAsk({ cluster, question, after, zone }, { caller, listening }) {
    const engine = copilot?.engineFor(caller) ?? answerFixed
    const ask = askAs(answers(), caller)
    const answered = await engine(
      { question, cluster, zone, after },
      { ask, now: now(), id: randomUUID(), ...listening },
    )
    await keepAnswer(store.settings, caller, answered)
    return answered
  },
  queryAsk: ({ cluster, line, zone }, { caller }) =>
    queryLine({ line, cluster, zone }, { ask: askAs(answers(), caller), now: now(), id: line }),
  copilotHistory: async (_input, { caller }) => ({ answers: await keptAnswers(store.settings, caller) }),
  /** How many there were. */
  async copilotForget(_input, { caller }) {
    const key = keyOf(caller)
    if (key === undefined) return { forgotten: 0 }
    const before = await keptAnswers(store.settings, caller)
    await store.settings.put(key, [])
    return { forgotten: before.length }
  },
})

const MOST = 50
const KeptSchema = z.array(CopilotAnswerSchema)

/** Only of people: a token is asked by a program, and a visitor is nobody. */
const keyOf = (caller: Caller): string | undefined =>
  caller.account === undefined ? undefined : `copilot/${caller.account.id}`

/** Newest first. What cannot be read any more is not there. */
async function keptAnswers(settings: SettingStore, caller: Caller): Promise<CopilotAnswer[]> {
  const key = keyOf(caller)
  return key === undefined ? [] : (KeptSchema.safeParse(await settings.get(key)).data ?? [])
}

async function keepAnswer(settings: SettingStore, caller: Caller, answer: CopilotAnswer): Promise<void> {
  const key = keyOf(caller)
  if (key === undefined) return
  const before = await keptAnswers(settings, caller)
  await settings.put(key, [answer, ...before].slice(0, MOST))
}
