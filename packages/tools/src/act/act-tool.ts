import type { OperationKey } from '@septet/contract'
import { z } from 'zod'

import type { Ask } from '../tool.ts'

/** What was made ready to be confirmed: it travels through the client, sealed, and comes back with the answer. */
export const PREPARED = z.strictObject({
  cluster: z.string(),
  /** The action, which is a row of the same inbox as everybody's. */
  action: z.string(),
  /** Of the exact plan: nothing else is carried out. */
  digest: z.string(),
  do: z.enum(['approve', 'undo', 'reject']),
  /** For the journal, where it is not approved. */
  reason: z.string(),
})
type Prepared = z.output<typeof PREPARED>

type Answered = Readonly<Record<string, unknown>>

/** A question to a person, and what their yes would carry out. */
type Question = {
  readonly text: string
  readonly prepared: Prepared
  /** How the action stands, with its page: where a person says yes whom the client cannot ask. */
  readonly stands: Answered
}

/**
 * What changes a cluster. It is made ready first; a person sees the exact change, who is affected and the way back, and only
 * what they confirmed is carried out.
 */
export type ActTool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly toolset: 'act'
  readonly operations: readonly OperationKey[]
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** Answers at once what needs no confirmation, else asks a question. Throws a `Refusal`. */
  readonly prepare: (
    input: unknown,
    ask: Ask,
  ) => Promise<{ readonly question: Question } | { readonly answer: Answered }>
  /** Carries out what was confirmed. */
  readonly confirmed: (prepared: Prepared, ask: Ask) => Promise<Answered>
  /** Puts away what was not confirmed, so that no copy of the question can be answered later. */
  readonly declined: (prepared: Prepared, ask: Ask) => Promise<void>
}
