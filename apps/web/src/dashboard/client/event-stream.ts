/** One event on the wire; `id` is what to name when coming back, if the stream has said any. */
export type StreamEvent = { readonly id: string | undefined; readonly kind: string; readonly data: string }

type Hears = {
  readonly event: (event: StreamEvent) => void
  /** The server says how long to wait before coming back, in milliseconds. */
  readonly retry: (milliseconds: number) => void
}

/**
 * Reads server-sent events (HTML standard, section 9.2.6) from text in pieces of any size. `EventSource` cannot send a
 * bearer token, so the page reads the stream itself.
 */
export function readEvents(hears: Hears): (piece: string) => void {
  let rest = ''
  let id: string | undefined
  let kind = ''
  let data: string[] = []

  const field = (name: string, value: string): void => {
    if (name === 'event') kind = value
    else if (name === 'data') data.push(value)
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d+$/u.test(value)) hears.retry(Number(value))
  }
  const dispatch = (): void => {
    if (data.length > 0) hears.event({ id, kind: kind === '' ? 'message' : kind, data: data.join('\n') })
    kind = ''
    data = []
  }
  const read = (line: string): void => {
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    if (colon === -1) return field(line, '')
    return field(line.slice(0, colon), line.slice(colon + 1).replace(/^ /u, ''))
  }

  return (piece) => {
    const text = rest + piece
    // A carriage return at the end may be the first half of a line end.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    const lines = whole.split(/\r\n|\n|\r/u)
    rest = (lines.pop() ?? '') + text.slice(whole.length)
    for (const line of lines) read(line)
  }
}
