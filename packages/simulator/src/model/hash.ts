/**
 * Chance without state: every number the demo draws is a hash of what it is drawn for. So any instant can be computed
 * alone, in any order, and always comes out the same.
 */

/** Mixes two 32-bit numbers into one; the finalizer of MurmurHash3. */
export function mix(a: number, b: number): number {
  let hash = (a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b)) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A 32-bit seed for a text; FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** A number in [0, 1) drawn for (seed, what). */
export const draw = (seed: number, what: number): number => mix(seed, what) / 2 ** 32

/** A number in [from, to) drawn for (seed, what). */
export const drawBetween = (seed: number, what: number, range: readonly [number, number]): number =>
  range[0] + (range[1] - range[0]) * draw(seed, what)

/** One of the items, each as likely as its weight. The list must not be empty. */
export function pickWeighted<T extends { readonly weight: number }>(items: readonly T[], chance: number): T {
  let left = chance * items.reduce((sum, item) => sum + item.weight, 0)
  const found = items.find((item) => (left -= item.weight) < 0) ?? items.at(-1)
  if (found === undefined) throw new Error('cannot pick from an empty list')
  return found
}

/** One of the items, all as likely. The list must not be empty. */
export function pick<T>(items: readonly T[], chance: number): T {
  const found = items[Math.min(items.length - 1, Math.floor(chance * items.length))]
  if (found === undefined) throw new Error('cannot pick from an empty list')
  return found
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** Letters and digits as Kubernetes makes them for generated names. */
export function suffix(seed: number, length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) text += ALPHABET[mix(seed, index) % ALPHABET.length]
  return text
}

/** A UUID (version 4 in form) drawn for a seed. */
export function uuidOf(seed: number): string {
  const hex = [0, 1, 2, 3].map((part) => mix(seed, part).toString(16).padStart(8, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
