import { createServer, type ServerResponse } from 'node:http'

/** A way to a metrics engine that tells of each question, before it is passed on, how far back it asks. */
export type QuestionRelay = { readonly url: string; close(): Promise<void> }

/** `heard` is called with the earliest moment of each question that names one, milliseconds since 1970. */
export async function openQuestionRelay(to: string, heard: (at: number) => void): Promise<QuestionRelay> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', to)
    const at = Number(searchParams.get('start') ?? searchParams.get('time') ?? NaN) * 1000
    if (!Number.isNaN(at)) heard(at)
    passOn(`${to}${request.url ?? ''}`, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function passOn(url: string, response: ServerResponse): Promise<void> {
  const answer = await fetch(url)
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(await answer.text())
}
