import { OPERATIONS } from '@septet/contract'
import { expect, test } from 'vitest'

import { sampleSummary } from '../../../../server/src/operations/sample.ts'
import { MCP } from './mcp.ts'
import { SHOWN_OPERATIONS } from './operations.ts'

test('the operations that the site shows are the contract’s, with its routes and effects', () => {
  const declared = Object.fromEntries(
    Object.entries(OPERATIONS).map(([key, { name, http, effect }]) => [key, { name, ...http, effect }]),
  )
  expect(declared).toMatchObject(SHOWN_OPERATIONS)
})

test('the command asks a route that is there, and the answer beside it is what it gives', () => {
  const { command, answer } = MCP.ask
  expect(command).toContain(`${OPERATIONS.summaryGet.http.path}?cluster=sample`)
  expect(JSON.stringify(sampleSummary().utilization.busy, undefined, 2)).toBe(answer)
})
