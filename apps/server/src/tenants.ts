import { TenantsSchema } from '@septet/contract'
import type { SettingStore, TenantRule } from '@septet/domain'

const KEY = 'tenants'
/** Another thread or another Septet on the same database may have changed them meanwhile. */
const MAX_AGE_MS = 5000

type Kept = { readonly rules: readonly TenantRule[]; readonly readAt: number }
const kept = new WeakMap<SettingStore, Kept>()

/** The rules that say which tenant a workload belongs to; none where nobody has set any. At most 5 s old. */
export async function readTenants(settings: SettingStore): Promise<readonly TenantRule[]> {
  const known = kept.get(settings)
  if (known !== undefined && performance.now() - known.readAt < MAX_AGE_MS) return known.rules
  const stored = await settings.get(KEY)
  return keep(settings, stored === undefined || stored === null ? [] : TenantsSchema.parse(stored).tenants)
}

/** Replaces them all. */
export async function writeTenants(settings: SettingStore, tenants: readonly TenantRule[]): Promise<void> {
  await settings.put(KEY, { tenants })
  keep(settings, tenants)
}

/** Rules that say the same stay the same object: what was worked out by them is known by it. */
function keep(settings: SettingStore, fresh: readonly TenantRule[]): readonly TenantRule[] {
  const known = kept.get(settings)?.rules
  const rules = known !== undefined && JSON.stringify(known) === JSON.stringify(fresh) ? known : fresh
  kept.set(settings, { rules, readAt: performance.now() })
  return rules
}
