import { droppedBy, instant } from '@septet/domain'

import type { Answer } from '../../../api.ts'

type View = Answer<'retentionGet'>
export type Stored = View['stored']
export type Days = View['days']
/** What goes of the rows of one length. */
export type Loss = { readonly span: keyof Days; readonly rows: number; readonly bytes: number }

type Question = { readonly stored: Stored; readonly days: Days; readonly now: number }

/** What is dropped when rows are kept for so many days; empty when nothing is. */
export const lossOf = ({ stored, days, now }: Question): readonly Loss[] =>
  (['5m', '1h', '1d'] as const).flatMap((span) => {
    const parts = stored[span].parts.map((part) => ({
      ...part,
      from: instant(Date.parse(part.from)),
      to: instant(Date.parse(part.to)),
    }))
    const lost = droppedBy(parts, days[span], instant(now))
    return lost.rows > 0 ? [{ span, ...lost }] : []
  })
