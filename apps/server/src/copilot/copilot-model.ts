import { modelEngine } from '@septet/copilot'
import type { SettingStore, Caller } from '@septet/domain'
import { grouped } from '@septet/domain/words'
import { z } from 'zod'

import type { CopilotConfig } from '../copilot-settings.ts'
import type { CopilotModel } from '../operations/answers.ts'
import { openLanguageModel } from './language-model.ts'

type Parts = {
  readonly settings: SettingStore
  readonly now: () => number
  /** Names are hidden behind an HMAC with a key of this installation. */
  readonly secrets: { readonly keyedHash: (purpose: string, text: string) => string }
}

/** The language model that is set up; undefined: none is. Visitors are nobody whose tokens could be counted: they get the fixed questions alone. */
export function copilotModel(
  config: CopilotConfig | undefined,
  { settings, now, secrets }: Parts,
): CopilotModel | undefined {
  if (config === undefined) return undefined
  const hashName = (name: string): string => secrets.keyedHash('copilot-mask', name)
  const model = openLanguageModel(config)
  return {
    name: config.model,
    host: new URL(config.url).host,
    isMasked: config.mask,
    engineFor: (caller) =>
      caller.kind === 'visitor'
        ? undefined
        : modelEngine({
            model,
            hashName: config.mask ? hashName : undefined,
            budget: tokenBudget({ settings, now, tokens: config.tokens }, caller),
            withinMs: config.seconds * 1000,
          }),
  }
}

const KEY = 'copilot-tokens'
const KeptSchema = z.object({ day: z.string(), all: z.number(), by: z.record(z.string(), z.number()) })
type Kept = z.output<typeof KeptSchema>

type Budgeted = {
  readonly settings: SettingStore
  readonly now: () => number
  readonly tokens: CopilotConfig['tokens']
}

/** What a caller has left of today's tokens, counted in the store: all replicas count together. */
const tokenBudget = ({ settings, now, tokens }: Budgeted, { id }: Pick<Caller, 'id'>) => ({
  /** Looked at before an answer, so that answers under way at once may go beyond it by what one may use each. */
  async usedUp(): Promise<string | undefined> {
    const { all, by } = todays(await settings.get(KEY), now())
    if (all >= tokens.day) return `today’s budget of ${grouped(tokens.day)} tokens for all users is used up`
    const own = by[id] ?? 0
    return own >= tokens.person ? `your budget of ${grouped(tokens.person)} tokens a day is used up` : undefined
  },
  async spend(count: number): Promise<void> {
    if (count === 0) return
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      // oxlint-disable-next-line no-await-in-loop -- somebody else wrote meanwhile: read again
      const before = await settings.get(KEY)
      const { day, all, by } = todays(before, now())
      const kept: Kept = { day, all: all + count, by: { ...by, [id]: (by[id] ?? 0) + count } }
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (await settings.replace(KEY, before, kept)) return
    }
  },
})

const MOST_TRIES = 20

function todays(value: unknown, now: number): Kept {
  const day = new Date(now).toISOString().slice(0, 10)
  const kept = KeptSchema.safeParse(value).data
  return kept?.day === day ? kept : { day, all: 0, by: {} }
}
