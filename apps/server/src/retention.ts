import { RetentionDaysSchema } from '@septet/contract'
import { SECONDS_PER_DAY, type Retention, type SettingStore } from '@septet/domain'
import type { z } from 'zod'

export type RetentionDays = z.output<typeof RetentionDaysSchema>

const KEY = 'retention'

/** Days that rows of each length are kept where nobody has decided otherwise. */
export const DEFAULT_RETENTION: RetentionDays = { '5m': 3, '1h': 40, '1d': 800 }

/** How long rows are kept now. Throws what the store throws. */
export const readRetention = async (settings: SettingStore): Promise<RetentionDays> =>
  RetentionDaysSchema.safeParse(await settings.get(KEY)).data ?? DEFAULT_RETENTION

export const writeRetention = (settings: SettingStore, days: RetentionDays): Promise<void> => settings.put(KEY, days)

/** The same in seconds, as the store prunes by it. */
export const inSeconds = (days: RetentionDays): Retention => ({
  '5m': days['5m'] * SECONDS_PER_DAY,
  '1h': days['1h'] * SECONDS_PER_DAY,
  '1d': days['1d'] * SECONDS_PER_DAY,
})
