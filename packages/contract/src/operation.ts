import type { z } from 'zod'

import type { Route } from './routes.ts'

/** What is said and answered: the schemas of one operation, and words for people and agents. */
export type Schemas<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  readonly title: string
  /** One or two sentences for people and agents: what it answers, over which window, in which units. */
  readonly description: string
  readonly input: Input
  readonly output: Output
}

/**
 * One thing that can be asked of Septet, declared once: its route and its schemas. REST routes, OpenAPI, MCP tools,
 * co-pilot tools and CLI commands are made from the list of these, so that no two faces can disagree.
 */
export type Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = Route &
  Schemas<Input, Output>

export type InputOf<O extends { input: z.ZodType }> = z.output<O['input']>
export type OutputOf<O extends { output: z.ZodType }> = z.output<O['output']>

/** Joins a route with its schemas; keeps the literal types of both. */
export const operation = <R extends Route, Input extends z.ZodObject, Output extends z.ZodType>(
  route: R,
  schemas: Schemas<Input, Output>,
): R & Schemas<Input, Output> => ({ ...route, ...schemas })
