import { once } from 'node:events'
import http from 'node:http'
import { text as streamText } from 'node:stream/consumers'

import { parseValue, targetOf, type Answer, type RecordedRequest, type Value } from './recording.ts'

/** A longer watch would only wait: what comes, comes at once, milliseconds. */
const WATCH_MS = 120

/** Sends a request as it was recorded, to plain HTTP. Of a watch the events of a short while are the body. */
export async function askDemo(
  url: string,
  { method, path, headers, body }: RecordedRequest,
  of: { readonly token: string | undefined; readonly meanwhile?: () => Promise<void> },
): Promise<Answer> {
  const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const outgoing = http.request(new URL(path, url), {
    method,
    headers: {
      ...headers,
      ...(of.token === undefined ? {} : { authorization: `Bearer ${of.token}` }),
      ...(sent === undefined ? {} : { 'content-length': String(Buffer.byteLength(sent)) }),
    },
  })
  outgoing.end(sent)
  // oxlint-disable-next-line no-unsafe-type-assertion -- an event of Node
  const [response] = (await once(outgoing, 'response')) as [http.IncomingMessage]
  const status = response.statusCode ?? 0
  const kept = Object.entries(response.headers).filter(([name]) =>
    ['content-type', 'warning', 'retry-after'].includes(name),
  )
  // oxlint-disable-next-line no-unsafe-type-assertion -- these are always set
  const answer = { status, headers: Object.fromEntries(kept) as Answer['headers'] }
  // On the path of one object it is no watch.
  if (status === 200 && /[?&]watch=(?:true|1)/u.test(path) && targetOf(path).name === '') {
    const events = await watched(response, of.meanwhile)
    outgoing.destroy()
    return { ...answer, body: events }
  }
  return { ...answer, body: parsed(await streamText(response)) }
}

async function watched(response: http.IncomingMessage, meanwhile?: () => Promise<void>): Promise<readonly Value[]> {
  let text = ''
  response.setEncoding('utf8').on('data', (part: string) => (text += part))
  response.on('error', () => undefined)
  const ended = once(response, 'end').catch(() => undefined)
  await meanwhile?.()
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, WATCH_MS))])
  const lines = text.split('\n').filter((line) => line !== '')
  // Where a named path is asked to watch, the object itself is the answer.
  return lines.map(parsed)
}

const parsed = (text: string): Value => {
  try {
    return parseValue(text)
  } catch {
    return text === '' ? undefined : text
  }
}
