type StreamedEvent = { readonly id: string; readonly kind: string }

/** A client of the event stream that keeps what it was sent. */
export type EventStream = { readonly events: readonly StreamedEvent[]; close(): void }

/** Follows the event stream, after the event with this id where one is given. */
export async function followEvents(url: string, lastEventId?: string): Promise<EventStream> {
  const abort = new AbortController()
  const answer = await fetch(`${url}/api/v1/events`, {
    signal: abort.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  })
  const events: StreamedEvent[] = []
  const reading = read(answer, events)
  // Ending it, by us or by the server, is not an error.
  reading.catch(() => undefined)
  return { events, close: () => abort.abort() }
}

async function read(answer: Response, events: StreamedEvent[]): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, kind] = /^id: (.+)\nevent: (.+)\ndata: /u.exec(block) ?? []
      if (id !== undefined && kind !== undefined) events.push({ id, kind })
    }
  }
}
