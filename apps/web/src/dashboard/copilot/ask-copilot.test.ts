import { afterEach, expect, test, vi } from 'vitest'

import { ProblemError } from '../../api.ts'
import { askCopilot } from './CopilotProvider.tsx'
import { answerFixture } from './answer.fixture.ts'

afterEach(() => vi.unstubAllGlobals())

const ANSWER = `event: answer\ndata: ${JSON.stringify(answerFixture({ id: 'streamed' }))}\n\n`
const SENTENCE = 'event: sentence\ndata: {"text":"vllm-7 waits."}\n\n'
const PROBLEM = { code: 'not-ready', detail: 'Not yet.', todo: 'Wait.', status: 503 }

/** A server whose stream says this, and whose plain operation answers as "plain". */
function serve(streamed: () => Response): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    asked.push(address)
    init.signal?.throwIfAborted()
    const plain = new Response(JSON.stringify(answerFixture({ id: 'plain' })))
    return Promise.resolve(address.endsWith('/stream') ? streamed() : plain)
  })
  return asked
}
const said: string[] = []
const ask = (signal = new AbortController().signal) => {
  said.length = 0
  return askCopilot({ question: 'Why?' }, { onSentence: (text) => said.push(text), signal })
}
const cut = (text: string): Response =>
  new Response(
    new ReadableStream({
      pull(controller) {
        if (text === '') controller.error(new TypeError('the connection was lost'))
        else controller.enqueue(new TextEncoder().encode(text))
        text = ''
      },
    }),
  )

test('hears each sentence, then the answer', async () => {
  const asked = serve(() => new Response(SENTENCE + ANSWER))
  expect([(await ask()).id, said, asked.length]).toEqual(['streamed', ['vllm-7 waits.'], 1])
})

test.each([
  ['is not there', () => new Response('{}', { status: 404 })],
  ['is the page of a proxy', () => new Response('<html>Hello</html>')],
  ['ends without an answer', () => new Response(SENTENCE)],
  ['is cut', () => cut(SENTENCE)],
])('asks plainly where the stream %s', async (_what, streamed) => {
  const asked = serve(streamed)
  expect([(await ask()).id, asked.at(-1)]).toEqual(['plain', '/api/v1/copilot'])
})

test.each([
  ['at once', () => new Response(JSON.stringify(PROBLEM), { status: 503 })],
  ['later', () => new Response(`${SENTENCE}event: problem\ndata: ${JSON.stringify(PROBLEM)}\n\n`)],
])('a refusal is told in the words of the server, %s', async (_when, streamed) => {
  const asked = serve(streamed)
  const error = await ask().catch((thrown: unknown) => thrown)
  expect([error instanceof ProblemError && error.problem.detail, asked.length]).toEqual(['Not yet.', 1])
})

test('once stopped, nothing is asked any more', async () => {
  const stopped = new AbortController()
  const asked = serve(() => {
    stopped.abort()
    return new Response(SENTENCE)
  })
  await expect(ask(stopped.signal)).rejects.toThrow(/abort/u)
  expect(asked).toHaveLength(1)
})
