import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { UsageError } from '../options/command-options.ts'
import { isServed, runServedReport } from '../run-report.ts'

let server: Server
let folder: string
let address: string
const heard: IncomingMessage[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'septet-served-'))
  server = createServer((request, response) => {
    heard.push(request)
    if (request.headers.authorization !== 'Bearer spt_right') {
      response.statusCode = 401
      const problem = { type: '/api', title: 'Not signed in', status: 401, code: 'not-signed-in' }
      response.end(JSON.stringify({ ...problem, detail: 'No token was sent.', todo: 'Send one.' }))
      return
    }
    response.setHeader('content-disposition', 'attachment; filename="../septet-demo-report-2026-01.pdf"')
    response.end(Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff]))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const report = (args: readonly string[], token?: string) =>
  runServedReport(['--server', address, ...args], { XDG_CONFIG_HOME: folder, SEPTET_TOKEN: token })

describe('septet report --server', () => {
  test('is told from a report of a cluster', () => {
    expect(isServed(['--server=https://x', '--file', 'pdf'])).toBe(true)
    expect(isServed(['--kubeconfig', 'server'])).toBe(false)
  })

  test('keeps the file, byte by byte, and asks for what was named', async () => {
    const out = join(folder, 'report.pdf')
    const printed = await report(
      ['--cluster', 'demo', '--range', 'last-week', '--namespaces', 'a,b', '--out', out],
      'spt_right',
    )
    expect(printed).toBe(`${out}\n`)
    expect([...(await readFile(out))]).toEqual([0x25, 0x50, 0x44, 0x46, 0xff])
    expect(heard.at(-1)?.url).toBe('/api/v1/report/files/pdf?cluster=demo&range=last-week&namespaces=a%2Cb')
  })

  test('prints it to a pipe', async () => {
    const printed = await report(['--file', 'cost', '--out', '-'], 'spt_right')
    expect(printed).toHaveLength(5)
    expect(heard.at(-1)?.url).toBe('/api/v1/report/files/cost')
  })

  test('says what the server says, and that it does not answer', async () => {
    await expect(report([])).rejects.toThrow('No token was sent. Sign in with septet login, or set SEPTET_TOKEN.')
    await expect(report(['--server', 'http://127.0.0.1:1'])).rejects.toThrow('http://127.0.0.1:1 did not answer')
  })

  test.each([
    [['--server', 'localhost'], '--server is "localhost"'],
    [['--server', 'http://x', '--file', 'docx'], '--file is "docx" but must be one of pdf'],
    [['--server', 'http://x', '--colour'], '--colour'],
  ])('%j is refused in words', async (args, words) => {
    await expect(runServedReport(args, {})).rejects.toThrow(UsageError)
    await expect(runServedReport(args, {})).rejects.toThrow(words)
  })
})
