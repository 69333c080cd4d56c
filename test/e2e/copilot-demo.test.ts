import { OPERATIONS } from '@septet/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '@septet/server/testing'
import { COPILOT_EXAMPLES } from '@septet/web/testing'

/**
 * What the co-pilot must say to a question of the site's demo. While its engine knows none of them, any words; once it
 * does, `(response) => response`: then the site quotes it word for word.
 */
const expected = (_response: string): unknown => expect.any(String)

let septet: TestSeptet
beforeAll(async () => {
  septet = await openTestSeptet()
})
afterAll(() => septet?.close())

test.each(COPILOT_EXAMPLES)(
  '$category: the co-pilot answers a visitor on sample data',
  async ({ prompt, response }) => {
    const answer = await fetch(`${septet.url}/api/v1/copilot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cluster: 'sample', question: prompt }),
    })
    const { question, sentences } = OPERATIONS.copilotAsk.output.parse(await answer.json())
    expect({ question, says: sentences.map(({ text }) => text).join(' ') }).toEqual({
      question: prompt,
      says: expected(response),
    })
  },
)
