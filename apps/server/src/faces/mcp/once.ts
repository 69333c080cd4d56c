/** As long as a question can be answered, and a little more. */
const HOLDS_MS = 700_000
const MOST = 10_000

/**
 * Says of each question whether it is answered for the first time. In memory: with several servers a second answer could
 * reach another one, where the row of the action refuses it, as it is no longer what was asked about.
 */
export function openOnce(now: () => number): (question: string) => boolean {
  const answered = new Map<string, number>()
  return (question) => {
    for (const [old, at] of answered) {
      if (now() - at < HOLDS_MS && answered.size < MOST) break
      answered.delete(old)
    }
    if (answered.has(question)) return false
    answered.set(question, now())
    return true
  }
}
