import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { OPERATIONS } from '@septet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { exitCodeOf } from '../exit-codes.ts'
import { AskError } from '../served/ask-server.ts'
import { keptPath, writeKept } from '../served/kept-servers.ts'
import { runLogin, runLogout, type LoginNeeds } from '../login/run-login.ts'
import { UsageError } from '../options/command-options.ts'
import { flagsOf } from './flags.ts'
import { generalFlag } from './general-flags.ts'
import { plainOperation } from './plain-operations.ts'
import { runOperation } from './run-operation.ts'
import { SPOKEN, spokenAs } from './verbs.ts'

let server: Server
let address: string
let folder: string
let heard: string[] = []
let printed: string[] = []
/** What the server says, by the path that is asked; 200 where it is not a refusal. */
const says = new Map<string, { readonly status?: number; readonly body: unknown }>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-cli-'))
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  heard = []
  printed = []
  says.clear()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  heard.push(`${request.method} ${request.url}${body === '' ? '' : ` ${body}`}${tokenIn(request)}`)
  const { status = 200, body: said } = says.get((request.url ?? '').split('?')[0] ?? '') ?? { status: 404, body: {} }
  response.statusCode = status
  response.end(JSON.stringify(said))
}

const tokenIn = ({ headers }: IncomingMessage): string =>
  headers.authorization === undefined ? '' : ` as ${headers.authorization.replace('Bearer ', '')}`

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text
}

type Around = {
  readonly environment?: Record<string, string>
  readonly files?: Record<string, string>
  readonly width?: number
  readonly enough?: AbortSignal
}

function ask(
  line: string | readonly string[],
  { environment, files = {}, width, enough }: Around = {},
): Promise<string> {
  return runOperation(typeof line === 'string' ? line.split(' ') : line, {
    environment: { SEPTET_SERVER: address, XDG_CONFIG_HOME: folder, ...environment },
    program: 'septet',
    readText: async (path) => files[path] ?? '',
    screen: {
      width,
      print: async (text) => void printed.push(text),
      enough: enough ?? new AbortController().signal,
    },
  })
}

describe('every operation is a command', () => {
  const all = SPOKEN.map((spoken) => [`${spoken.verb} ${spoken.noun}`, spoken] as const)
  test.each(all)('septet %s', async (line, { key, verb, noun }) => {
    const operation = plainOperation(key)
    const flags = flagsOf(operation)
    expect(flags.filter(({ name }) => generalFlag(name) !== undefined)).toEqual([])
    const help = await ask(`${line} --help`)
    for (const { positional, name } of flags) expect(help).toContain(positional ? name.toUpperCase() : `--${name}`)
    expect(help).toContain(operation.description.split(' ').slice(0, 3).join(' '))
    expect([spokenAs(verb, noun)?.key, spokenAs(noun, verb)?.key]).toEqual([key, key])
  })

  test('a verb alone lists its nouns; what there is not is answered with what there is', async () => {
    expect(await ask(['list'])).toContain('workloads')
    await expect(ask('get nothing')).rejects.toThrow(/There is: septet get summary, .*septet get workload/u)
    await expect(ask('get workloadz')).rejects.toThrow(
      /^There is no "get workloadz". Did you mean: septet get workload\?$/u,
    )
    await expect(ask('workloads')).rejects.toThrow('There is: septet list workloads, septet get workload.')
  })
})

