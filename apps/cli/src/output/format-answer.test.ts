import { sampleAnswer } from '@septet/server/testing/sample'
import { expect, test } from 'vitest'

import { plainOperation } from '../operations/plain-operations.ts'
import { formatAnswer } from './format-answer.ts'

const WISH = { chosen: undefined, sortedBy: undefined, width: Number.POSITIVE_INFINITY }

test.each(['summaryGet', 'workloadsList', 'recommendationsList', 'savingsList', 'alertsList'] as const)(
  'what %s says is told before its rows or values, word for word, and is none of its columns',
  async (key) => {
    const answer = await sampleAnswer(key, {})
    const said = answer.says.map(({ text }) => `${text}\n`).join('')
    const text = await formatAnswer(plainOperation(key), answer, { ...WISH, output: 'table' })
    expect(text.startsWith(`${said}\n`)).toBe(true)
    expect(text.slice(said.length)).not.toMatch(/says|cites/iu)
    expect(await formatAnswer(plainOperation(key), answer, { ...WISH, output: 'csv' })).not.toMatch(/says|cites/iu)
  },
)

test.each(['table', 'csv'] as const)(
  'how old figures are is told after what they say, and is no column (%s)',
  async (output) => {
    const age = 'The cluster was last read an hour before this range ends.'
    for (const key of ['workloadsList', 'findingsList', 'summaryGet'] as const) {
      const answer = { ...(await sampleAnswer(key, {})), age }
      const lines = (await formatAnswer(plainOperation(key), answer, { ...WISH, output })).split('\n')
      expect(lines.filter((line) => line === age)).toHaveLength(output === 'table' ? 1 : 0)
      expect(lines.filter((line) => /\bage\b/iu.test(line))).toEqual([])
    }
  },
)
