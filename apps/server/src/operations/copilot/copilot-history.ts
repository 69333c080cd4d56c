import { CopilotAnswerSchema, type CopilotAnswer } from '@septet/contract'
import type { Caller, SettingStore } from '@septet/domain'
import { z } from 'zod'

const MOST = 50
const KeptSchema = z.array(CopilotAnswerSchema)

/** Only of people: a token is asked by a program, and a visitor is nobody. */
const keyOf = (caller: Caller): string | undefined =>
  caller.account === undefined ? undefined : `copilot/${caller.account.id}`

/** Newest first. What cannot be read any more is not there. */
export async function keptAnswers(settings: SettingStore, caller: Caller): Promise<CopilotAnswer[]> {
  const key = keyOf(caller)
  return key === undefined ? [] : (KeptSchema.safeParse(await settings.get(key)).data ?? [])
}

export async function keepAnswer(settings: SettingStore, caller: Caller, answer: CopilotAnswer): Promise<void> {
  const key = keyOf(caller)
  if (key === undefined) return
  const before = await keptAnswers(settings, caller)
  await settings.put(key, [answer, ...before].slice(0, MOST))
}

/** How many there were. */
export async function forgetAnswers(settings: SettingStore, caller: Caller): Promise<number> {
  const key = keyOf(caller)
  if (key === undefined) return 0
  const before = await keptAnswers(settings, caller)
  await settings.put(key, [])
  return before.length
}
