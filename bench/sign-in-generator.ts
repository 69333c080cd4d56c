import { z } from 'zod'

import { steadily } from './steadily.ts'

/** What the process that signs people in is told, as JSON in its one argument. */
export type SignInPlan = z.infer<typeof PlanSchema>
const PlanSchema = z.object({
  url: z.string(),
  emails: z.array(z.string()),
  password: z.string(),
  perSecond: z.number(),
  seconds: z.number(),
})

/** What it writes when it is done: milliseconds of each sign-in, null for one that was refused. */
export const SignInTimes = z.array(z.number().nullable())

/** Run by itself and not where its schema is imported. */
if (process.argv[1] === import.meta.filename) {
  const plan = PlanSchema.parse(JSON.parse(process.argv[2] ?? ''))
  const times = await steadily(plan.perSecond, plan.seconds, (turn) => signIn(plan, turn))
  process.stdout.write(JSON.stringify(times.map((time) => time ?? null)))
}

async function signIn({ url, emails, password }: SignInPlan, turn: number): Promise<boolean> {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': addressOf(turn) },
    body: JSON.stringify({ email: emails[turn % emails.length], password }),
  })
  await answer.arrayBuffer()
  return answer.ok
}

/** One address each, of the range for measurements of networks (RFC 2544): so many of one would be held up. */
export function addressOf(turn: number): string {
  return `198.18.${(turn >> 8) & 255}.${turn & 255}`
}
