import { AlertRulesSchema } from '@septet/contract'
import { DAY_MS, DEFAULT_ALERT_RULES, type AlertRules, type SettingStore } from '@septet/domain'
import { z } from 'zod'

/** A place that alerts are sent to, as it is kept: what may be a secret is sealed. */
export type Channel = z.output<typeof ChannelSchema>

const ChannelSchema = z.object({
  id: z.string(),
  kind: z.enum(['slack', 'webhook', 'email']),
  /** What people are shown of it. */
  shown: z.string(),
  /** The whole target, sealed for `channel/ID`; base64. */
  sealedTarget: z.string(),
  /** The signing secret, sealed for `channel-secret/ID`; base64. */
  sealedSecret: z.string().nullable(),
  changedAt: z.number(),
  changedBy: z.string(),
})

/** How long a message is tried, milliseconds. */
export const GIVE_UP_MS = DAY_MS

const RULES = 'alert-rules'
const CHANNELS = 'alert-channels'

/** The rules in force: the ones that were set, else the ones that Septet comes with, also of kinds that are newer than these. */
export async function readAlertRules(settings: SettingStore): Promise<AlertRules> {
  const stored = await settings.get(RULES)
  return AlertRulesSchema.parse({ ...DEFAULT_ALERT_RULES, ...Object(stored) })
}

export const writeAlertRules = (settings: SettingStore, rules: AlertRules): Promise<void> => settings.put(RULES, rules)

/** By id. */
export async function readChannels(settings: SettingStore): Promise<readonly Channel[]> {
  const stored = await settings.get(CHANNELS)
  return stored === undefined || stored === null
    ? []
    : z.object({ channels: z.array(ChannelSchema) }).parse(stored).channels
}

export const writeChannels = (settings: SettingStore, channels: readonly Channel[]): Promise<void> =>
  settings.put(CHANNELS, { channels })
