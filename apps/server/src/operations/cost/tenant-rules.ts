import { Refusal, type InputOf, type OutputOf, type tenantsGet, type tenantsPut } from '@septet/contract'
import type { SettingStore, TenantRule } from '@septet/domain'

import { readTenants, writeTenants } from '../../tenants.ts'

/** The rules in force, in their order. */
export const getTenants = async (settings: SettingStore): Promise<OutputOf<typeof tenantsGet>> =>
  tenantsView(await readTenants(settings))

/** Replaces the rules. A name may stand only once: two tenants of one name could not be told apart. */
export async function putTenants(
  settings: SettingStore,
  { tenants }: InputOf<typeof tenantsPut>,
): Promise<OutputOf<typeof tenantsPut>> {
  const twice = tenants.find(({ name }, index) => tenants.findIndex((other) => other.name === name) < index)
  if (twice !== undefined) {
    throw new Refusal(
      'invalid-input',
      `Two tenants are called "${twice.name}".`,
      'Give each tenant a unique name; one rule may list several namespaces.',
    )
  }
  await writeTenants(settings, tenants)
  return tenantsView(tenants)
}

const tenantsView = (rules: readonly TenantRule[]): OutputOf<typeof tenantsGet> => ({
  tenants: rules.map(({ name, namespaces, labels }) => ({ name, namespaces: [...namespaces], labels: { ...labels } })),
})
