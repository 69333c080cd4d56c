import { Agent, request } from 'node:http'
import { gzipSync } from 'node:zlib'

import { COPILOT_STREAM_PATH, LOGIN_REDEMPTION_PATH, LOGINS_PATH, MAY_SIGN_UP_PATH, OPERATIONS } from '@septet/contract'
import type { Operation } from '@septet/contract'
import { draw } from '@septet/domain/testing'
import { ACT_TOOLS, TOOLS } from '@septet/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { factsOf } from '../operations/answering/facts.fixture.ts'
import { agentToken } from './mcp/agent-token.fixture.ts'
import { BODIES, hostileInputs } from './hostile-values.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

let septet: TestSeptet
let person: { authorization: string }
let program: { authorization: string }
/** Every so many requests are sent, beginning with another one for each operation and tool. */
let every = 1
let begun = 0
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Nothing is held back for being too much at a time: what each costs is to be seen. */
const UNLIMITED = ['visitor', 'api', 'mcp', 'signup', 'otp', 'recover', 'token', 'verify', 'resend', 'user', 'login']
type Sent = {
  readonly method: string
  readonly path: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** What one request may cost the thread that answers, milliseconds of the processor of a machine as fast as `REFERENCE_MS` says. */
const MOST_MS = 50
/** The first time a function runs it costs what compiling it does, and garbage of others is anyone's. */
const TRIES = 5

/** What is wrong with how it was answered; undefined where nothing is. */
async function flawOf(sent: Sent, { url }: TestSeptet): Promise<string | undefined> {
  let least = Infinity
  for (let left = TRIES; left > 0 && least > MOST_MS * slowness; left -= 1) {
    const before = process.threadCpuUsage()
    // oxlint-disable-next-line no-await-in-loop -- what each costs by itself
    const status = await statusOf(sent, url)
    const { user, system } = process.threadCpuUsage(before)
    if (status >= 500 && status !== 503) return `is answered with ${status}`
    least = Math.min(least, (user + system) / 1000)
  }
  return least > MOST_MS * slowness ? `costs ${least.toFixed(0)} ms` : undefined
}

function statusOf({ method, path, body, headers = person }: Sent, url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const asked = request(`${url}${path}`, {
    method,
    agent,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  })
  asked.on('error', reject).on('response', (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0))
  })
  asked.end(body)
  return promise
}

/** The flaws of all that is sent, each with what was sent. */
async function flawsOf(all: Iterable<readonly [string, Sent]>, asked = septet): Promise<readonly string[]> {
  const flaws: string[] = []
  begun += 1
  const chosen = asked === septet ? [...all].filter((_, order) => (order + begun) % every === 0) : all
  for (const [what, sent] of chosen) {
    // oxlint-disable-next-line no-await-in-loop -- what each costs by itself
    const flaw = await flawOf(sent, asked)
    if (flaw !== undefined) flaws.push(`${what} ${flaw}`)
  }
  return flaws
}

const schemaOf = (input: z.ZodType) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {}
const nobodys = (path: string): string => path.replaceAll(/:(\w+)/gu, 'nobody-has-this')

/** More than a router or a reader of headers takes. */
const MOST_QUERY = 12_000

function* requestsOf({ method, path: route, input }: Operation): Generator<readonly [string, Sent]> {
  const path = nobodys(route)
  if (method === 'PUT' || method === 'POST') {
    for (const [what, body] of Object.entries(BODIES)) yield [what, { method, path, body }]
    for (const [what, value] of hostileInputs(schemaOf(input)))
      yield [what, { method, path, body: JSON.stringify(value) }]
    return
  }
  const numbers = Array.from({ length: MOST_QUERY / 6 }, (_, at) => `${at}=`).join('&')
  yield ['many names', { method, path: `${path}?${numbers}` }]
  for (const [what, value] of hostileInputs(schemaOf(input))) {
    const [field, text] = Object.entries(Object(value)).at(-1) ?? []
    if (field === undefined || (typeof text !== 'string' && typeof text !== 'number')) continue
    const query = encodeURIComponent(`${text}`.slice(0, MOST_QUERY).toWellFormed()).replaceAll('%20', '+')
    yield [what, { method, path: `${path}?${field}=${query.slice(0, MOST_QUERY).replace(/%.?$/u, '')}` }]
  }
}

const call = (name: string, body: string): Sent => ({
  method: 'POST',
  path: '/mcp',
  body,
  headers: {
    ...program,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  },
})
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** What is open before anyone has signed in, and takes a body. */
const DOORS = [
  MAY_SIGN_UP_PATH,
  LOGINS_PATH,
  LOGIN_REDEMPTION_PATH,
  COPILOT_STREAM_PATH,
  ...[
    'signup',
    'token?grant_type=password',
    'token?grant_type=refresh_token',
    'otp',
    'recover',
    'verify',
    'resend',
  ].map((path) => `/auth/v1/${path}`),
]
const Credentials = z.object({
  email: z.string(),
  password: z.string(),
  token: z.string(),
  type: z.string(),
  refresh_token: z.string(),
  data: z.record(z.string(), z.unknown()),
})

const many = <Value>(length: number, of: (at: number) => Value): Value[] => Array.from({ length }, (_, at) => of(at))

/** How much slower this machine is than that of the receipts, at work of the same kind; at least 1. */
function slownessOfMachine(): number {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ name: `name-${at}`, value: at / 7 })))
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    JSON.stringify(JSON.parse(text))
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.max(1, Math.min(...times) / REFERENCE_MS)
}
const REFERENCE_MS = 12
const slowness = slownessOfMachine()

