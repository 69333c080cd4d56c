import { Refusal, type OutputOf, type policiesGet } from '@septet/contract'
import { instant, type SettingStore } from '@septet/domain'

import {
  DEFAULT_POLICIES,
  readPolicies,
  writePolicies,
  type KeptPolicies,
  type PoliciesChange,
} from '../../policies.ts'
import { isoOf } from '../answering/view.ts'

type PoliciesView = OutputOf<typeof policiesGet>

/** Replaces them; pipelines go by them from their next turn on. */
export async function putPolicies(settings: SettingStore, change: PoliciesChange): Promise<PoliciesView> {
  const kept = await writePolicies(settings, change)
  if (kept !== undefined) return policiesView(kept)
  const { changedBy = 'Somebody' } = await readPolicies(settings)
  throw new Refusal(
    'invalid-input',
    `Nothing was saved: ${changedBy} changed the policies while you edited them.`,
    'Review the current settings and change them again.',
  )
}

export const policiesView = ({ policies, changedAt, changedBy }: KeptPolicies): PoliciesView => ({
  policies,
  defaults: DEFAULT_POLICIES,
  changedAt: changedAt === undefined ? null : isoOf(instant(changedAt)),
  changedBy: changedBy ?? null,
})
