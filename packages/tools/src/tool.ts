import type { OPERATIONS, OperationKey, OutputOf } from '@septet/contract'
import type { z } from 'zod'

import { parsedBy } from './parsed-by.ts'

type Operations = typeof OPERATIONS

/** Asks one operation as whoever asks the tool; throws its `Refusal`. The signal says that nobody waits any more. */
export type Ask = <Key extends OperationKey>(
  key: Key,
  input: z.input<Operations[Key]['input']>,
  signal?: AbortSignal,
) => Promise<OutputOf<Operations[Key]>>

/** What an admin lets programs do: only ask, draft plans, or change clusters after a person confirmed it. */
export const TOOLSETS = ['read', 'plan', 'act'] as const
export type Toolset = (typeof TOOLSETS)[number]

type Declared<Input extends z.ZodObject, Output extends z.ZodObject> = {
  /** Stable; `a-z` and `_`. */
  readonly name: string
  readonly title: string
  /** For a language model: what it answers, when to use it, which tool to use instead. */
  readonly description: string
  readonly toolset: Toolset
  /** The operations that it may ask; a test compares them with those that it asks. */
  readonly operations: readonly OperationKey[]
  readonly input: Input
  readonly output: Output
  /**
   * Asks; the output schema takes of the answers what it names. Lists are cut at what the input allows, and the answer says
   * how many there are.
   */
  readonly answer: (input: z.output<Input>, ask: Ask) => Promise<z.input<Output>>
}

/** One question that programs ask, made of operations: the MCP server's and the co-pilot's. */
export type Tool = Omit<Declared<z.ZodObject, z.ZodObject>, 'answer'> & {
  /** Parses the input. Throws a `Refusal`. */
  readonly answer: (input: unknown, ask: Ask) => Promise<Readonly<Record<string, unknown>>>
}

export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  declared: Declared<Input, Output>,
): Tool => ({
  ...declared,
  answer: async (input, ask) =>
    declared.output.parse(await declared.answer(parsedBy(declared.name, declared.input, input), ask)),
})
