import { ProblemDocumentSchema } from '@septet/contract'
import { instant } from '@septet/domain'
import {
  AgentAnswerSchema,
  agentPath,
  bodyHash,
  signedHeaders,
  type AgentAnswer,
  type AgentToken,
  type Statement,
} from '@septet/plan-files'

import { jsonOf, reasonOf } from '../served/ask-server.ts'

/** Why Septet did not take what an agent said. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused'
  /** `lost` where nobody answered. */
  readonly code: string

  constructor(code: string, sentence: string) {
    super(sentence)
    this.code = code
  }
}

export type AgentClient = {
  hello(): Promise<AgentAnswer>
  send(
    reading: Pick<Statement, 'at' | 'after' | 'hasInventory'> & { readonly packed: Uint8Array },
  ): Promise<AgentAnswer>
  sendPast(part: Pick<Statement, 'wish' | 'part'> & { readonly packed: Uint8Array }): Promise<AgentAnswer>
  leave(): Promise<AgentAnswer>
}

export type AgentClientOptions = {
  readonly server: string
  readonly token: AgentToken
  readonly who: Pick<Statement, 'instance' | 'host' | 'version'>
  readonly clock: () => number
}

type Said = Omit<Statement, 'time' | 'body' | 'instance' | 'host' | 'version'>

const PATIENCE_MS = 60_000
const EMPTY = new Uint8Array()
const NOTHING = { at: instant(0), after: instant(0), hasInventory: false, wish: '', part: 0 } as const

/** Says to one Septet what an agent has read. Everything throws `AgentRefused` with one sentence, and what to do. */
export function openAgentClient({ server, token, who, clock }: AgentClientOptions): AgentClient {
  const address = new URL(agentPath(token.cluster), server)
  let lastTime = 0
  // One after the other: what is dated later must not arrive before.
  let last: Promise<unknown> = Promise.resolve()
  const say = (statement: Said, body: Uint8Array): Promise<AgentAnswer> => {
    const next = last.then(() => sayNow(statement, body))
    last = next.catch(() => undefined)
    return next
  }
  const sayNow = async (statement: Said, body: Uint8Array): Promise<AgentAnswer> => {
    // Each statement is dated later than the one before, so that none can be said twice.
    lastTime = Math.max(clock(), lastTime + 1)
    const signed = { ...who, ...statement, time: instant(lastTime), body: bodyHash(body) }
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/gzip', ...signedHeaders(token.key, signed) },
      body: Buffer.from(body),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: unknown) => {
      throw new AgentRefused('lost', `${address.origin} did not answer (${reasonOf(error)}).`)
    })
    const text = await answer.text().catch(() => '')
    if (!answer.ok) throw refusalOf(text, answer.status, address)
    const said = AgentAnswerSchema.safeParse(jsonOf(text))
    if (said.success) return said.data
    throw new AgentRefused('lost', `What answers at ${address.origin} is no Septet. Check the address.`)
  }
  return {
    hello: () => say({ ...NOTHING, what: 'hello' }, EMPTY),
    leave: () => say({ ...NOTHING, what: 'leave' }, EMPTY),
    send: ({ packed, ...reading }) => say({ ...NOTHING, what: 'reading', ...reading }, packed),
    sendPast: ({ packed, ...part }) => say({ ...NOTHING, what: 'past', ...part }, packed),
  }
}

function refusalOf(text: string, status: number, address: URL): AgentRefused {
  const problem = ProblemDocumentSchema.safeParse(jsonOf(text))
  if (problem.success) return new AgentRefused(problem.data.code, `${problem.data.detail} ${problem.data.todo}`)
  return new AgentRefused(
    'lost',
    `${address.origin} answered ${status}. Check the address and what stands before Septet.`,
  )
}
