import { isIP } from 'node:net'

import { listed } from '@septet/domain/words'
import { z } from 'zod'

/** What a value must be, and how that is said to anyone who gave another. */
export type Expected<Schema extends z.ZodType = z.ZodType> = {
  readonly schema: Schema
  readonly expected: string
  /** The value itself is not repeated. */
  readonly secret?: true
}

export const within = (least: number, most: number) => z.coerce.number().min(least).max(most)
export const numberWithin = (least: number, most: number, words: string): Expected => ({
  schema: within(least, most),
  expected: `${words} from ${least} to ${most}`,
})
export const wholeWithin = (least: number, most: number, words: string): Expected => ({
  schema: within(least, most).int(),
  expected: `${words} from ${least} to ${most}`,
})
function oneOf<const Names extends readonly [string, ...string[]]>(...names: Names) {
  return { schema: z.enum(names), expected: listed(names, 'or') }
}
export const ROLE = oneOf('all', 'answer')
export const PIPELINES = oneOf('thread', 'process')
export const DEMO_SCALE = oneOf('small', 'large', 'huge')
export const LOG_LEVEL = oneOf('debug', 'info', 'warn', 'error')
export const ON_OFF = oneOf('on', 'off')
export const PORT = wholeWithin(0, 65_535, 'a port number')
export const HTTP_URL = { schema: z.url({ protocol: /^https?$/u }), expected: 'an http:// or https:// URL' }
export const TOKENS = { schema: within(1, 1e9).int(), expected: 'a whole number of tokens' }
export const HEADER_NAME = { schema: z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/u), expected: 'the name of a header' }
export const ORIGIN = z.url({ protocol: /^https?$/u }).refine((text) => {
  const { pathname, search, hash, username } = new URL(text)
  return pathname === '/' && search === '' && hash === '' && username === ''
})
/** Those that the connectors know what to run with. */
export const CREDENTIAL_PLUGINS = new Set(['aws', 'gke-gcloud-auth-plugin', 'kubelogin'])

/** Whether only this machine can reach an address that is listened on. */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/u.test(host)

/** The parts of a list separated by commas. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** An address as it may be shown. */
export const withoutPassword = (address: string): string => address.replace(/\/\/[^@/]*@/u, '//(hidden)@')

/** Whether a text is an address or a range of addresses in CIDR form; one of all addresses is none. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  // A zone names an interface of this machine, which no range of addresses can hold.
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
