import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readEvents, type StreamEvent } from './event-stream.ts'

function heard(pieces: readonly string[]): { events: StreamEvent[]; retries: number[] } {
  const events: StreamEvent[] = []
  const retries: number[] = []
  const read = readEvents({ event: (event) => events.push(event), retry: (after) => retries.push(after) })
  for (const piece of pieces) read(piece)
  return { events, retries }
}

describe('server-sent events', () => {
  test('as our server writes them', () => {
    expect(heard(['retry: 2000\n\n: still here\n\nid: a-7\nevent: analysis\ndata: {"kind":"analysis"}\n\n'])).toEqual({
      events: [{ id: 'a-7', kind: 'analysis', data: '{"kind":"analysis"}' }],
      retries: [2000],
    })
  })

  test('an id stays until another comes, a kind does not', () => {
    const { events } = heard(['id: 1\nevent: x\ndata: a\n\ndata: b\n\n'])
    expect(events).toEqual([
      { id: '1', kind: 'x', data: 'a' },
      { id: '1', kind: 'message', data: 'b' },
    ])
  })

  test('several lines of data are one text, and one space after the colon is not a part of it', () =>
    expect(heard(['data:a\ndata:  b\ndata\n\n']).events.map(({ data }) => data)).toEqual(['a\n b\n']))

  test.each(['event: x\n\n', ': only a comment\n\n', 'data: never finished\n', 'retry: soon\n\n', 'id: a\0b\n\n'])(
    'nothing happens at %j',
    (text) => expect(heard([text])).toEqual({ events: [], retries: [] }),
  )

  test('how the text is cut and how lines end makes no difference', () => {
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    const line = fc.constantFrom('id: 1', 'event: x', 'data: a', 'data: b:c', ': hm', '', '', 'retry: 5')
    fc.assert(
      fc.property(fc.array(line), ends, fc.array(fc.nat(30)), (lines, end, cuts) => {
        const text = [...lines, '', ''].join(end)
        const pieces: string[] = []
        let from = 0
        for (const cut of cuts) {
          pieces.push(text.slice(from, from + cut))
          from += cut
        }
        pieces.push(text.slice(from))
        // A lone carriage return at the very end waits for what may follow it.
        const tail = end === '\r' ? ['\n'] : []
        expect(heard([...pieces, ...tail])).toEqual(heard([[...lines, '', ''].join('\n')]))
      }),
    )
  })
})
