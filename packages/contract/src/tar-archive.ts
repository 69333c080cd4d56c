type File = { readonly path: string; readonly text: string }

const BLOCK = 512

/** Files as one uncompressed tar archive (POSIX ustar), in their order; scripts can be run. `at` is when they were written. */
export function tarArchive(files: readonly File[], at: Date): Uint8Array<ArrayBuffer> {
  const seconds = Math.floor(at.getTime() / 1000)
  const parts = files.flatMap(({ path, text }) => {
    const content = ENCODER.encode(text)
    const padding = new Uint8Array((BLOCK - (content.length % BLOCK)) % BLOCK)
    return [header(path, content.length, seconds), content, padding]
  })
  // Two empty blocks end an archive.
  return joined([...parts, new Uint8Array(2 * BLOCK)])
}

const ENCODER = new TextEncoder()

/** Fields of a header by where they begin; numbers are octal text that ends with a space or a zero byte. */
function header(path: string, size: number, seconds: number): Uint8Array {
  const block = new Uint8Array(BLOCK)
  const write = (from: number, text: string): void => block.set(ENCODER.encode(text), from)
  const { name, prefix } = split(path)
  write(0, name)
  write(100, octal(path.endsWith('.sh') ? 0o755 : 0o644, 7))
  write(108, octal(0, 7))
  write(116, octal(0, 7))
  write(124, octal(size, 11))
  write(136, octal(seconds, 11))
  // The sum is taken with its own field as spaces.
  write(148, ' '.repeat(8))
  write(156, '0')
  write(257, 'ustar\u{0}00')
  write(345, prefix)
  const sum = block.reduce((all, byte) => all + byte, 0)
  write(148, `${octal(sum, 6)}\u{0} `)
  return block
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

const NAME = 100
const PREFIX = 155

const bytes = (text: string): number => ENCODER.encode(text).length

/** A long path is kept in two fields, parted at a slash. */
function split(path: string): { readonly name: string; readonly prefix: string } {
  if (bytes(path) <= NAME) return { name: path, prefix: '' }
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const parts = { prefix: path.slice(0, at), name: path.slice(at + 1) }
    if (bytes(parts.name) <= NAME && bytes(parts.prefix) <= PREFIX) return parts
  }
  throw new Error(`No archive holds a path as long as ${path}.`)
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
