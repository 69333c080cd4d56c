import { PoliciesSchema } from '@septet/contract'
import { DEFAULT_POLICY, instant, ratio, seconds, type AnalysisPolicy, type SettingStore } from '@septet/domain'
import { z } from 'zod'

export type Policies = z.output<typeof PoliciesSchema>

/** Policies with who decided them; `idleSince`: since when the idle policy is as it is, milliseconds since 1970. */
export type KeptPolicies = {
  readonly policies: Policies
  readonly changedAt: number | undefined
  readonly changedBy: string | undefined
  readonly idleSince: number | undefined
}

/** What is in force where nobody has decided anything. */
export const DEFAULT_POLICIES: Policies = {
  idle: { threshold: DEFAULT_POLICY.idle.threshold, minimumSeconds: DEFAULT_POLICY.idle.minimum },
  rightSize: {
    memoryMargin: DEFAULT_POLICY.rightSize.memoryMargin,
    targetUtilization: DEFAULT_POLICY.rightSize.targetUtilization,
    minimumHistorySeconds: DEFAULT_POLICY.rightSize.minimumHistory,
  },
  utilizationTarget: DEFAULT_POLICY.utilizationTarget,
  // Recommendations show what they displace, so they may be larger than a plan that is made by hand.
  plans: { maxDisplaced: 40, protectedNamespaces: [] },
}

const KEY = 'policies'
const KeptSchema = z.object({
  policies: PoliciesSchema,
  changedAt: z.number(),
  changedBy: z.string(),
  idleSince: z.number().optional(),
})

export type PoliciesChange = {
  readonly policies: Policies
  readonly at: number
  readonly by: string
  /** When those were changed that somebody looked at and edited, null: never; undefined: whatever stands there is replaced. */
  readonly edited?: number | null | undefined
}

/** The policies in force. Throws what the store throws. */
export const readPolicies = async (settings: SettingStore): Promise<KeptPolicies> => keptOf(await settings.get(KEY))

function keptOf(stored: unknown): KeptPolicies {
  const kept = KeptSchema.safeParse(stored).data
  if (kept === undefined) {
    return { policies: DEFAULT_POLICIES, changedAt: undefined, changedBy: undefined, idleSince: undefined }
  }
  return { ...kept, idleSince: kept.idleSince }
}

/** Replaces them all; undefined, and nothing is written, where somebody else has changed them since they were edited. */
export async function writePolicies(
  settings: SettingStore,
  { policies, at, by, edited }: PoliciesChange,
): Promise<KeptPolicies | undefined> {
  const stored = await settings.get(KEY)
  const before = keptOf(stored)
  if (edited !== undefined && edited !== (before.changedAt ?? null)) return undefined
  const { threshold, minimumSeconds } = before.policies.idle
  const isSame = policies.idle.threshold === threshold && policies.idle.minimumSeconds === minimumSeconds
  const idleSince = isSame ? before.idleSince : at
  const kept = { policies, changedAt: at, changedBy: by, ...(idleSince === undefined ? {} : { idleSince }) }
  if (edited === undefined) await settings.put(KEY, kept)
  else if (!(await settings.replace(KEY, stored, kept))) return undefined
  return { ...kept, idleSince }
}

/** What an analysis goes by. */
export const analysisPolicyOf = ({ policies, idleSince }: KeptPolicies): AnalysisPolicy => ({
  idle: {
    threshold: ratio(policies.idle.threshold),
    minimum: seconds(policies.idle.minimumSeconds),
    ...(idleSince === undefined ? {} : { since: instant(idleSince) }),
  },
  rightSize: {
    memoryMargin: ratio(policies.rightSize.memoryMargin),
    targetUtilization: ratio(policies.rightSize.targetUtilization),
    minimumHistory: seconds(policies.rightSize.minimumHistorySeconds),
  },
  utilizationTarget: ratio(policies.utilizationTarget),
})