describe('words become the input', () => {
  test('flags of a question go into the query, and a yes or no needs no value', async () => {
    says.set('/api/v1/workloads', { body: { workloads: [] } })
    await ask('list workloads --idle --sort idleCost --limit=5')
    await ask('list workloads --idle false')
    expect(heard).toEqual(['GET /api/v1/workloads?idle=true&sort=idleCost&limit=5', 'GET /api/v1/workloads?idle=false'])
  })

  test('what kubectl calls the same is understood', async () => {
    says.set('/api/v1/workloads', { body: { workloads: [] } })
    says.set('/api/v1/workload', { body: {} })
    await ask('ls workloads -n shop')
    await ask('list workloads -A -o wide')
    await ask('describe workload shop/Deployment/api')
    expect(heard).toEqual([
      'GET /api/v1/workloads?namespace=shop',
      'GET /api/v1/workloads',
      'GET /api/v1/workload?id=shop%2FDeployment%2Fapi',
    ])
    await expect(ask('get summary -n shop')).rejects.toThrow('There is no flag -n here.')
  })

  test('what is meant stands after verb and noun, in the path or not, in the singular or the plural', async () => {
    says.set('/api/v1/workload', { body: {} })
    says.set('/api/v1/actions/action-1', { body: {} })
    await ask('get workload shop/Deployment/api')
    await ask('get actions action-1')
    expect(heard).toEqual(['GET /api/v1/workload?id=shop%2FDeployment%2Fapi', 'GET /api/v1/actions/action-1'])
  })

  test('a decision names the digest; a missing or wrong word is told by its flag before anybody is asked', async () => {
    const digest = 'ab'.repeat(32)
    says.set('/api/v1/actions/action-1/approval', { body: {} })
    await ask(`approve action action-1 --digest ${digest}`)
    expect(heard).toEqual([`PUT /api/v1/actions/action-1/approval {"digest":"${digest}"}`])
    await expect(ask('approve action')).rejects.toThrow('Missing: ID, --digest.')
    await expect(ask('list workloads --limit 9999')).rejects.toThrow(/^--limit: /u)
    await expect(ask('list workloads --limit many')).rejects.toThrow('--limit is "many" but must be a number.')
    await expect(ask('list workloads --nope 1')).rejects.toThrow('There is no flag --nope here.')
    await expect(ask('list workloads extra')).rejects.toThrow(UsageError)
    expect(heard).toHaveLength(1)
  })

  test('what only the server finds wrong in a question is told by its flag as well', async () => {
    says.set('/api/v1/workloads', { status: 400, body: { title: 'Bad', status: 400, detail: 'range: no.', todo: 'x' } })
    await expect(ask('list workloads --range someday')).rejects.toThrow(/^--range: /u)
    await expect(ask('list workloads --range 7d')).rejects.toThrow(AskError)
    expect(heard).toHaveLength(2)
  })

  test('a body comes from a JSON or YAML file, flags win, and the file may be the one document itself', async () => {
    says.set('/api/v1/budgets/gpu', { body: {} })
    const file = 'cluster: a\nscope: cluster\nusdPerMonth: 100\nthresholds: [50]\n'
    await ask('put budget gpu -f budget.yaml --usd-per-month 200', { files: { 'budget.yaml': file } })
    expect(heard).toEqual([
      'PUT /api/v1/budgets/gpu {"cluster":"a","scope":"cluster","usdPerMonth":200,"thresholds":[50]}',
    ])
    says.set('/api/v1/tenants', { body: {} })
    await ask('put tenants -f -', { files: { '-': '[]' } })
    expect(heard[1]).toBe('PUT /api/v1/tenants {"tenants":[]}')
    await expect(ask('put tenants -f -', { files: { '-': '{"a": [' } })).rejects.toThrow('neither JSON nor YAML')
  })

  test('a secret is read from a file, never from the command line', async () => {
    says.set('/api/v1/connections/contexts', { body: {} })
    await ask('contexts connections --kubeconfig kube.yaml', { files: { 'kube.yaml': 'apiVersion: v1\n' } })
    expect(heard).toEqual(['POST /api/v1/connections/contexts {"kubeconfig":"apiVersion: v1"}'])
  })
})

const figure = (value: number | null, unit: string) => ({
  value,
  unit,
  quality: value === null ? 'unknown' : 'measured',
  because: value === null ? 'no telemetry' : null,
  coverage: null,
  explain: { formula: 'busy ÷ held', window: null, source: 'usage' },
})
const row = (name: string, busy: number | null, cost: number | null) => ({
  id: `shop/Deployment/${name}`,
  name,
  namespace: 'shop',
  kind: 'Deployment',
  class: 'inference',
  status: 'running',
  tenant: null,
  queue: null,
  gpu: '2 × H100',
  requests: [],
  holds: null,
  since: '2026-11-20T16:18:00.000Z',
  duration: 7200,
  busy: figure(busy, 'ratio'),
  gpuHours: null,
  idleGpuHours: 0,
  cost: figure(cost, 'USD'),
  idleCost: figure(1234.5, 'USD'),
  rightSize: { kind: 'fits', profile: null, because: null },
  waiting: null,
})
const LIST = {
  total: 7,
  waitsFor: [{ resource: 'nvidia.com/gpu' }],
  workloads: [row('chat', null, 12), row('a-service-with-quite-a-long-name', 0.43, 0)],
}

