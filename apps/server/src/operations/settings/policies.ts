import type { OutputOf, policiesGet } from '@septet/contract'
import { instant, type SettingStore } from '@septet/domain'

import { DEFAULT_POLICIES, readPolicies, writePolicies, type KeptPolicies, type Policies } from '../../policies.ts'
import { isoOf } from '../answering/view.ts'

type PoliciesView = OutputOf<typeof policiesGet>

export const getPolicies = async (settings: SettingStore): Promise<PoliciesView> =>
  policiesView(await readPolicies(settings))

/** Replaces them; pipelines go by them from their next turn on. */
export async function putPolicies(
  settings: SettingStore,
  change: { readonly policies: Policies; readonly at: number; readonly by: string },
): Promise<PoliciesView> {
  return policiesView(await writePolicies(settings, change))
}

const policiesView = ({ policies, changedAt, changedBy }: KeptPolicies): PoliciesView => ({
  policies,
  defaults: DEFAULT_POLICIES,
  changedAt: changedAt === undefined ? null : isoOf(instant(changedAt)),
  changedBy: changedBy ?? null,
})
