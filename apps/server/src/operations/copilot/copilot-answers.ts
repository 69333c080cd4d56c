import { randomUUID } from 'node:crypto'

import type { CopilotAnswer, copilotAsk, InputOf, OperationKey } from '@septet/contract'
import { answerFixed, type Engine } from '@septet/copilot'
import type { Caller, SettingStore } from '@septet/domain'

import type { Answer, Answering, Listening } from '../answering/answering.ts'
import { askAs } from '../answering/ask-as.ts'
import { forgetAnswers, keepAnswer, keptAnswers } from './copilot-history.ts'

type CopilotNeeds = {
  readonly answers: () => Readonly<Record<OperationKey, Answer>>
  readonly settings: SettingStore
  readonly now: () => number
  /** The engine that also answers other than fixed questions of a caller; undefined: none does. */
  readonly model: ((caller: Caller) => Engine | undefined) | undefined
}

export const copilotAnswers = (answer: Answering, needs: CopilotNeeds) => ({
  copilotAsk: answer.ofSeptet('copilotAsk', (input, { caller, listening }) =>
    askCopilot(needs, input, { caller, ...listening }),
  ),
  copilotHistory: answer.ofSeptet('copilotHistory', async (_input, { caller }) => ({
    answers: await keptAnswers(needs.settings, caller),
  })),
  copilotForget: answer.ofSeptet('copilotForget', async (_input, { caller }) => ({
    forgotten: await forgetAnswers(needs.settings, caller),
  })),
})

/** Answers fixed questions, and others by the model, where there is one; keeps the answer for a person who is signed in. */
async function askCopilot(
  { answers, settings, now, model }: CopilotNeeds,
  { cluster, question, after }: InputOf<typeof copilotAsk>,
  { caller, ...listening }: Listening & { readonly caller: Caller },
): Promise<CopilotAnswer> {
  const engine = model?.(caller) ?? answerFixed
  const ask = askAs(answers(), caller)
  const answered = await engine({ question, cluster, after }, { ask, now: now(), id: randomUUID(), ...listening })
  await keepAnswer(settings, caller, answered)
  return answered
}
