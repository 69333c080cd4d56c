import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'

const MAIN = join(import.meta.dirname, '../../../../cli/src/main.ts')

let septet: TestSeptet
beforeAll(async () => {
  septet = await openTestSeptet()
})
afterAll(() => septet.close())

const command = (server: string) => ({
  command: process.execPath,
  args: ['--disable-warning=ExperimentalWarning', MAIN, 'mcp', '--server', server],
})

test('septet mcp answers on stdin and stdout what the server answers, to a client of today and to one of 2025', async () => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StdioClientTransport(command(septet.url)))
  const asked = { name: 'fleet_summary', arguments: {} }
  const now = await client.callTool(asked)
  expect(now.structuredContent).toMatchObject({ cluster: { id: 'demo' } })
  await client.close()
  const older = new OlderClient({ name: 'older', version: '1' })
  await older.connect(new OlderTransport(command(septet.url)))
  expect((await older.callTool(asked))['structuredContent']).toEqual(now.structuredContent)
  await older.close()
})

test('where nobody answers, a request is refused in words and does not wait for ever', async () => {
  const older = new OlderClient({ name: 'older', version: '1' })
  await expect(older.connect(new OlderTransport(command('http://127.0.0.1:9')))).rejects.toThrow('could not be asked')
  await older.close()
})

test('a client that goes away before it is answered ends septet mcp without a word', async () => {
  const silent = createServer()
  const listens = once(silent, 'listening')
  silent.listen(0, '127.0.0.1')
  await listens
  const { port } = Object(silent.address())
  const asked = once(silent, 'request')
  const { command: node, args } = command(`http://127.0.0.1:${port}`)
  const running = spawn(node, args, { stdio: 'pipe' })
  const said = Promise.all([text(running.stdout), text(running.stderr)])
  const ended = once(running, 'exit')
  running.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  await asked
  running.stdin.end()
  expect(await said).toEqual(['', ''])
  expect(await ended).toEqual([0, null])
  silent.closeAllConnections()
  silent.close()
})
