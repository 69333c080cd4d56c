import { createHash } from 'node:crypto'
import type { Plan } from '@septet/domain'

/** SHA-256 over any plain value, as text with its keys in order, in hexadecimal digits. */
export const contentDigest = (value: unknown): string => createHash('sha256').update(orderedText(value)).digest('hex')

/** SHA-256 over texts, whatever their order. */
export function digestOfAll(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts.toSorted()) hash.update(text).update('\n')
  return hash.digest('hex')
}

function orderedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => orderedText(item ?? null)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${orderedText(item)}`).join()}}`
}

/** What an approval is of: SHA-256 over the plan. */
export const planDigest = (plan: Plan): string => contentDigest(plan)
