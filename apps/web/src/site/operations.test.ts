import { OPERATIONS } from '@septet/contract'
import { MCP_PATH } from '@septet/contract/routes'
import { expect, test } from 'vitest'

import { sampleSummary } from '@septet/server/testing/sample'
import mcp from '../../content/mcp.json' with { type: 'json' }
import { SHOWN_OPERATIONS } from './sections/McpServer.tsx'

test('the site shows what can be asked about clusters, and nothing of accounts, tokens or settings', () => {
  const names = SHOWN_OPERATIONS.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['summary.get', 'fleet.map', 'recommendations.dismiss']))
  expect(names.filter((name) => /^(members|tokens|sessions|audit|channels|retention)\./u.test(name))).toEqual([])
})

test('the command asks a route that is there, and the answer beside it is what it gives', () => {
  const { command, answer } = mcp.ask
  expect(command).toContain(`${OPERATIONS.summaryGet.path}?cluster=sample`)
  expect(JSON.stringify(sampleSummary().utilization.busy, undefined, 2)).toBe(answer.join('\n'))
})

test('an agent is told the address of the MCP server', () => {
  expect(mcp.client.config.join('\n')).toContain(`"url": "https://septet.example.com${MCP_PATH}"`)
})
