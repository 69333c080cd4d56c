import type { SettingStore } from '@septet/domain'
import { TOOLSETS, type Toolset } from '@septet/tools'
import { z } from 'zod'

/** What programs are offered, with who decided it. */
export type KeptAgentSettings = {
  readonly toolsets: readonly Toolset[]
  readonly changedAt: number | undefined
  readonly changedBy: string | undefined
}

const KEY = 'agents'
const KeptSchema = z.object({ toolsets: z.array(z.enum(TOOLSETS)), changedAt: z.number(), changedBy: z.string() })

/** Asking is on, planning and acting are not, until an admin says so. Throws what the store throws. */
export async function readAgentSettings(settings: SettingStore): Promise<KeptAgentSettings> {
  const kept = KeptSchema.safeParse(await settings.get(KEY)).data
  return kept ?? { toolsets: ['read'], changedAt: undefined, changedBy: undefined }
}

export async function writeAgentSettings(
  settings: SettingStore,
  { toolsets, at, by }: { readonly toolsets: readonly Toolset[]; readonly at: number; readonly by: string },
): Promise<KeptAgentSettings> {
  const kept = { toolsets: TOOLSETS.filter((each) => toolsets.includes(each)), changedAt: at, changedBy: by }
  await settings.put(KEY, kept)
  return kept
}
