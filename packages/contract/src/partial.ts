import { DAY_MS, HOUR_MS } from '@septet/domain'

/** A stretch is called whole above this share: the first day of a cluster rarely begins at midnight. */
const WHOLE = 0.97

type SeenMonth = { readonly from: string | null; readonly to: string | null; readonly coverage: number | null }

/** How much of a month there is, where that is not all of it: "21 of 30 days"; undefined for a whole or a sample one. */
export function partOfMonth({ from, to, coverage }: SeenMonth): string | undefined {
  if (from === null || to === null || coverage === null) return undefined
  const start = new Date(from)
  const all = (Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1) - start.getTime()) / DAY_MS
  const seen = (coverage * (Date.parse(to) - start.getTime())) / DAY_MS
  if (seen >= all * WHOLE) return undefined
  return `${seen < 1 ? '<1' : Math.round(seen)} of ${all} days`
}

type SeenDay = { readonly window: { readonly from: string; readonly to: string }; readonly seen: number }

/** How much of a day there is as of an instant, where that is not all of it: "9 of 24 h"; undefined for a whole one. */
export function partOfDay({ window, seen }: SeenDay, asOf: string | null): string | undefined {
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)]
  const passed = Math.min(to, asOf === null ? to : Date.parse(asOf)) - from
  const hours = (seen * Math.max(0, passed)) / HOUR_MS
  const all = (to - from) / HOUR_MS
  if (hours >= all * WHOLE) return undefined
  return `${hours > 0 && hours < 1 ? '<1' : Math.round(hours)} of ${all} h`
}
