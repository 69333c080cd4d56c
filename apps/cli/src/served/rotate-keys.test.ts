import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { UsageError } from '../options/command-options.ts'
import { runRotateKeys } from './rotate-keys.ts'

let server: Server
let address: string
const heard: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`)
      const answer = { kid: 'new', verifying: body.includes('true') ? [] : ['old'] }
      if (request.headers.authorization === 'Bearer spt_admin') return response.end(JSON.stringify(answer))
      response.statusCode = 403
      const problem = { type: '/api', title: 'Not allowed', status: 403, code: 'not-allowed' }
      return response.end(JSON.stringify({ ...problem, detail: 'This needs an admin.', todo: 'Ask one.' }))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test('septet rotate-keys tells the key that signs now, and how long tokens of the one before are good', async () => {
  expect(await runRotateKeys(['--server', address], 'spt_admin')).toBe(
    'Access tokens are signed by key new from now on.\nTokens of the key before are good until they end, an hour at most.\n',
  )
  expect(heard.at(-1)).toBe('POST /api/v1/signing-keys Bearer spt_admin {"leaked":false}')
  expect(await runRotateKeys(['--server', address, '--leaked'], 'spt_admin')).toContain('are refused')
  expect(heard.at(-1)).toContain('{"leaked":true}')
})

test('it says why it may not, and what is missing', async () => {
  await expect(runRotateKeys(['--server', address], 'spt_viewer')).rejects.toThrow('This needs an admin. Ask one.')
  await expect(runRotateKeys([], 'spt_admin')).rejects.toThrow(UsageError)
  await expect(runRotateKeys(['--server', 'septet'], 'spt_admin')).rejects.toThrow('must be an http:// or https:// URL')
  expect(await runRotateKeys(['--help'], undefined)).toContain('--leaked')
})
