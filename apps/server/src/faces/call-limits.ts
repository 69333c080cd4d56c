import { REQUEST_LIMITS, type Gate, type RateLimits } from '@septet/auth'
import { Refusal } from '@septet/contract'
import type { Caller } from '@septet/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

type Limits = {
  /** So many in so many seconds. */
  readonly points: number
  readonly duration: number
  readonly atOnce: number
}

/** Keeps one caller from taking the time of all others. Counted in memory: several servers count apart. */
export function openCallLimits({ points, duration, atOnce }: Limits) {
  const rate = new RateLimiterMemory({ points, duration })
  const running = new Map<string, number>()
  const tooMany = (seconds: number): Refusal =>
    new Refusal(
      'too-many-requests',
      `You sent more than ${points} requests in ${duration} seconds, or ${atOnce} at once.`,
      { words: 'Wait as long as the header "retry-after" says, and ask for more in one request.', retryAfter: seconds },
    )
  return {
    /** Counts a call in, until it is answered. Throws a `Refusal` where there are too many. */
    async begin(caller: string, reply: Pick<FastifyReply, 'raw'>): Promise<void> {
      await rate.consume(caller).catch((spent: unknown) => {
        throw spent instanceof RateLimiterRes ? tooMany(spent.msBeforeNext / 1000) : spent
      })
      const now = running.get(caller) ?? 0
      if (now >= atOnce) throw tooMany(1)
      running.set(caller, now + 1)
      reply.raw.once('close', () => {
        const left = (running.get(caller) ?? 1) - 1
        if (left > 0) running.set(caller, left)
        else running.delete(caller)
      })
    },
  }
}

/** Answered at the same time: visitors, who need no account, leave room for those who have one. */
const AT_ONCE = { visitor: 64, api: 128, mcp: 32 } as const

/** The limits of one kind, as they are set or usual. */
export const limitsOf = (kind: keyof typeof AT_ONCE, { requests }: Pick<RateLimits, 'requests'>) =>
  openCallLimits({
    ...REQUEST_LIMITS[kind],
    points: requests[kind] ?? REQUEST_LIMITS[kind].points,
    atOnce: AT_ONCE[kind],
  })

/** Whom a request is answered as. Throws a `Refusal` where they may not ask, or ask too much. */
export type CallerOf = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

/** Counts what each caller of the API asks: accounts and tokens by themselves, visitors by their network address. */
export function limitedCallers(gate: Gate, limits: RateLimits): CallerOf {
  const [visitors, others] = [limitsOf('visitor', limits), limitsOf('api', limits)]
  return async (request, reply) => {
    const caller = await gate.caller(request)
    await (caller.kind === 'visitor' ? visitors : others).begin(caller.id, reply)
    return caller
  }
}
