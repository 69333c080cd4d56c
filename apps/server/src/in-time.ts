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
