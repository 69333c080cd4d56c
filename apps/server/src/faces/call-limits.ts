import { Refusal } from '@septet/contract'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Calls of one caller: 100 a second, which no agent makes, and so many at the same time. */
const LIMITS = { points: 200, duration: 2, atOnce: 32 }

/** Keeps one caller from taking the time of all others. Counted in memory: several servers count apart. */
export function openCallLimits({ points, duration, atOnce } = LIMITS) {
  const rate = new RateLimiterMemory({ points, duration })
  const running = new Map<string, number>()
  const tooMany = (seconds: number): Refusal =>
    new Refusal('too-many-requests', `More than ${points / duration} calls a second, or ${atOnce} at once.`, {
      words: 'Wait as long as the header "retry-after" says, and ask for more in one call.',
      retryAfter: seconds,
    })
  return {
    /** Counts a call in; gives what counts it out again. Throws a `Refusal` where there are too many. */
    async begin(caller: string): Promise<() => void> {
      await rate.consume(caller).catch((spent: unknown) => {
        throw spent instanceof RateLimiterRes ? tooMany(spent.msBeforeNext / 1000) : spent
      })
      const now = running.get(caller) ?? 0
      if (now >= atOnce) throw tooMany(1)
      running.set(caller, now + 1)
      return () => {
        const left = (running.get(caller) ?? 1) - 1
        if (left > 0) running.set(caller, left)
        else running.delete(caller)
      }
    },
  }
}
