import { bearerOf, type Gate, type IssuerGate } from '@septet/auth'
import { MCP_PATH, Refusal, notAllowed } from '@septet/contract'
import type { Caller } from '@septet/domain'
import { ACT_TOOLS, TOOLS, TOOLSETS, type Toolset } from '@septet/tools'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { ServedHosts } from '../served-hosts.ts'

export type CallerNeeds = {
  readonly gate: Gate
  /** Of an OAuth authorization server whose tokens are taken too. */
  readonly issuer: IssuerGate | undefined
  readonly publicUrl: string | undefined
  readonly isServed: ServedHosts
}

/** Who calls, and the toolsets that their token is for; undefined where a token says nothing of it. */
export type McpCaller = { readonly caller: Caller; readonly scopes: readonly Toolset[] | undefined }

/** RFC 9728: where a client learns how to be let in. */
export const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`

export const baseOf = ({ publicUrl }: Pick<CallerNeeds, 'publicUrl'>, { protocol, host }: FastifyRequest): string =>
  publicUrl?.replace(/\/$/u, '') ?? `${protocol}://${host}`

/** Throws a `Refusal`, after the reply was given the header that tells a client how to be let in. */
export async function mcpCaller(needs: CallerNeeds, request: FastifyRequest, reply: FastifyReply): Promise<McpCaller> {
  refuseForeignPages(needs, request)
  try {
    const found = await admitted(needs, request)
    const missing = missingScope(found, request)
    if (missing !== undefined) throw new NarrowScope(missing)
    return found
  } catch (error) {
    const challenge = challengeOf(error, request)
    if (challenge !== undefined) {
      const metadata = `resource_metadata="${baseOf(needs, request)}${METADATA_PATH}"`
      void reply.header('www-authenticate', `Bearer ${metadata}, ${challenge}`)
    }
    throw error
  }
}

async function admitted({ gate, issuer, publicUrl }: CallerNeeds, request: FastifyRequest): Promise<McpCaller> {
  const bearer = bearerOf(request.headers.authorization)
  if (bearer !== undefined && issuer?.claims(bearer) === true) {
    const audience = `${baseOf({ publicUrl }, request)}${MCP_PATH}`
    const { caller, scopes } = await issuer.caller(bearer, { audience, ip: request.ip })
    return { caller, scopes: TOOLSETS.filter((each) => scopes.includes(each)) }
  }
  const caller = await gate.caller(request)
  // A client begins to sign in when it is refused, so where it can sign in nobody is let in as a visitor.
  if (caller.kind === 'visitor' && issuer !== undefined) {
    throw new Refusal('not-signed-in', 'An access token is required.', `Get one at ${issuer.issuer}.`)
  }
  return { caller, scopes: undefined }
}

/** A token is not for what was asked; a new one with this scope would be. */
class NarrowScope extends Refusal {
  readonly scope: string
  constructor(scope: string) {
    super(
      'not-allowed',
      `The access token is not for the scope "${scope}".`,
      `Get a token with the scope "${scope}"; a person has to consent to it.`,
    )
    this.scope = scope
  }
}

function challengeOf(error: unknown, { headers }: FastifyRequest): string | undefined {
  if (error instanceof NarrowScope) return `error="insufficient_scope", scope="${error.scope}"`
  if (!(error instanceof Refusal) || error.code !== 'not-signed-in') return undefined
  return headers.authorization === undefined ? 'scope="read"' : 'error="invalid_token", scope="read"'
}

const ToolCall = z.looseObject({ method: z.literal('tools/call'), params: z.looseObject({ name: z.string() }) })

/** What a token would have to be for, beside what it is for, so that this request is answered. */
function missingScope({ scopes }: McpCaller, { body }: FastifyRequest): string | undefined {
  if (scopes === undefined) return undefined
  if (scopes.length === 0) return 'read'
  const call = ToolCall.safeParse(parsed(body)).data
  const wanted = [...TOOLS, ...ACT_TOOLS].find(({ name }) => name === call?.params.name)?.toolset
  return wanted === undefined || scopes.includes(wanted) ? undefined : [...scopes, wanted].join(' ')
}

function parsed(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}

/** A page of another site must not call with what a browser holds, or from a machine that a browser runs on. */
function refuseForeignPages({ isServed }: CallerNeeds, { headers: { origin }, host }: FastifyRequest): void {
  if (origin === undefined) return
  const from = URL.parse(origin)?.host
  // On a public bind without a name every host is served: then it must be the one that was asked.
  const isOurs = from !== undefined && (from === host || (isServed(from) && !isServed('elsewhere.invalid')))
  if (isOurs) return
  throw notAllowed(
    'Requests from other websites are not accepted.',
    'Call it without a browser, or from Septet’s own pages.',
  )
}
