import { Refusal } from '@septet/contract'

import type { Reply } from '../family.ts'
import type { Cited, Reading } from '../reading.ts'

type Found = Pick<Cited<'costBreakdown'>, 'cite'> & { readonly reading: Reading }

/** Where no team has any of it: why, and the same of namespaces, which there always are. */
export async function byNamespaceInstead(found: Found, what: string, { said, ...reply }: Reply): Promise<Reply> {
  const { because, cite } = await whyNone(found)
  return {
    ...reply,
    said: [[`${because}, so no ${what} is assigned to a team (Settings → Tenants). By namespace:`, cite], ...said],
    pages: [...(reply.pages ?? []), ['Set up tenants', '/settings/tenants']],
  }
}

/** Only an admin may see the rules; everybody else sees that none matches. */
async function whyNone({ reading, cite }: Found): Promise<{ readonly because: string; readonly cite: number }> {
  try {
    const rules = await reading.from('tenantsGet', {}, '/settings/tenants')
    if (rules.is.tenants.length === 0) return { because: 'No tenant rules are set up', cite: rules.cite }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return { because: 'No tenant rule matches this work', cite }
}
