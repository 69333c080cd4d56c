import type { Meaning, Piece } from './line.ts'
import type { Clock } from './times.ts'

/** What was read at a place of a line. */
export type Read = { readonly length: number; readonly meaning: Meaning; readonly says: string } & Partial<
  Pick<Piece, 'problem' | 'choices' | 'isSingular'>
>
/** Reads what stands at a place of a line; undefined where that is not for it. */
export type Reader = (line: string, from: number, clock: Clock) => Read | undefined

/** After a word. */
export const END = String.raw`(?![\p{L}\p{N}_/-])`
/** What turns a condition round. */
export const NOT = String.raw`(?<not>(?:(?:and|but|is|are|was|were|do|does|did)\s+)?(?:not|but(?!\s+(?:not|in|on|of|at|with|for|is|are)\b)|without|except(?:\s+for)?|excluding|apart\s+from|other\s+than|outside(?:\s+of)?|isn't|aren't|don't|doesn't|no|non-?)\s*)`

/** Reads one of some words, in whichever case. */
export function word<Key>(
  entries: readonly (readonly [key: Key, words: string])[],
  read: (key: Key) => Omit<Read, 'length'>,
): Reader {
  const patterns = entries.map(([key, words]) => [key, new RegExp(`(?:${words})${END}`, 'iuy')] as const)
  return (line, from) => {
    const found = patterns
      .map(([key, pattern]) => [key, matchAt(pattern, line, from)?.[0].length ?? 0] as const)
      .toSorted((a, b) => b[1] - a[1])[0]
    return found === undefined || found[1] === 0 ? undefined : { length: found[1], ...read(found[0]) }
  }
}

/** What a sticky pattern matches at a place. */
export function matchAt(pattern: RegExp, line: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from
  return pattern.exec(line) ?? undefined
}

/** Whatever stands between two gaps. */
export const WORD = /[^\s,;?!()"“”]+/uy
