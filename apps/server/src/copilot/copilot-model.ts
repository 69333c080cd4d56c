import { modelEngine } from '@septet/copilot'
import type { SettingStore } from '@septet/domain'

import type { CopilotConfig } from '../copilot-settings.ts'
import type { CopilotModel } from '../operations/answers.ts'
import { openLanguageModel } from './language-model.ts'
import { tokenBudget } from './token-budget.ts'

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
