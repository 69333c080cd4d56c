import { join } from 'node:path'

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
