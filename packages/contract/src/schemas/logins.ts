import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { NamespacesView, RoleSchema } from './sessions.ts'

const CodeInput = z.string().min(1).max(40).describe('the code that the terminal shows, like BCDF-GHJK')

export const loginsGet = operation(ROUTES.loginsGet, {
  title: 'A command line that asks to sign in',
  description:
    'The machine that waits under a code for a signed-in person to allow it, for ten minutes at most. Asked by people, not by tokens.',
  input: z.strictObject({ code: CodeInput }),
  output: named('LoginRequest', {
    machine: z.string().describe('host name as the command line gave it: a claim'),
    address: z.string().describe('network address that it asked from'),
    returns: z.boolean().describe('whether the browser goes back to that machine; otherwise it waits for the code'),
    role: RoleSchema.nullable().describe('the role it asks for; null = no preference'),
    namespaces: NamespacesView.describe('those that the token would see; null = all'),
    askedAt: InstantText,
    expiresAt: InstantText,
  }),
})

export const loginsAllow = operation(ROUTES.loginsAllow, {
  title: 'Let a command line sign in',
  description:
    'Gives the command line that shows this code an API token of the caller, good for 90 days and revocable like any other. Only a person can.',
  input: z.strictObject({
    code: CodeInput,
    role: RoleSchema.default('viewer').describe('what the token may do; at most what the caller may'),
  }),
  output: named('LoginAllowed', {
    machine: z.string(),
    returnTo: z.string().nullable().describe('where the browser goes now; null = nowhere, the command line asks again'),
  }),
})

export const loginsDeny = operation(ROUTES.loginsDeny, {
  title: 'Do not let a command line sign in',
  description: 'Ends the request of the command line that shows this code. It gets nothing.',
  input: z.strictObject({ code: CodeInput }),
  output: named('LoginDenied', {
    machine: z.string(),
    returnTo: z.string().nullable().describe('where the browser goes now; null = nowhere'),
  }),
})

/** What a command line sends to `LOGINS_PATH` to begin. */
export const LoginWishSchema = z.strictObject({
  machine: z.string().regex(/^[\w.-]{1,63}$/u),
  /** PKCE, method S256 (RFC 7636). */
  challenge: z.string().regex(/^[\w-]{43}$/u),
  /** Where the browser returns to: this machine and no other (RFC 8252, section 7.3). Without it the person types the code. */
  callback: z
    .strictObject({
      url: z
        .string()
        .regex(
          /^http:\/\/(?:127\.0\.0\.1|\[::1\]):[1-9]\d{0,4}\/callback$/u,
          'must be http://127.0.0.1:PORT/callback, on the machine that asks',
        ),
      state: z.string().regex(/^[\w-]{16,128}$/u),
    })
    .optional(),
  role: RoleSchema.optional(),
})

/** What it is told. */
export const LoginBegunSchema = z.object({
  id: z.string(),
  code: z.string(),
  /** The page where a person decides. */
  page: z.url(),
  expiresAt: InstantText,
  /** How long to wait between two questions, seconds. */
  pollSeconds: z.number(),
})

/** What it sends to `LOGIN_REDEMPTION_PATH`. */
export const LoginProofSchema = z.strictObject({
  id: z.string().max(64),
  verifier: z.string().regex(/^[\w.~-]{43,128}$/u),
  /** What the browser brought back. */
  grant: z.string().max(128).optional(),
})

export const LoginRedeemedSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({ state: z.literal('allowed'), name: z.string().describe('of the token'), secret: z.string() }),
])
