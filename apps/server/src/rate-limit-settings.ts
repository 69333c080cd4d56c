import { REQUEST_LIMITS, type RateLimits, type RequestKind } from '@septet/auth'

import { listOf } from './setting-values.ts'
import type { SettingName, Text } from './settings.ts'

/** How much one network address or one reader can cause, from settings in which `wrongRateLimits` finds nothing. */
export const rateLimitsOf = (text: Text): RateLimits => ({
  requests: Object.fromEntries(
    listOf(text('SEPTET_RATE_LIMITS'))
      .map(readLimit)
      .filter((limit) => limit !== undefined),
  ),
  letters: {
    hourly: Number(text('SEPTET_MAILS_PER_HOUR')),
    reserved: Number(text('SEPTET_MAILS_RESERVED')),
    perAddress: Number(text('SEPTET_MAILS_PER_ADDRESS')),
    perRecipient: Number(text('SEPTET_MAILS_PER_RECIPIENT')),
  },
})

/** The settings that count letters; they do nothing where a hosted project writes them. */
export const LETTER_SETTINGS = [
  'SEPTET_MAILS_PER_HOUR',
  'SEPTET_MAILS_RESERVED',
  'SEPTET_MAILS_PER_ADDRESS',
  'SEPTET_MAILS_PER_RECIPIENT',
] as const satisfies readonly SettingName[]

/** A sentence for everything in them that is wrong. */
export const wrongRateLimits = (text: Text): string[] => [
  ...LETTER_SETTINGS.filter((name) => !isCount(text(name))).map(
    (name) => `${name} is "${text(name)}" but must be a whole number of emails from 1 to ${MOST}.`,
  ),
  ...listOf(text('SEPTET_RATE_LIMITS'))
    .filter((part) => readLimit(part) === undefined)
    .map(
      (part) =>
        `SEPTET_RATE_LIMITS holds "${part}", which is not a kind and a number from 1 to ${MOST} like token=150; the kinds are ${KINDS.join(', ')}.`,
    ),
]

const MOST = 100_000
const isCount = (text: string): boolean => /^[1-9]\d{0,5}$/u.test(text) && Number(text) <= MOST

const isKind = (name: string): name is RequestKind => Object.hasOwn(REQUEST_LIMITS, name)
const KINDS = Object.keys(REQUEST_LIMITS).filter(isKind)

function readLimit(part: string): readonly [RequestKind, number] | undefined {
  const [name = '', count = '', ...more] = part.split('=').map((each) => each.trim())
  return isKind(name) && isCount(count) && more.length === 0 ? [name, Number(count)] : undefined
}
