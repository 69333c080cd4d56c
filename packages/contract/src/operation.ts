import type { Role } from '@septet/domain'
import type { z } from 'zod'

/** What asking does: only read, record a wish, or change a cluster. */
export type Effect = 'read' | 'propose' | 'act'

/**
 * One thing that can be asked of Septet, declared once. REST routes, OpenAPI, MCP tools, co-pilot tools and CLI
 * commands are made from the list of these, so that no two faces can disagree.
 */
export type Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  /** `subject.verb`, stable: the MCP tool's and the CLI's name. */
  readonly name: string
  readonly title: string
  /** One or two sentences for people and agents: what it answers, over which window, in which units. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** What a caller must be, at least, to ask. */
  readonly role: Role
  /**
   * What of it is for whom: `namespaces` answers a caller who is limited to some namespaces with theirs alone;
   * `everyone` holds nothing of any namespace; `cluster` speaks of a whole cluster and is refused to such a caller;
   * `installation` speaks of all of Septet and is refused also to one who is limited to some clusters.
   */
  readonly reach: 'namespaces' | 'everyone' | 'cluster' | 'installation'
  readonly effect: Effect
  /** Inputs that are secrets: nothing of them is written down. */
  readonly secrets?: readonly string[]
  readonly http: { readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST'; readonly path: string }
}

export type InputOf<O extends { input: z.ZodType }> = z.output<O['input']>
export type OutputOf<O extends { output: z.ZodType }> = z.output<O['output']>

/** Keeps the literal types of one declaration. */
export const operation = <Input extends z.ZodObject, Output extends z.ZodType>(
  declaration: Operation<Input, Output>,
): Operation<Input, Output> => declaration
