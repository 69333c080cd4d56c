import type { Account, JsonRecord } from '@septet/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { userView, type UserView } from '../account-view.ts'
import { needEmail } from '../admission.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthProblem } from '../auth-problem.ts'
import { needBearer, type Bearer } from '../bearer.ts'
import { beginEmailChange, needFreeAddress } from '../email-change.ts'
import { changePassword } from '../password-change.ts'
import { readBody, mergeMetadata, MetadataSchema } from '../read-body.ts'
import { redirectOf } from '../redirect.ts'
import { needNotManaged } from '../managed-account.ts'

/** `PUT /user`: what people change about themselves. */
export function registerUserUpdate(server: FastifyInstance, context: AuthContext): void {
  server.put('/user', (request) => updateUser(context, request))
}

async function updateUser(context: AuthContext, request: FastifyRequest): Promise<UserView> {
  const bearer = await needBearer(context, request)
  await context.limits.spend('user', request.ip)
  const wish = readWish(request)
  if (wish.password !== undefined || isNewAddress(bearer, wish)) needNotManaged(context, bearer.account)
  needSecondFactor(bearer, wish)
  return userView(await changed(context, request, { bearer, wish }), bearer.factors)
}

const Body = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  nonce: z.string().nullish(),
  data: MetadataSchema,
})

type Wish = {
  readonly body: z.infer<typeof Body>
  readonly email: string | undefined
  readonly password: string | undefined
}

function readWish(request: FastifyRequest): Wish {
  const body = readBody(Body, request)
  if (body.phone) throw new AuthProblem(400, 'phone_provider_disabled', 'Unsupported phone provider')
  return {
    body,
    email: body.email ? needEmail(body.email) : undefined,
    // An empty password is a weak one, not none.
    password: body.password ?? undefined,
  }
}

/** Anyone who has a second factor must have shown it before what guards the account is changed. */
function needSecondFactor(bearer: Bearer, wish: Wish): void {
  const { aal, factors } = bearer
  const isGuarded = wish.password !== undefined || isNewAddress(bearer, wish)
  const hasFactor = factors.some(({ status }) => status === 'verified')
  if (!isGuarded || !hasFactor || aal === 'aal2') return
  throw new AuthProblem(
    401,
    'insufficient_aal',
    'AAL2 session is required to update email or password when MFA is enabled.',
  )
}

const isNewAddress = ({ account }: Bearer, { email }: Wish): boolean => email !== undefined && email !== account.email

/** What may be refused without a change is asked first, so that a request is followed whole or not at all. */
async function changed(
  context: AuthContext,
  request: FastifyRequest,
  { bearer, wish }: { readonly bearer: Bearer; readonly wish: Wish },
): Promise<Account> {
  const { email, password, body } = wish
  let { account } = bearer
  const newEmail = email === account.email ? undefined : email
  const userMetadata = mergeMetadata(account.userMetadata, body.data)
  if (newEmail !== undefined) await needFreeAddress(context, { account, newEmail, ip: request.ip })
  if (password !== undefined) {
    account = await changePassword(context, bearer, {
      password,
      currentPassword: body.current_password || undefined,
      nonce: body.nonce || undefined,
      ip: request.ip,
    })
  }
  if (body.data) account = await changeMetadata(context, { account, userMetadata, ip: request.ip })
  if (newEmail === undefined) return account
  const redirectTo = redirectOf(context, request)
  return beginEmailChange(context, { account, newEmail, redirectTo, ip: request.ip })
}

async function changeMetadata(
  context: AuthContext,
  { account, userMetadata, ip }: { readonly account: Account; readonly userMetadata: JsonRecord; readonly ip: string },
): Promise<Account> {
  const written = await context.access.accounts.update(account.id, { userMetadata, updatedAt: context.now() })
  await context.audit.record({
    actor: account.email,
    action: 'account.change-data',
    ip,
    details: { keys: Object.keys(userMetadata).length },
  })
  return written === undefined || written === 'taken' ? account : written
}
