import { OPERATIONS } from '@septet/contract'
import { expect, test } from 'vitest'

import { sampleSummary } from '@septet/server/testing/sample'
import { MCP } from './mcp.ts'
import { SHOWN_OPERATIONS } from './operations.ts'

test('the site shows what can be asked about clusters, and nothing of accounts, tokens or settings', () => {
  const names = SHOWN_OPERATIONS.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['summary.get', 'fleet.map', 'recommendations.dismiss']))
  expect(names.filter((name) => /^(members|tokens|sessions|audit|channels|retention)\./u.test(name))).toEqual([])
})

test('the command asks a route that is there, and the answer beside it is what it gives', () => {
  const { command, answer } = MCP.ask
  expect(command).toContain(`${OPERATIONS.summaryGet.path}?cluster=sample`)
  expect(JSON.stringify(sampleSummary().utilization.busy, undefined, 2)).toBe(answer)
})
