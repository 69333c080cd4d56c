/** What something gives, if it does so within so many milliseconds; undefined where it takes longer. */
export async function inTime<Value>(milliseconds: number, waited: Promise<Value>): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, milliseconds, undefined)
  try {
    return await Promise.race([waited, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const LOOK_MS = 250

/**
 * What is seen at the first look that is enough, or when so many milliseconds have been waited: it looks at once and then
 * every quarter of a second. Rejects where a look does.
 */
export async function lookUntil<Seen>(
  milliseconds: number,
  look: () => Promise<Seen>,
  isEnough: (seen: Seen) => boolean,
): Promise<Seen> {
  for (let left = milliseconds; ; left -= LOOK_MS) {
    // oxlint-disable-next-line no-await-in-loop -- again and again
    const seen = await look()
    if (isEnough(seen) || left <= 0) return seen
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, left)))
  }
}
