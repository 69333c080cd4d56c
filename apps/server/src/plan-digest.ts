import { createHash } from 'node:crypto'

import type { Plan } from '@septet/domain'

/** What an approval is of: SHA-256 over the plan as text with its keys in order, in hexadecimal digits. */
export const planDigest = (plan: Plan): string => createHash('sha256').update(orderedText(plan)).digest('hex')

function orderedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => orderedText(item ?? null)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${orderedText(item)}`).join()}}`
}