describe('answers', () => {
  beforeEach(() => void says.set('/api/v1/workloads', { body: LIST }))

  test('a table of the main list, figures in words, what is not known as "Not measured" and never 0', async () => {
    const text = await ask('list workloads')
    const [head = '', , chat = '', long = ''] = text.split('\n')
    expect(head).toMatch(/^ID +Class +Status +GPU +Since +Duration +Busy +GPU hours/u)
    expect(chat).toMatch(/^shop\/Deployment\/chat .*2026-11-20 16:18Z +2 h +Not measured +Not measured +0 +\$12/u)
    expect(long).toMatch(/43\.0% .*\$0 +\$1,235/u)
    expect(text).toContain('2 of 7 are shown')
  })

  test('no line is wider than the terminal, what is cut ends in "…", and what has no room is named', async () => {
    for (const width of [40, 60, 80, 120]) {
      const lines = (await ask('list workloads --sort idleCost', { width })).split('\n')
      expect(lines.filter((line) => line.length > width)).toEqual([])
      const [head = ''] = lines
      const words = head.split(/ {2,}/u)
      expect(words).toContain('Idle cost')
      const cut = lines.slice(2, 4).flatMap((line) => line.split(/ {2,}/u)[0] ?? [])
      const ids = LIST.workloads.map(({ id }) => id)
      for (const [index, text] of cut.entries()) {
        expect(text === ids[index] || (text.endsWith('…') && ids[index]?.startsWith(text.slice(0, -1)))).toBe(true)
      }
      expect(lines.join(' ')).toContain('No room for:')
    }
  })

  test('JSON and YAML are the answer as it came, CSV has the value and the unit of a figure apart', async () => {
    expect(JSON.parse(await ask('list workloads -o json'))).toEqual(LIST)
    expect(await ask('list workloads -o yaml')).toContain('total: 7\n')
    const [head, chat] = (await ask('list workloads -o csv --columns id,busy,idleCost')).split('\r\n')
    expect([head, chat]).toEqual(['id,busy,busy.unit,idleCost,idleCost.unit', 'shop/Deployment/chat,,ratio,1234.5,USD'])
    await expect(ask('list workloads -o csv --columns nope')).rejects.toThrow(
      'There is no column "nope"; there are id,',
    )
    await expect(ask('list workloads -o xml')).rejects.toThrow(UsageError)
  })

  test.each(SPOKEN.map(({ verb, noun }) => `${verb} ${noun}`))(
    'septet %s refuses columns that its answer lacks, names those it has, and asks nobody',
    async (line) => {
      for (const output of ['table', 'csv']) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other tells which one it was
        await expect(ask(`${line} -o ${output} --columns nonsense`)).rejects.toThrow(
          /^There is no column "nonsense"(?:; there are \w|, and no other)/u,
        )
      }
      await expect(ask(`${line} -o json --columns id`)).rejects.toThrow(
        '--columns is for -o table and -o csv; -o json has everything.',
      )
      expect(heard).toEqual([])
    },
  )

  test('of one of a kind --columns shows these values, in this order', async () => {
    const utilization = { busy: figure(0.5, 'ratio') }
    says.set('/api/v1/summary', { body: { status: { headline: 'All well' }, utilization } })
    const text = await ask('get summary --columns utilization.busy,status.headline')
    expect(text).toBe('Utilization busy  50.0%\nStatus headline   All well\n')
    says.set('/api/v1/tenants', { body: { tenants: [{ name: 'research' }] } })
    expect(await ask('get tenants --columns tenants')).toMatch(/^Tenants:\nName/u)
    expect(await ask('get summary -o csv --columns status.headline')).toBe('status.headline\r\nAll well\r\n')
  })

  test('--explain tells the description, and the formula, window and source of each kind of figure', async () => {
    const text = await ask('list workloads --explain')
    expect(text).toContain(OPERATIONS.workloadsList.description.split(',')[0])
    expect(text).toMatch(
      /workloads\.0\.busy: Not measured, and 5 more like it\n {2}formula {2}busy ÷ held\n {2}window {3}none\n {2}source {3}usage/u,
    )
  })

  test('--explain of what changes something asks nobody', async () => {
    expect(await ask('resume acting --explain')).toContain('Lets Septet continue')
    expect(heard).toEqual([])
  })

  test('--watch asks again: a terminal is drawn again, anything else gets one answer after the other', async () => {
    for (const width of [undefined, 80]) {
      const controller = new AbortController()
      printed = []
      const around = { ...(width === undefined ? {} : { width }), enough: controller.signal }
      const watching = ask('list workloads --watch 0.1', around)
      await vi.waitFor(() => expect(printed.length).toBeGreaterThan(2), { timeout: 10_000 })
      controller.abort()
      expect(await watching).toBe('')
      expect(printed.every((text) => text.includes('\u001B') === (width !== undefined))).toBe(true)
    }
    await expect(ask('stop acting --reason incident --watch')).rejects.toThrow(UsageError)
  })
})

