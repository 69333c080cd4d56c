import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/client'
import { z } from 'zod'

/** The revision in which a server answers a call with a question, and takes the answer with the call made again. */
const ASKS_BY_ANSWERS = '2026-07-28'

const Asks = z.looseObject({
  resultType: z.literal('input_required'),
  inputRequests: z.record(
    z.string(),
    z.looseObject({ method: z.literal('elicitation/create'), params: z.looseObject({}) }),
  ),
  requestState: z.string().optional(),
})
type Asks = z.output<typeof Asks>

/** `{}` is how clients say that they show forms who knew of nothing else. */
const ShowsForms = z.looseObject({
  capabilities: z.looseObject({
    elicitation: z.union([z.strictObject({}), z.looseObject({ form: z.looseObject({}) })]),
  }),
})

/** Nobody said yes: closed, refused, or the client failed to ask. */
const NO_ANSWER = { action: 'cancel' }

type Ways = { readonly toClient: (message: JSONRPCMessage) => void; readonly toServer: (call: JSONRPCRequest) => void }
type Open = { readonly call: RequestId; readonly settle: (answer: unknown) => void }

/**
 * Asks the person at a client of 2025, which is asked while its call is open. Its calls are made as those of a client of
 * today, so that the server may answer them with a question.
 */
export class OlderQuestions {
  readonly #ways: Ways
  readonly #calls = new Map<RequestId, JSONRPCRequest>()
  readonly #open = new Map<RequestId, Open>()
  #showsForms = false
  #asked = 0

  constructor(ways: Ways) {
    this.#ways = ways
  }

  /** What the server is sent for a message of the client; undefined for an answer to a question. */
  sent(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if (!('method' in message)) return this.#settled(message) ? undefined : message
    if (message.method === 'initialize') this.#showsForms = ShowsForms.safeParse(message.params).success
    if (!this.#showsForms || message.method !== 'tools/call' || !('id' in message)) return message
    const { _meta: meta, ...params } = message.params ?? {}
    const asToday = {
      [PROTOCOL_VERSION_META_KEY]: ASKS_BY_ANSWERS,
      [CLIENT_CAPABILITIES_META_KEY]: { elicitation: { form: {} } },
    }
    const call = { ...message, params: { ...params, _meta: { ...meta, ...asToday } } }
    this.#calls.set(message.id, call)
    return call
  }

  /** Whether it was a question: then the person is asked before the client has its answer. */
  isAsked(message: JSONRPCMessage): boolean {
    if (!('result' in message) || message.id === undefined) return false
    const call = this.#calls.get(message.id)
    const asks = Asks.safeParse(message.result)
    if (call !== undefined && asks.success) void this.#ask(call, asks.data)
    else this.#calls.delete(message.id)
    return call !== undefined && asks.success
  }

  /** Nobody waits for this call any more: its questions are taken back. */
  cancel(call: RequestId): void {
    this.#calls.delete(call)
    for (const [requestId, open] of this.#open) {
      if (open.call !== call) continue
      this.#ways.toClient({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
      this.#settle(requestId, NO_ANSWER)
    }
  }

  async #ask(call: JSONRPCRequest, { inputRequests, requestState }: Asks): Promise<void> {
    const answers = await Promise.all(
      Object.entries(inputRequests).map(async ([key, { method, params }]): Promise<[string, unknown]> => {
        const id = `septet-${(this.#asked += 1)}`
        const answer = new Promise((settle) => {
          this.#open.set(id, { call: call.id, settle })
        })
        this.#ways.toClient({ jsonrpc: '2.0', id, method, params })
        return [key, await answer]
      }),
    )
    if (!this.#calls.has(call.id)) return
    const inputResponses = Object.fromEntries(answers)
    this.#ways.toServer({ ...call, params: { ...call.params, inputResponses, requestState } })
  }

  #settled(answer: Exclude<JSONRPCMessage, { method: string }>): boolean {
    if (answer.id === undefined || !this.#open.has(answer.id)) return false
    this.#settle(answer.id, 'result' in answer ? answer.result : NO_ANSWER)
    return true
  }

  #settle(id: RequestId, answer: unknown): void {
    this.#open.get(id)?.settle(answer)
    this.#open.delete(id)
  }
}
