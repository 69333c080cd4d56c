import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

import { instant, ratio, seconds } from '@septet/domain'
import { z } from 'zod'

import { exact } from '../snapshot-schemas.ts'

/** Opens one cluster for one agent, which signs with the key made from it and never sends it. */
export type AgentToken = { readonly cluster: string; readonly key: Uint8Array }

/** A new token of a cluster, as text, with the key that its signatures are told by. */
export function newAgentToken(cluster: string): AgentToken & { readonly text: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { text: `spa_${cluster}_${secret}`, cluster, key: keyOf(cluster, secret) }
}

/** Undefined where the text is not a token. */
export function readAgentToken(text: string): AgentToken | undefined {
  const [, cluster, secret] = /^spa_([a-z0-9.-]+)_([\w-]{43})$/u.exec(text.trim()) ?? []
  return cluster === undefined || secret === undefined ? undefined : { cluster, key: keyOf(cluster, secret) }
}

const SECRET_BYTES = 32
const KEY_BYTES = 32

// HKDF (RFC 5869), bound to the cluster: what signs for one signs for no other.
const keyOf = (cluster: string, secret: string): Uint8Array =>
  Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `septet/v1/agent/${cluster}`, KEY_BYTES))

const moment = z.number().int().min(0).max(8.64e15).transform(instant)

const StatementSchema = z.object({
  what: z.enum(['hello', 'reading', 'past', 'leave']),
  instance: z.string().regex(/^[\w-]{1,64}$/u),
  host: z.string().min(1).max(253),
  version: z.string().max(64),
  /** By the agent's clock; each statement of an agent has a later one. */
  time: moment,
  /** SHA-256 of the body, hex. */
  body: z.string().regex(/^[\da-f]{64}$/u),
  /** Of a reading: when it was taken, and the one that it follows. */
  at: moment.default(instant(0)),
  after: moment.default(instant(0)),
  hasInventory: z.boolean().default(false),
  /** Of a part of the past: what it answers, and its number. */
  wish: z.string().max(64).default(''),
  part: z.number().int().min(0).max(1_000_000).default(0),
})
/** What an agent says of itself and of the body that it sends. */
export type Statement = z.output<typeof StatementSchema>

export const STATEMENT_HEADER = 'septet-agent'
export const SIGNATURE_HEADER = 'septet-agent-signature'

/** The headers of a request. The signature covers the statement, and the statement the body. */
export function signedHeaders(key: Uint8Array, statement: Statement): Readonly<Record<string, string>> {
  const said = Buffer.from(JSON.stringify(statement)).toString('base64url')
  return { [STATEMENT_HEADER]: said, [SIGNATURE_HEADER]: signatureOf(key, said) }
}

/** What was signed with this key; undefined where it was not, or says nothing that is known. */
export function readStatement(key: Uint8Array, said: string, signature: string): Statement | undefined {
  const [expected, given] = [Buffer.from(signatureOf(key, said)), Buffer.from(signature)]
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  try {
    return StatementSchema.safeParse(JSON.parse(Buffer.from(said, 'base64url').toString('utf8'))).data
  } catch {
    return undefined
  }
}

export const bodyHash = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')

const signatureOf = (key: Uint8Array, said: string): string => createHmac('sha256', key).update(said).digest('hex')

/** What a Septet answers an agent. */
export const AgentAnswerSchema = z.object({
  /** When the newest reading was taken that is stored. */
  received: moment,
  /** How often to read, seconds. */
  pollSeconds: z.number().min(1).max(300),
  /** What is wanted of the past; null: nothing. */
  wish: z
    .object({
      id: z.string().max(64),
      window: z.object({ from: moment, to: moment }),
      span: z.enum(['5m', '1h', '1d']),
      idle: exact(
        z.object({
          threshold: z.number().min(0).max(1).transform(ratio),
          minimum: z.number().min(0).transform(seconds),
          since: moment.optional(),
        }),
      ),
    })
    .nullable()
    .default(null),
})
export type AgentAnswer = z.output<typeof AgentAnswerSchema>

/** Where an agent of a cluster says something. */
export const agentPath = (cluster: string): string => `/api/v1/cluster-agents/${encodeURIComponent(cluster)}`
