import { instant, type AccountChange } from '@septet/domain'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { needAdmitted, needEmail } from './admission.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthProblem } from './auth-problem.ts'
import { needGoodPassword } from './password-rules.ts'
import { readBody, MetadataSchema } from './read-body.ts'

/**
 * Refuses a password hash that was made elsewhere unless it is argon2id or argon2i in PHC form and no dearer to check than
 * the bounds below: whoever signs in makes the server do that work.
 */
function needArgon2Hash(text: string): string {
  const [, memory, passes, lanes] = (PHC.exec(text) ?? []).map(Number)
  if (memory === undefined || passes === undefined || lanes === undefined) {
    throw refused('must be argon2id or argon2i in PHC form ($argon2id$v=19$m=...,t=...,p=...$salt$hash)')
  }
  if (memory > MOST_KIB || passes > MOST_PASSES || lanes > MOST_LANES || memory < 8 * lanes) {
    throw refused(`must use at most ${MOST_KIB} KiB, ${MOST_PASSES} passes and ${MOST_LANES} lanes`)
  }
  return text
}

const PHC =
  /^\$argon2id?\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d{0,2}),p=([1-9]\d?)\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/u
const MOST_KIB = 65_536
const MOST_PASSES = 10
const MOST_LANES = 8

const refused = (what: string): AuthProblem =>
  new AuthProblem(400, 'validation_failed', `Field "password_hash" ${what}`)

/** What an admin wants an account to be; undefined where they say nothing. */
export type AdminWish = {
  readonly id: string | undefined
  /** Folded, and admitted. */
  readonly email: string | undefined
  readonly passwordHash: string | undefined
  readonly confirmed: boolean
  readonly userMetadata: z.infer<typeof MetadataSchema>
  readonly appMetadata: z.infer<typeof MetadataSchema>
  /** `until: undefined` lifts a ban. */
  readonly ban: Pick<AccountChange, 'bannedUntil'> | undefined
}

const Body = z.object({
  id: z.uuid().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  password_hash: z.string().nullish(),
  email_confirm: z.boolean().nullish(),
  user_metadata: MetadataSchema,
  app_metadata: MetadataSchema,
  role: z.string().nullish(),
  ban_duration: z.string().nullish(),
})

/** Reads and checks a wish; `email`: of the account as it is, if there is one. Hashing a password is done last. */
export async function readAdminWish(
  context: AuthContext,
  request: FastifyRequest,
  email: string | undefined,
): Promise<AdminWish> {
  const body = readBody(Body, request)
  if (body.phone) throw new AuthProblem(400, 'phone_provider_disabled', 'Unsupported phone provider')
  if (body.role && body.role !== 'authenticated') {
    throw invalid('Field "role" can only be "authenticated": what people may do is decided under Settings, Members')
  }
  const newEmail = body.email ? needEmail(body.email) : undefined
  if (newEmail !== undefined) needAdmitted(context, newEmail)
  return {
    id: body.id ?? undefined,
    email: newEmail,
    confirmed: body.email_confirm ?? false,
    userMetadata: body.user_metadata,
    appMetadata: body.app_metadata,
    ban: readBan(context, body.ban_duration),
    passwordHash: await hashOf(context, body, newEmail ?? email ?? ''),
  }
}

function readBan(context: AuthContext, duration: string | null | undefined): AdminWish['ban'] {
  if (!duration) return undefined
  const milliseconds = readBanDuration(duration)
  if (milliseconds === undefined) throw invalid('Field "ban_duration" must be a duration such as 24h, or none')
  return { bannedUntil: milliseconds === 0 ? undefined : instant(context.now() + milliseconds) }
}

async function hashOf(
  context: AuthContext,
  { password, password_hash: imported }: z.infer<typeof Body>,
  email: string,
): Promise<string | undefined> {
  if (password && imported) throw invalid('Only a password or a password hash should be provided')
  if (imported) return needArgon2Hash(imported)
  if (password === null || password === undefined) return undefined
  await needGoodPassword(password, email)
  return context.passwords.hash(password)
}

const invalid = (message: string): AuthProblem => new AuthProblem(400, 'validation_failed', message)

/**
 * Reads a length of time as the protocol writes it for a ban (a Go duration such as `24h` or `1h30m`), milliseconds; 0 for
 * `none`, which lifts one. Undefined for anything else, and beyond a thousand years.
 */
export function readBanDuration(text: string): number | undefined {
  if (text === 'none' || text === '0') return 0
  if (!/^\+?(?:\d+(?:\.\d*)?(?:ns|us|µs|μs|ms|s|m|h))+$/u.test(text)) return undefined
  const parts = text.matchAll(/(?<count>\d+(?:\.\d*)?)(?<unit>[a-zµμ]+)/gu)
  let total = 0
  for (const { groups } of parts) total += Number(groups?.['count']) * (MILLISECONDS.get(groups?.['unit'] ?? '') ?? NaN)
  return total <= LONGEST ? Math.round(total) : undefined
}

const MILLISECONDS = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])
const LONGEST = 1000 * 365.25 * 86_400_000
