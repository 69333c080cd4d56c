/**
 * A name made from content: 16 hexadecimal digits, FNV-1a over UTF-16 code units with 64 bits. Equal content has one name
 * wherever it is computed. It guards against chance, not against somebody who looks for two contents of one name.
 */
export function contentHash(content: string): string {
  let hash = OFFSET
  for (let index = 0; index < content.length; index += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(content.charCodeAt(index))) * PRIME)
  }
  return hash.toString(16).padStart(16, '0')
}

const OFFSET = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n
