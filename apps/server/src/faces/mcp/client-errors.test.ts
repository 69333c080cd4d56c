import { septetMcpServer } from '@septet/tools/mcp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'
import { serveMcp } from './serve-mcp.ts'

let septet: TestSeptet
let logged: Error[] = []
let isBroken = false

beforeAll(async () => {
  septet = await openTestSeptet({
    serveMcp: (changes) =>
      serveMcp({
        serverFor: (parts) => {
          if (isBroken) throw new Error('A bug of ours.')
          return septetMcpServer(parts)
        },
        changes,
        onError: (error) => logged.push(error),
      }),
  })
})
afterAll(() => septet.close())
beforeEach(() => {
  logged = []
})

const post = (body: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(`${septet.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
    body,
  })
const request = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const PING = request('ping')

test('what a client does wrong is told to the client, and is no error in the log', async () => {
  const statuses = []
  for (const response of [
    await post(''),
    await post('{'),
    await post('[]'),
    await post('{"jsonrpc":"1.0"}'),
    await post(PING, { accept: 'text/html' }),
    await post(PING, { 'content-type': 'text/plain' }),
    await post(PING, { 'mcp-protocol-version': '1999-01-01' }),
    await post(PING, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping' }),
    await post(request('delete/everything')),
    await post(request('tools/call', { name: 'delete_everything' })),
  ]) {
    statuses.push(response.status)
    // oxlint-disable-next-line no-await-in-loop -- what comes late counts, too
    await response.text()
  }
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(logged).toEqual([])
})

test('what Septet does wrong is', async () => {
  isBroken = true
  const { status } = await post(PING)
  expect(status).toBe(500)
  expect(logged).toMatchObject([{ message: 'A bug of ours.' }])
})
