import { isNameLike } from '../name-tokens.ts'

/** Hides names of a cluster from a language model, the same name always behind the same placeholder. */
export type NameMask = {
  /** Learns names: words that could be any word else, `web`. */
  know(names: readonly string[]): void
  hideText(text: string): string
  /** Of everything a tool answered, names in its values; what was asked for it and its page are left out. */
  hide(answer: unknown): unknown
  /** Names in the place of placeholders, in a text or in everything that a tool is asked. */
  show(text: string): string
  showIn(input: unknown): unknown
}

const TOKEN = /[\p{L}\d](?:[\p{L}\d._/:@+-]*[\p{L}\d])?/gu
const URL_PARTS = /(\bhttps?:\/\/[^\s"'<>“”)]+)/u
const PLACEHOLDER = /\bname-[0-9a-f]{10,}\b/gu
/** Hardware and what Kubernetes calls its things: no names that somebody gave. */
const PUBLIC =
  /^(?:(?:\d{1,2}c\.)?\d{1,2}g\.\d{1,3}gb(?:\+[a-z.]+)?|(?:NVIDIA-)?[A-Z]{1,3}\d{1,4}[A-Z]?(?:-[A-Z\d]+)*|nvidia\.com\/[a-z.\d-]+|\d[\d.]*-\d[\d.]*)$/u
const KIND = /^[A-Z][A-Za-z]+$/u
/** Their values are words of Septet. */
const WORDS_OF_SEPTET = new Set(['kind', 'status', 'state', 'unit', 'quality', 'severity', 'risk', 'class', 'outcome'])
/** Their values are names, however they look. */
const NAMES = new Set([
  'id', 'name', 'namespace', 'tenant', 'node', 'pod', 'object', 'workload', 'cluster', 'holders', 'displaced', 'examples', 'queue', 'pool', 'label', 'group', 'by', 'proposedBy',
]) // prettier-ignore
const LEFT_OUT = new Set(['sources', 'page', 'source', 'formula'])

/** `hash` gives hexadecimal digits for a name that nobody can compute without a key. */
export function openMask(hash: (name: string) => string): NameMask {
  const placeholders = new Map<string, string>()
  const names = new Map<string, string>()
  const learn = (name: string): string => {
    const known = placeholders.get(name)
    if (known !== undefined) return known
    const digits = hash(name)
    // Two names that begin alike would be one to anyone who answers.
    let length = 10
    while (names.has(`name-${digits.slice(0, length)}`) && length < digits.length) length += 1
    const placeholder = `name-${digits.slice(0, length)}`
    placeholders.set(name, placeholder)
    names.set(placeholder, name)
    return placeholder
  }
  const hidePart = (part: string): string => {
    if (placeholders.has(part)) return learn(part)
    return isNameLike(part) && !PUBLIC.test(part) ? learn(part) : part
  }
  const hideToken = (token: string): string => {
    if (PUBLIC.test(token) || !isNameLike(token) || !token.includes('/')) return hidePart(token)
    // `namespace/Kind/name`: each part is a name, also where it looks like a word.
    return token
      .split('/')
      .map((part) => (KIND.test(part) || part === '' ? part : learn(part)))
      .join('/')
  }
  /** A URL stays whole, or where it holds a name goes as a whole. */
  const hideUrl = (url: string): string =>
    url.split(/[^\p{L}\d_@-]+/u).some((part) => placeholders.has(part)) ? learn(url) : url
  const hideText = (text: string): string =>
    text
      .split(URL_PARTS)
      .map((part, order) => (order % 2 === 0 ? part.replaceAll(TOKEN, hideToken) : hideUrl(part)))
      .join('')
  const know = (given: readonly string[]): void => {
    for (const name of given) if (isOwn(name)) learn(name)
  }
  const show = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (placeholder) => names.get(placeholder) ?? placeholder)
  return {
    know,
    hideText,
    hide(answer) {
      know(namesIn(answer))
      return mapped(answer, hideText)
    },
    show,
    showIn: (input) => mapped(input, show),
  }
}

/** One word that somebody may have given something as its name. */
const isOwn = (name: string): boolean =>
  /^[\p{L}\d][\p{L}\d._@-]*$/u.test(name) && !PUBLIC.test(name) && !/^\d+$/u.test(name)

/** What stands under keys of names. */
function namesIn(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return NAMES.has(key) ? value.split('/').filter((part) => !KIND.test(part)) : []
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => namesIn(item, name))
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !LEFT_OUT.has(key))
      .map(([key, item]) => [key, WORDS_OF_SEPTET.has(key) && typeof item === 'string' ? item : mapped(item, change)]),
  )
}
