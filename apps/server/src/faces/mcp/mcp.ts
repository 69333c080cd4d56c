import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { MCP_PATH, notAllowed, Refusal, refuseLargeJson } from '@septet/contract'
import { HOUR_MS, instant, mayActAs, type Caller, type NoteStore, type SettingStore } from '@septet/domain'
import { TOOLSETS, type Ask, type Toolset } from '@septet/tools'
import type { Confirming } from '@septet/tools/mcp'
import type { RateLimits } from '@septet/auth'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AgentCalls } from '../../agent-calls.ts'
import { readAgentSettings } from '../../agent-settings.ts'
import { type Answers, askAs } from '../../operations/answering/answering.ts'
import type { OtherServers } from '../../other-servers.ts'
import { limitsOf } from '../call-limits.ts'
import { baseOf, mcpCaller, METADATA_PATH, type CallerNeeds, type McpCaller } from './mcp-caller.ts'
import type { ServeMcp } from './serve-mcp.ts'

/** As long as a question can be answered, and a little more. */
const HOLDS_MS = 700_000

/** Says of each question whether it is answered for the first time, whichever server on the database its answers reach. */
const openOnce =
  (notes: NoteStore, now: () => number): Confirming['isFirst'] =>
  (question) => {
    const at = instant(now())
    const until = instant(at + HOLDS_MS)
    return notes.add({ kind: 'answered', id: question, owner: '', at, until, bytes: new Uint8Array() })
  }

/** Whoever stops acting again and again wears people down: after so many, it is people who stop it. */
const STOPS = { most: 5, withinMs: HOUR_MS }

/** Asks as a caller, whose stops are counted by all servers on the database together. */
function askWithin({ answers, notes, now }: McpNeeds, caller: Caller): Ask {
  const ask = askAs(answers, caller)
  return async (key, input, signal) => {
    if (key !== 'actingStop') return ask(key, input, signal)
    const at = instant(now())
    const until = instant(at + STOPS.withinMs)
    const stop = { kind: 'agent-stop', id: randomUUID(), owner: caller.id, at, until, bytes: new Uint8Array() }
    const again = await notes.addUpTo(STOPS.most, stop)
    if (again === undefined) return ask(key, input, signal)
    throw new Refusal('too-many-requests', `You stopped acting ${STOPS.most} times within an hour.`, {
      words: 'Tell a person: they can stop it under Actions in the dashboard at any time.',
      retryAfter: (again - at) / 1000,
    })
  }
}

export type McpNeeds = CallerNeeds & {
  readonly answers: Answers
  readonly settings: SettingStore
  readonly notes: NoteStore
  readonly calls: AgentCalls
  readonly others: OtherServers
  readonly limits: RateLimits
  readonly serve: ServeMcp
  /** Of the MAC over questions that wait for a person's answer. */
  readonly key: Uint8Array
  readonly version: string
  readonly now: () => number
}

/** The Model Context Protocol, stateless: each POST is one request, with the rights of whoever sends it and no others. */
export function registerMcp(server: FastifyInstance, needs: McpNeeds): void {
  const limits = limitsOf('mcp', needs.limits)
  const isFirst = openOnce(needs.notes, needs.now)
  const running = new RunningCalls(needs.others)
  server.get(METADATA_PATH, async (request, reply) => reply.send(metadataOf(needs, request)))
  void server.register((scope, _options, done) => {
    // The protocol has words of its own for a body that is no JSON.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => {
      refuseLargeJson(String(body))
      parsed(null, body)
    })
    scope.post(MCP_PATH, async (request, reply) => {
      const { caller, scopes } = await mcpCaller(needs, request, reply)
      await limits.begin(caller.id, reply)
      const ended = new AbortController()
      reply.raw.once('close', () => ended.abort())
      running.hear(caller.id, request.body, ended)
      return answer({ needs, caller, scopes, isFirst, ended: ended.signal }, request, reply)
    })
    scope.route({
      method: ['GET', 'PUT', 'DELETE', 'PATCH'],
      url: MCP_PATH,
      handler: (_request, reply) => reply.status(405).header('allow', 'POST').send(),
    })
    done()
  })
}

/** From this revision on clients read structured content, and name their revision with each request. */
const STRUCTURED_FROM = '2025-06-18'

type Asked = McpCaller & {
  readonly needs: McpNeeds
  readonly isFirst: Confirming['isFirst']
  /** Says that nobody waits for the answer any more. */
  readonly ended: AbortSignal
}