const login = (text: string) =>
  runLogin(['--server', address, '--token', '-'], {
    ...LOGIN_NEEDS,
    environment: { XDG_CONFIG_HOME: folder },
    readInput: async () => text,
  })

const LOGIN_NEEDS: LoginNeeds = {
  environment: {},
  askSecret: undefined,
  readInput: async () => '',
  openBrowser: undefined,
  machine: 'build-7',
  say: () => undefined,
  enough: new AbortController().signal,
}

const signIn = (...more: string[]) => runLogin(['--server', address, ...more], LOGIN_NEEDS)

describe('who is asked, and as whom', () => {
  const me = {
    kind: 'token',
    name: 'token:cli',
    role: 'operator',
    namespaces: null,
    clusters: null,
    mode: 'embedded',
    session: null,
    secondFactor: null,
    expiresAt: null,
  }

  test('a token that the server takes is kept for its owner alone, sent to that server alone, and forgotten', async () => {
    says.set('/api/v1/me', { body: me })
    says.set('/api/v1/clusters', { body: { clusters: [] } })
    const said = await login('spt_secret-of-mine\n')
    expect(said).toContain(`Signed in to ${address} as token:cli (operator).`)
    expect(said).not.toContain('spt_secret')
    expect(statSync(keptPath({ XDG_CONFIG_HOME: folder })).mode & 0o777).toBe(0o600)
    heard = []
    await ask('list clusters', { environment: { SEPTET_SERVER: '' } })
    await ask('list clusters', { environment: { SEPTET_TOKEN: 'spt_other' } })
    await ask(['list', 'clusters', '--server', address.replace('127.0.0.1', 'localhost')])
    expect(heard).toEqual([
      'GET /api/v1/clusters as spt_secret-of-mine',
      'GET /api/v1/clusters as spt_other',
      'GET /api/v1/clusters',
    ])
    heard = []
    expect(await runLogout([], { XDG_CONFIG_HOME: folder })).toContain(
      `Removed the token of ${address} from this machine.`,
    )
    // It was made elsewhere, so somebody else may use it.
    expect(heard).toEqual([])
    await expect(ask('list clusters', { environment: { SEPTET_SERVER: '' } })).rejects.toThrow('Name the Septet to ask')
  })

  test('signing out is not held up by a server that does not revoke the token', async () => {
    const environment = { XDG_CONFIG_HOME: folder }
    writeKept(environment, { current: address, servers: { [address]: { token: 'spt_own-of-here', own: true } } })
    says.set('/api/v1/tokens/self', { status: 404, body: {} })
    expect(await runLogout([], environment)).toMatch(/^Removed the token .* It could not be revoked: .*404/u)
    expect(await runLogout([], environment)).toContain('nothing to remove')
  })

  test('a token that is refused is not kept, and none is taken from the command line', async () => {
    says.set('/api/v1/me', { status: 401, body: {} })
    await expect(login('spt_refused-here')).rejects.toThrow('401')
    expect(await runLogout([], { XDG_CONFIG_HOME: folder })).toContain('nothing to remove')
    await expect(signIn('--token', 'spt_seen')).rejects.toThrow('can see a token on the command line')
    await expect(signIn('--token', '-')).rejects.toThrow('not an API token')
    await expect(signIn('--token', '-', '--role', 'viewer')).rejects.toThrow('--role goes with')
    await expect(signIn()).rejects.toThrow('No one can sign in here')
    await expect(signIn('--no-browser', '--role', 'root')).rejects.toThrow('viewer, operator, admin')
  })
})

describe('how it ends', () => {
  test.each([
    [400, 2],
    [401, 4],
    [403, 3],
    [404, 1],
    [429, 3],
    [500, 1],
    [503, 3],
  ])('an answer of %i is exit code %i', async (status, code) => {
    says.set('/api/v1/clusters', { status, body: {} })
    const error = await ask('list clusters').catch((thrown: unknown) => thrown)
    expect(exitCodeOf(error)).toBe(code)
  })

  test('nobody there is 5, words that are not understood are 2, anything else is 1', async () => {
    const away = await ask('list clusters --server http://127.0.0.1:1').catch((thrown: unknown) => thrown)
    expect(exitCodeOf(away)).toBe(5)
    expect([exitCodeOf(new UsageError('x')), exitCodeOf(new Error('x'))]).toEqual([2, 1])
  })
})
