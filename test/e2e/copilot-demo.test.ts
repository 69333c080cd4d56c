import { OPERATIONS } from '@septet/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '@septet/server/testing'
import { COPILOT } from '@septet/web/testing'

let septet: TestSeptet
beforeAll(async () => {
  septet = await openTestSeptet()
})
afterAll(() => septet?.close())

const nameOf = (source: string): string | undefined =>
  Object.values(OPERATIONS).find(({ method, path }) => source.startsWith(`${method} ${path}?`))?.name

test.each(COPILOT.examples)(
  '$category: the site quotes what the co-pilot answers a visitor on sample data, and what it cites',
  async ({ prompt, response, operations }) => {
    const answer = await fetch(`${septet.url}/api/v1/copilot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cluster: 'sample', question: prompt }),
    })
    const { question, sentences, citations } = OPERATIONS.copilotAsk.output.parse(await answer.json())
    expect({
      question,
      says: sentences.map(({ text }) => text).join(' '),
      cites: citations.map(({ source }) => nameOf(source)),
    }).toEqual({ question: prompt, says: response, cites: operations })
  },
)
