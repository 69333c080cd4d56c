import {
  EVENTS_PATH,
  OPERATIONS,
  PAGE_PASS_PATH,
  SIGN_IN_INFO_PATH,
  type InputOf,
  type OperationKey,
  problemDocument,
  Refusal,
  type ServerEvent,
  type SignInInfo,
  notFound,
} from '@septet/contract'
import { withSays } from '@septet/server/testing/sample'
import type { z } from 'zod'

type Of<K extends OperationKey> = (typeof OPERATIONS)[K]
/** As it may be written in a fixture: what the schema fills in is left out. */
export type Answer<K extends OperationKey> = z.input<Of<K>['output']>

/** Nobody answers: the connection breaks. */
export const HANG_UP = Symbol('hang up')
/** What is not an answer of this version, word for word. */
export class Unchecked {
  readonly body: unknown

  constructor(body: unknown) {
    this.body = body
  }
}

type Reply<K extends OperationKey> = Answer<K> | Refusal | Unchecked | typeof HANG_UP
/** What is answered to each operation; what is not named is not found. */
export type Answers = { [K in OperationKey]?: (input: InputOf<Of<K>>) => Reply<K> | Promise<Reply<K>> }

/** An operation with what the page said of it, before the schema fills in what was left out. */
type Call = { readonly operation: OperationKey; readonly input: Readonly<Record<string, unknown>> }

export type FakeSeptet = {
  /** Replaced by tests to change what is answered. */
  answers: Answers
  /** The questions since the start, and what the page told it to do: first to last. */
  readonly asked: Call[]
  readonly told: Call[]
  /** Whether a question has no answer yet. */
  isAsked(): boolean
  /** Says on the event stream what changed. */
  send(event: ServerEvent): void
  readonly fetch: typeof fetch
}

/**
 * A Septet without a network: what the page asks is read by the contract's schemas, and so is what it is answered, so that
 * a fixture that is not an answer of this version fails its test.
 */
export function fakeSeptet(answers: Answers): FakeSeptet {
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  let open = 0
  const septet: FakeSeptet = {
    isAsked: () => open > 0,
    answers,
    asked: [],
    told: [],
    send: (event) => {
      for (const stream of streams) stream.enqueue(encoded(`event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`))
    },
    fetch: async (address, init) => {
      const request = address instanceof Request ? address : new Request(new URL(address, location.origin), init)
      const { pathname } = new URL(request.url)
      if (pathname === EVENTS_PATH) return eventStream(streams, request.signal)
      if (pathname === SIGN_IN_INFO_PATH) return Response.json(SIGN_IN_INFO)
      if (pathname === PAGE_PASS_PATH) return new Response(null, { status: 204 })
      open += 1
      return answer(septet, request).finally(() => (open -= 1))
    },
  }
  return septet
}

const SIGN_IN_INFO: SignInInfo = { mode: 'embedded', url: '', key: 'public', demo: true, needsSetupSecret: false }

async function answer(septet: FakeSeptet, request: Request): Promise<Response> {
  const call = await callOf(request)
  if (call === undefined) return new Response('{}', { status: 404 })
  const list = request.method === 'GET' ? septet.asked : septet.told
  list.push(call)
  const { input, output }: { input: z.ZodType; output: z.ZodType } = OPERATIONS[call.operation]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has each operation's own answer
  const reply = septet.answers[call.operation] as ((input: unknown) => unknown) | undefined
  if (reply === undefined) return refused(notFound('Nothing is there.', 'Ask for something else.'))
  const said = await answerOf(() => reply(input.parse(call.input)))
  if (said === HANG_UP) throw new TypeError('Failed to fetch')
  if (said instanceof Refusal) return refused(said)
  if (said instanceof Unchecked) return Response.json(said.body)
  // Its sentences are the server's own, of these figures.
  return Response.json(withSays(call.operation, output.parse(said) as never, input.parse(call.input) as never))
}

function refused(refusal: Refusal): Response {
  const problem = problemDocument(refusal)
  return Response.json(problem, { status: problem.status })
}

/** Code of the server throws what it refuses. */
async function answerOf(reply: () => unknown): Promise<unknown> {
  try {
    return await reply()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function callOf(request: Request): Promise<Call | undefined> {
  const url = new URL(request.url)
  const text = await request.text()
  const said = { ...Object.fromEntries(url.searchParams), ...(text === '' ? {} : Object(JSON.parse(text))) }
  for (const { key, method, pattern } of PATTERNS) {
    const named = method === request.method ? pattern.exec(url.pathname) : null
    if (named === null) continue
    const parts = Object.entries(named.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    return { operation: key, input: { ...said, ...Object.fromEntries(parts) } }
  }
  return undefined
}

/** Every operation by its method and path; those whose path names nothing come first. */
const PATTERNS = Object.entries(OPERATIONS)
  .map(([key, { method, path }]) => ({
    key: key as OperationKey,
    method,
    pattern: new RegExp(`^${path.replaceAll(/:(\w+)/gu, '(?<$1>[^/]+)')}$`, 'u'),
    open: path.split(':').length,
  }))
  .toSorted((a, b) => a.open - b.open)

function eventStream(streams: Set<ReadableStreamDefaultController<Uint8Array>>, signal: AbortSignal): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      streams.add(stream)
      stream.enqueue(encoded('retry: 200\n\n'))
      signal.addEventListener('abort', () => {
        if (streams.delete(stream)) stream.error(new DOMException('aborted', 'AbortError'))
      })
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text)
