import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, expect, test } from 'vitest'

import { exitCodeOf, Interrupted } from '../exit-codes.ts'
import { runPlan } from './run-plan.ts'

const ID = '0b8f4f52-3a0e-4c7e-9a55-6d2f2f3f9d10'
const ASKED = { id: ID, askedAt: '2026-11-20T10:37:30Z', ahead: 0, done: 1, of: 4 }
const COMPUTING = { ...ASKED, state: 'running', problem: null, result: null }

const asked: string[] = []
let answered: (request: IncomingMessage) => void = () => undefined
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url?.replace(/\?.*/u, '')}`)
  answered(request)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(request.method === 'DELETE' ? { cancelled: ID } : COMPUTING))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

afterEach(() => void server.close())

test('whoever ends a plan that a server computes has it canceled there, and the exit status says so', async () => {
  const controller = new AbortController()
  answered = ({ method }) => {
    if (method === 'GET') controller.abort()
  }
  const thrown: unknown = await runPlan(['--server', `http://127.0.0.1:${port}`], {
    environment: {},
    progress: { step: () => undefined, end: () => undefined },
    snapshotOf: () => Promise.reject(new Error('nobody asks')),
    enough: () => controller.signal,
  }).catch((error: unknown) => error)
  expect(thrown).toEqual(new Interrupted('Interrupted: the server no longer computes the plan.'))
  expect(exitCodeOf(thrown)).toBe(130)
  expect(asked).toEqual(['POST /api/v1/plans', `GET /api/v1/plans/${ID}`, `DELETE /api/v1/plans/${ID}`])
})
