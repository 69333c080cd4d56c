import { dateText, dateOfDay, dayNumber } from '../../analyze/civil-date.ts'
import { instantOf } from '../../analyze/time-range.ts'
import { wallText } from '../../analyze/zoned-time.ts'
import { DAY_MS, type Instant, instant } from '../../units.ts'
import { textsAt } from '../live-object.ts'

/** Annotation or label by which its owner keeps an object, and what runs there, from every change by Septet. */
const KEEP = 'septet.io/keep'

/** What the owner of an object says of it. */
export type Keep =
  | { readonly kind: 'none' }
  | { readonly kind: 'for-good' }
  /** Kept until then, and no longer from then on. */
  | { readonly kind: 'until'; readonly until: Instant }
  /** Somebody wanted something that nobody can read: kept, to be safe. */
  | { readonly kind: 'unreadable'; readonly text: string }

/** What a live object says of itself, by annotation or label; where it says both, what keeps it longer. */
export const keepOf = (object: unknown): Keep =>
  [textsAt(object, 'metadata', 'annotations'), textsAt(object, 'metadata', 'labels')]
    .map(keepAmong)
    .reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a))

/** The same for labels or annotations that are known without the object. */
export const keepAmong = (texts: Readonly<Record<string, string>>): Keep =>
  Object.hasOwn(texts, KEEP) ? keepOfText(texts[KEEP] ?? '') : { kind: 'none' }

/** Whether nothing may be changed at that moment. */
export const isKept = (keep: Keep, now: Instant): boolean => lengthOf(keep) > now

/** In words that follow the object's name: "is kept until 2026-12-01 00:00 UTC"; undefined where it is not kept then. */
export function keepWords(keep: Keep, now: Instant): string | undefined {
  if (!isKept(keep, now)) return undefined
  if (keep.kind === 'unreadable') {
    return `has ${KEEP} set to "${keep.text}", which is neither true nor a date, so it is kept to be safe`
  }
  return keep.kind === 'until'
    ? `is kept until ${wallText('UTC', keep.until).replace('T', ' ')} UTC by its ${KEEP}`
    : `is kept for good by its ${KEEP}`
}

/** A date counts to the end of its day, UTC. */
function keepOfText(text: string): Keep {
  const said = text.trim().toLowerCase()
  if (said === '' || said === 'true') return { kind: 'for-good' }
  if (said === 'false') return { kind: 'none' }
  const until = instantOf(text.trim()) ?? endOfDate(text.trim())
  return until === undefined ? { kind: 'unreadable', text } : { kind: 'until', until }
}

/** The instant after the last one of a date, UTC. */
function endOfDate(text: string): Instant | undefined {
  const [year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/u.exec(text) ?? []).slice(1).map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  const number = dayNumber({ year, month, day })
  return dateText(dateOfDay(number)) === text ? instant((number + 1) * DAY_MS) : undefined
}

const lengthOf = (keep: Keep): number =>
  keep.kind === 'none' ? Number.NEGATIVE_INFINITY : keep.kind === 'until' ? keep.until : Number.POSITIVE_INFINITY
