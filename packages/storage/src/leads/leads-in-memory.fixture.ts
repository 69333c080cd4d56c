import type { Fence, LeadStore } from '@septet/domain'

type Row = { token: number; holder: string | undefined; until: number; asked: string | undefined }

/** Leads by a clock that a test sets. */
export function leadsInMemory(now: () => number): LeadStore {
  const rows = new Map<string, Row>()
  const heldBy = ({ cluster, token }: Fence): Row | undefined => {
    const row = rows.get(cluster)
    return row?.token === token && row.holder !== undefined ? row : undefined
  }
  return {
    async take(cluster, holder, forMs) {
      const before = rows.get(cluster)
      if (before?.holder !== undefined && before.until >= now()) return undefined
      const token = 1 + (before?.token ?? 0)
      rows.set(cluster, { token, holder, until: now() + forMs, asked: undefined })
      return { cluster, token }
    },
    async renew(leads, forMs) {
      const kept = leads.filter((lead) => heldBy(lead) !== undefined)
      for (const lead of kept) Object.assign(heldBy(lead) ?? {}, { until: now() + forMs })
      return kept
    },
    async release(lead) {
      Object.assign(heldBy(lead) ?? {}, { holder: undefined })
    },
    async revoke(cluster) {
      const row = rows.get(cluster)
      if (row !== undefined) rows.set(cluster, { ...row, token: row.token + 1, holder: undefined })
    },
    async ask(cluster, holder) {
      const row = rows.get(cluster)
      if (row !== undefined) row.asked ??= holder
    },
    async led(withinMs = 0) {
      const isLed = ({ until, holder }: Row): boolean =>
        until >= now() - withinMs && (holder !== undefined || withinMs > 0)
      return [...rows]
        .filter(([, row]) => isLed(row))
        .map(([cluster, { holder, asked }]) => ({ cluster, holder, asked }))
    },
  }
}
