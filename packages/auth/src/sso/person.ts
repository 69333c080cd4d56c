import { z } from 'zod'

import { foldEmail, isEmail } from '../admission.ts'
import { SsoProblem } from './sso-problem.ts'

/** Who somebody is by the word of a sign-in provider. */
export type Claimant = {
  readonly issuer: string
  readonly subject: string
  /** What the provider calls this sign-in. */
  readonly providerSession: string | undefined
  /** Whole address, folded. */
  readonly email: string
  /** Whether the provider says that the address is the person's own; nothing said is not yes. */
  readonly emailVerified: boolean
  /** Undefined where the provider said nothing about groups. */
  readonly groups: readonly string[] | undefined
}

export type ProviderClaims = Readonly<Record<string, unknown>>

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const Named = z.looseObject({
  iss: z.string(),
  sub: z.string().regex(/^[\u0020-\u007e]{1,255}$/u),
  sid: z.string().max(255).optional(),
  email: z.string().optional(),
  email_verified: z.unknown().optional(),
})

/** The claims of an ID token that was found right, with those of the userinfo endpoint, as a person. Throws a `SsoProblem`. */
export function personOf(claims: ProviderClaims, groupsClaim: string | undefined): Claimant {
  const read = Named.safeParse(claims)
  if (!read.success)
    throw new SsoProblem('unclear', `A claim is of the wrong form: ${read.error.issues[0]?.path.join('.') ?? ''}`)
  const { iss, sub, sid, email_verified: verified } = read.data
  const email = foldEmail(read.data.email ?? '')
  if (!isEmail(email)) throw new SsoProblem('no-email', `The claim "email" holds no address for ${sub}.`)
  const isVerified = verified === true || verified === 'true'
  // Anyone who may write any address there could take the place of whom they name.
  if (!isVerified && isSaid(verified)) throw new SsoProblem('unverified', `${email} is not confirmed.`)
  return {
    issuer: iss,
    subject: sub,
    providerSession: sid,
    email,
    emailVerified: isVerified,
    groups: groupsClaim === undefined ? undefined : groupsIn(claims, groupsClaim),
  }
}

const isSaid = (claim: unknown): boolean => claim !== undefined && claim !== null

/** The groups of a claim: a list, or one name alone. Throws where the provider says that it left them out. */
export function groupsIn(claims: ProviderClaims, name: string): readonly string[] | undefined {
  const found = Object.hasOwn(claims, name) ? claims[name] : atPath(claims, name.split('.'))
  if (typeof found === 'string') return [found]
  if (Array.isArray(found)) return found.filter((each) => typeof each === 'string')
  if (isLeftOut(claims, name)) throw new SsoProblem('too-many-groups', `The claim "${name}" was left out.`)
  return undefined
}

function atPath(claims: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return claims
  if (typeof claims !== 'object' || claims === null || !Object.hasOwn(claims, first)) return undefined
  return atPath(Object.entries(claims).find(([key]) => key === first)?.[1], rest)
}

/** A claim that has to be fetched elsewhere (OpenID Connect Core 1.0, section 5.6.2): Entra ID does so above 200 groups. */
function isLeftOut(claims: ProviderClaims, name: string): boolean {
  const elsewhere = claims['_claim_names']
  const isNamed = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)
  return isNamed || claims['hasgroups'] !== undefined
}