/** Sends hostile bodies to every route and tool; of all that there are one in so many. */
export function hostileBodiesCostLittle({ oneIn }: { readonly oneIn: number }): void {
  every = oneIn
  beforeAll(async () => {
    const limits = [...UNLIMITED, 'login-poll', 'may-sign-up', 'factor', 'admin'].map((kind) => `${kind}=100000`)
    const environment = { SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local', SEPTET_RATE_LIMITS: limits.join() }
    septet = await openTestSeptet({ environment })
    person = await septet.signIn('ann@septet.local')
    program = { authorization: `Bearer ${await agentToken(septet)}` }
  })
  afterAll(async () => {
    agent.destroy()
    await septet.close()
  })

  describe('whatever it is sent, no operation costs 50 ms of the thread that answers', () => {
    test.each(Object.values<Operation>(OPERATIONS).map((operation) => [operation.name, operation] as const))(
      '%s',
      async (_name, operation) => expect(await flawsOf(requestsOf(operation))).toEqual([]),
    )
  })

  describe('nor does any tool of the MCP server', () => {
    test.each([...TOOLS, ...ACT_TOOLS].map(({ name, input }) => [name, input] as const))('%s', async (name, input) => {
      const inputs = Array.from(hostileInputs(schemaOf(input)), ([what, value]) => {
        const params = { name, arguments: value, _meta: META }
        return [what, call(name, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))] as const
      })
      expect(await flawsOf(inputs)).toEqual([])
    })
    test('by whatever is no call', async () => {
      const bodies = Object.entries(BODIES).map(([what, body]) => [what, call('search', body)] as const)
      expect(await flawsOf(bodies)).toEqual([])
      expect(await statusOf(call('search', BODIES['deep lists'] ?? ''), septet.url)).toBe(413)
    })
  })

  describe('nor does what strangers may send to', () => {
    test.each(DOORS)('%s', async (path) => {
      const bodies = [
        ...Object.entries(BODIES),
        ...Array.from(hostileInputs(schemaOf(Credentials)), ([what, value]) => [what, JSON.stringify(value)] as const),
      ]
      const sent = bodies.map(([what, body]) => [what, { method: 'POST', path, body, headers: {} }] as const)
      expect(await flawsOf(sent)).toEqual([])
    })

    test.each([
      ['PUT', '/auth/v1/user'],
      ['POST', '/auth/v1/factors'],
      ['POST', '/auth/v1/factors/none/verify'],
      ['POST', '/auth/v1/admin/users'],
      ['POST', '/auth/v1/admin/generate_link'],
      ['POST', '/auth/v1/invite'],
      ['PUT', '/auth/page-pass'],
    ])('%s %s, signed in', async (method, path) => {
      const sent = Object.entries(BODIES).map(([what, body]) => [what, { method, path, body }] as const)
      expect(await flawsOf(sent)).toEqual([])
    })

    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024))
    test.each([
      ['gzip', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, bomb],
      [
        'what says it is Parquet',
        { 'content-type': 'application/vnd.apache.parquet' },
        Buffer.from(`PAR1${'\uFFFF'.repeat(80_000)}PAR1`),
      ],
      ['CSV', { 'content-type': 'text/csv' }, Buffer.from('a,'.repeat(100_000))],
      ['YAML', { 'content-type': 'application/yaml' }, Buffer.from('['.repeat(200_000))],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, Buffer.from('a=1&'.repeat(60_000))],
      [
        'parts',
        { 'content-type': `multipart/form-data; boundary=${'-'.repeat(1000)}` },
        Buffer.from('-'.repeat(200_000)),
      ],
    ])('a body of %s', async (_what, headers, body) => {
      const paths = [
        '/api/v1/starts',
        '/api/v1/tenants',
        '/auth/v1/signup',
        '/agents/v1/production',
        '/keep/a/b',
        '/nowhere',
      ]
      const sent = paths.map((path) => [path, { method: 'POST', path, body, headers }] as const)
      expect(await flawsOf(sent)).toEqual([])
    })
  })

  describe('nor does what an admin may set, on a large fleet', () => {
    const drawn = Array.from({ length: 2000 }, (_, at) => `node-${at >> 3}  H100-80GB-HBM3  [team-${at % 40}/w${at}]`)
    const RULES = {
      namespaces: many(100, (at) => ({ name: `t${at}`, namespaces: many(90, (n) => `ns-${at}-${n}*`) })),
      labels: many(200, (at) => ({ name: `t${at}`, labels: Object.fromEntries(many(20, (n) => [`k${n}`, 'v'])) })),
    }
    let large: TestSeptet
    beforeAll(async () => {
      const facts = factsOf(draw`${drawn.join('\n')}`, [])
      large = await openTestSeptet({
        environment: { SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local' },
        facts: { clusters: () => [facts] },
      })
    })
    afterAll(() => large.close())

    test.each(Object.entries(RULES))('tenants by many %s', async (_what, tenants) => {
      const headers = { ...(await large.signIn('ann@septet.local')), 'content-type': 'application/json' }
      const to = (method: string, path: string, body?: string): Sent => ({
        method,
        path,
        headers,
        ...(body && { body }),
      })
      const body = JSON.stringify({ tenants })
      const sent = [
        ['preview', to('POST', '/api/v1/tenants/preview', body)],
        ['put', to('PUT', '/api/v1/tenants', body)],
        ['what they cost', to('GET', '/api/v1/cost?cluster=drawn&by=tenant')],
      ] as const
      expect(await flawsOf(sent, large)).toEqual([])
    })
  })
}
