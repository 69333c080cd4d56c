import { OPERATIONS } from '@septet/contract'
import type { Plugin } from 'vite'
import { z } from 'zod'

const PREFIX = 'virtual:limits/'

/**
 * Gives the page what the contract demands of an order, `virtual:limits/tokensCreate`: so a limit is written once, and the
 * schema library stays out of the page.
 */
export const orderLimits = (): Plugin => ({
  name: 'septet-order-limits',
  resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
  load: (id) => (id.startsWith(`\0${PREFIX}`) ? `export const LIMITS = ${limitsOf(id.split('/').at(-1))}` : undefined),
})

function limitsOf(name: string | undefined): string {
  const input: z.ZodType | undefined = Object.entries(OPERATIONS).find(([key]) => key === name)?.[1].input
  if (input === undefined) throw new Error(`the contract has no operation ${name}`)
  const limits = z.toJSONSchema(input, { io: 'input', metadata: z.registry<{ id?: string }>(), override: withWords })
  return JSON.stringify(limits, (key, value) => (WORDS.has(key) ? undefined : withoutNull(value)))
}

/** What the contract itself says of a text that has not its form. */
const withWords: NonNullable<ToJson['override']> = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.pattern === undefined) return
  const issues = z.safeParse(zodSchema, NO_FORM).error?.issues
  const said = issues?.find(({ code }) => code === 'invalid_format')?.message
  if (said?.startsWith('must ') === true) jsonSchema['says'] = said
}
/** A text that has no form that the contract knows. */
const NO_FORM = '\n'
type ToJson = NonNullable<Parameters<typeof z.toJSONSchema>[1]>

/** What people read is written beside the field. */
const WORDS = new Set(['$schema', 'description', 'examples', 'default'])

/** `null`, where it is taken, is a mark of what else is taken. */
function withoutNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('anyOf' in value) || !Array.isArray(value.anyOf)) return value
  const others = value.anyOf.filter(({ type }) => type !== 'null')
  return others.length === 1 ? { ...others[0], nullable: true } : value
}