async function answer(
  { needs, caller, scopes, isFirst, ended }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { toolsets } = await readAgentSettings(needs.settings)
  const offered = toolsetsFor(caller, toolsets).filter((each) => scopes?.includes(each) ?? true)
  if (offered.length === 0) {
    throw notAllowed('The MCP server is turned off.', 'An admin can turn it on under Settings → Agents.')
  }
  const serve = needs.serve({
    version: needs.version,
    ask: askWithin(needs, caller),
    toolsets: offered,
    base: baseOf(needs, request),
    confirming: confirmingOf(needs, caller, isFirst),
    isTextAlone: String(request.headers['mcp-protocol-version'] ?? '') < STRUCTURED_FROM,
    connected: ended,
    onCall: (call) => needs.calls.add(caller, call),
  })
  const response = await serve(webRequestOf(needs, request, ended))
  void reply.status(response.status).header('cache-control', 'no-store')
  response.headers.forEach((value, name) => void reply.header(name, value))
  return reply.send(response.body === null ? null : Readable.fromWeb(response.body))
}

function webRequestOf(needs: McpNeeds, request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'content-length' && typeof value === 'string') headers.set(name, value)
  }
  const body = typeof request.body === 'string' ? request.body : ''
  return new Request(`${baseOf(needs, request)}${MCP_PATH}`, { method: 'POST', headers, body, signal })
}

/** What is offered to everybody, less what this caller may not do. */
const toolsetsFor = (caller: Caller, offered: readonly Toolset[]): readonly Toolset[] =>
  TOOLSETS.filter((each) => offered.includes(each) && (each !== 'act' || mayActAs(caller.role, 'operator')))

/** A person is asked through the client: whoever signed in, or made the token. Visitors are nobody. */
function confirmingOf(
  { answers, key }: McpNeeds,
  caller: Caller,
  isFirst: Confirming['isFirst'],
): Confirming | undefined {
  if (caller.kind === 'account') return { who: caller.id, key, askAsPerson: askAs(answers, caller), isFirst }
  if (caller.madeBy === undefined) return undefined
  // With the rights of the token, which are never more than those of its maker.
  const { madeBy, ...rights } = caller
  const person: Caller = { ...rights, kind: 'account', id: caller.party ?? caller.id, name: madeBy }
  return { who: caller.id, key, askAsPerson: askAs(answers, person), isFirst }
}

function metadataOf(needs: McpNeeds, request: FastifyRequest) {
  const base = baseOf(needs, request)
  return {
    resource: `${base}${MCP_PATH}`,
    resource_name: 'Septet',
    ...(needs.issuer === undefined ? {} : { authorization_servers: [needs.issuer.issuer] }),
    bearer_methods_supported: ['header'],
    scopes_supported: [...TOOLSETS],
    resource_documentation: `${base}/dashboard/settings/agents`,
  }
}

const Message = z.looseObject({
  method: z.string(),
  id: z.union([z.string(), z.number()]).optional(),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]).optional() }).optional(),
})
type Message = z.output<typeof Message>

/**
 * Which requests are being answered, so that one can be cancelled by another request: clients of 2025 say it that way, while
 * later ones close the stream. Without sessions a request is known by its caller and its id, so where one caller has two
 * clients with the same id at work it is not known which is meant, and none is cancelled.
 */
export class RunningCalls {
  readonly #running = new Map<string, Set<AbortController>>()
  readonly #others: OtherServers

  constructor(others: OtherServers) {
    this.#others = others
    others.hear((notice) => {
      if (notice.kind === 'cancelled') this.#cancel(keyOf(notice.caller, notice.id))
    })
  }

  /** Takes note of a request until it has ended, or cancels the one that a notification names. */
  hear(caller: string, body: unknown, ended: AbortController): void {
    const message = messageIn(body)
    if (message === undefined) return
    const { method, id, params } = message
    if (method === 'notifications/cancelled') this.#cancelAnywhere(caller, params?.requestId)
    else if (id !== undefined) this.#note(keyOf(caller, id), ended)
  }

  #note(key: string, ended: AbortController): void {
    const same = this.#running.get(key) ?? new Set()
    this.#running.set(key, same.add(ended))
    ended.signal.addEventListener('abort', () => {
      same.delete(ended)
      if (same.size === 0) this.#running.delete(key)
    })
  }

  /** Another server may be the one that answers it. */
  #cancelAnywhere(caller: string, id: Message['id']): void {
    if (id === undefined) return
    if (this.#running.has(keyOf(caller, id))) this.#cancel(keyOf(caller, id))
    else this.#others.tell({ kind: 'cancelled', caller, id })
  }

  #cancel(key: string): void {
    const [only, ...others] = this.#running.get(key) ?? []
    if (others.length === 0) only?.abort()
  }
}

/** 1 and "1" are two ids. */
const keyOf = (caller: string, id: Message['id']): string => JSON.stringify([caller, id])

function messageIn(body: unknown): Message | undefined {
  try {
    return typeof body === 'string' ? Message.safeParse(JSON.parse(body)).data : undefined
  } catch {
    return undefined
  }
}
