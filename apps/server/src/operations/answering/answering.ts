import type { Operation } from '@septet/contract'
import { z } from 'zod'

import type { Caller } from '@septet/domain'
import type { Facts } from '../../facts.ts'
import { Refusal } from '@septet/contract'
import type { Audited } from './audited.ts'
import { permissionRefusal } from './permission.ts'
import { visibleFacts, type VisibleFacts } from './visible-facts.ts'

/** Answers one operation from unparsed input: parses it, answers, or throws a `Refusal`. */
export type Answer = (input: unknown, caller: Caller) => Promise<unknown>

/** Who asks, and the clusters that are there for them. */
export type Asked = { readonly caller: Caller; readonly seen: VisibleFacts }
export type Answering = ReturnType<typeof answering>

/**
 * Makes an answer of an operation and its implementation: looks whether the caller may ask, parses what they ask, and
 * writes down what they did or were refused.
 */
export const answering =
  (facts: Facts, audited: Audited) =>
  <Input extends z.ZodObject, Output extends z.ZodType>(
    operation: Operation<Input, Output>,
    implement: (input: z.output<Input>, asked: Asked) => z.output<Output> | Promise<z.output<Output>>,
  ): Answer =>
  async (input, caller) => {
    const refusal = permissionRefusal(operation, caller)
    if (refusal !== undefined) {
      await audited.refused(operation, caller, input)
      throw refusal
    }
    const parsed = parseInput(operation, input)
    try {
      const answered = await implement(parsed, { caller, seen: visibleFacts(facts, caller) })
      await audited.done(operation, caller, parsed)
      return answered
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not-allowed') await audited.refused(operation, caller, parsed)
      throw error
    }
  }

function parseInput<Input extends z.ZodObject>(operation: Operation<Input>, input: unknown): z.output<Input> {
  const parsed = z.safeParse(operation.input, input)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
  throw new Refusal(
    'invalid-input',
    `${operation.method} ${operation.path}: ${issues.join('; ')}.`,
    'Correct the named fields; /api lists what each operation takes.',
  )
}
