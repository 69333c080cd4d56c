import { randomUUID } from 'node:crypto'

import type { CopilotAnswer, copilotAsk, InputOf, OperationKey } from '@septet/contract'
import { answerByRules, type Engine } from '@septet/copilot'
import type { Caller, SettingStore } from '@septet/domain'

import type { Answer, Answering } from '../answering/answering.ts'
import { askAs } from '../answering/ask-as.ts'
import { forgetAnswers, keepAnswer, keptAnswers } from './copilot-history.ts'

type CopilotNeeds = {
  readonly answers: () => Readonly<Record<OperationKey, Answer>>
  readonly settings: SettingStore
  readonly now: () => number
  /** A language model that an admin chose; undefined: none. */
  readonly model?: () => Promise<Engine | undefined>
}

/** What came of it while somebody listens. */
type Listening = { readonly onText?: (text: string) => void; readonly signal?: AbortSignal }

export const copilotAnswers = (answer: Answering, needs: CopilotNeeds) => ({
  copilotAsk: answer.ofSeptet('copilotAsk', (input, { caller }) => askCopilot(needs, input, { caller })),
  copilotHistory: answer.ofSeptet('copilotHistory', async (_input, { caller }) => ({
    answers: await keptAnswers(needs.settings, caller),
  })),
  copilotForget: answer.ofSeptet('copilotForget', async (_input, { caller }) => ({
    forgotten: await forgetAnswers(needs.settings, caller),
  })),
})

/** Answers by the model, where there is one, else by rules; keeps the answer for a person who is signed in. */
async function askCopilot(
  { answers, settings, now, model }: CopilotNeeds,
  { cluster, question, after }: InputOf<typeof copilotAsk>,
  { caller, ...listening }: Listening & { readonly caller: Caller },
): Promise<CopilotAnswer> {
  const engine = (await model?.()) ?? answerByRules
  const ask = askAs(answers(), caller)
  const answered = await engine(
    { question, cluster, after: after ?? undefined },
    { ask, now: now(), id: randomUUID(), ...listening },
  )
  await keepAnswer(settings, caller, answered)
  return answered
}
