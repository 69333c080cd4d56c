import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { childEnvironment } from '../child-environment.ts'
import { eventually, removeDataDir, signIn, type SeptetProcess } from '../server-process.ts'
import { heavyTools, ownDemoSeptet } from '../shared/shared.ts'

const root = join(import.meta.dirname, '../..')

let septet: SeptetProcess
let secret: string
let client: Client

beforeAll(async () => {
  septet = await ownDemoSeptet()
  const admin = { ...(await signIn(septet)), 'content-type': 'application/json' }
  const send = (method: string, path: string, body: unknown): Promise<Response> =>
    fetch(`${septet.url}${path}`, { method, headers: admin, body: JSON.stringify(body) })
  await send('PUT', '/api/v1/agents', { toolsets: ['read', 'plan'] })
  const made = await send('POST', '/api/v1/tokens', { name: 'agent', role: 'viewer' })
  ;({ secret } = z.object({ secret: z.string() }).parse(await made.json()))
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const headers = { authorization: `Bearer ${secret}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${septet.url}/mcp`), { requestInit: { headers } }))
  // Until it has measured, priced and recommended.
  await eventually(
    () => call('list_recommendations', {}),
    (answer) => z.object({ total: z.number() }).parse(answer.structuredContent).total > 0,
  )
  await eventually(
    () => call('fleet_summary', {}),
    ({ structuredContent }) => Priced.safeParse(structuredContent).success,
  )
})
afterAll(async () => {
  await client?.close()
  await septet?.stop()
  await removeDataDir(septet.dataDir)
})

const Priced = z.looseObject({
  utilization: z.looseObject({ busy: z.looseObject({ value: z.number() }) }),
  // Idle shows after half an hour of it, so only once history has been read.
  cost: z.looseObject({ idleHeld: z.looseObject({ value: z.number().positive() }) }),
})

const call = (name: string, given: Record<string, unknown>): Promise<CallToolResult> =>
  client.callTool({ name, arguments: given })

describe('the inspector of MCP', () => {
  let main: string
  let folder: string
  beforeAll(async () => {
    const inspector = join(await heavyTools(), 'node_modules/@modelcontextprotocol/inspector')
    main = join(inspector, 'clients/launcher/build/index.js')
    folder = await mkdtemp(join(tmpdir(), 'septet-inspector-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const inspect = async (...args: readonly string[]): Promise<unknown> => {
    const env = { ...childEnvironment(), MCP_CATALOG_PATH: join(folder, 'mcp.json'), HOME: folder }
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--cli', ...args], {
      env,
      maxBuffer: 2 ** 26,
    })
    return JSON.parse(stdout)
  }
  const Listed = z.object({ tools: z.array(z.object({ name: z.string() })) })
  const Called = z.object({ structuredContent: z.object({ cluster: z.object({ id: z.string() }) }) })

  test.each([
    ['over HTTP', (asked: readonly string[]) => [...overHttp(), ...asked]],
    ['on stdio', (asked: readonly string[]) => [...asked, ...overStdio()]],
  ])('lists and calls tools %s', async (_how, argumentsFor) => {
    const { tools } = Listed.parse(await inspect(...argumentsFor(['--method', 'tools/list'])))
    expect(tools.map(({ name }) => name)).toEqual((await client.listTools()).tools.map(({ name }) => name))
    const asked = ['--method', 'tools/call', '--tool-name', 'fleet_summary', '--tool-arg', 'range=6h']
    // On a busy machine the first to ask for a range is told that it is not ready.
    const summary = () => client.callTool({ name: 'fleet_summary', arguments: { range: '6h' } })
    await eventually(summary, ({ isError }) => isError !== true)
    const { structuredContent } = Called.parse(await inspect(...argumentsFor(asked)))
    expect(structuredContent.cluster.id).toBe('demo')
  })
})

describe('an answer of any tool', () => {
  const About = z.looseObject({
    cluster: z.object({ id: z.literal('demo'), name: z.string(), kind: z.literal('demo') }),
    asOf: z.iso.datetime(),
    window: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).nullable(),
    page: z.url(),
    sources: z.array(z.string().regex(/^(GET|POST) \/api\/v1\//u)).min(1),
  })
  /** Answers about a stretch of time; the others are about the moment that `asOf` names. */
  const OVER_TIME = [
    'fleet_summary',
    'utilization_trend',
    'list_workloads',
    'explain_workload',
    'explain_queue',
    'cost_breakdown',
    'find_problems',
    'inspect_gpus',
  ]

  test('says of when, over which window and from where it is, which page shows the same, and fits a context', async () => {
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(13)
    const given = await argumentsOfAll()
    const sizes: Record<string, number> = {}
    for (const { name } of tools) {
      // On a busy machine the first to ask for a range is told that it is not ready.
      const { structuredContent, isError, content } = await eventually(
        () => call(name, given[name] ?? {}),
        (answer) => answer.isError !== true,
      )
      const about = About.safeParse(structuredContent)
      const problems = isError === true ? content : (about.error?.issues ?? [])
      const isOverTime = about.data?.window !== null
      expect({ name, problems, isOverTime }).toEqual({ name, problems: [], isOverTime: OVER_TIME.includes(name) })
      expect(about.data?.page).toMatch(new RegExp(`^${septet.url}/dashboard.*cluster=demo`, 'u'))
      // A figure without its unit and source is none.
      for (const figure of figuresIn(structuredContent)) {
        expect(figure).toMatchObject({ unit: expect.stringMatching(/./u), source: expect.stringMatching(/./u) })
      }
      sizes[name] = Math.ceil(JSON.stringify([content, structuredContent]).length / 4)
    }
    // At four characters a token, text and structure together.
    expect(Object.entries(sizes).filter(([, tokens]) => tokens > 4000)).toEqual([])
  })
})

function figuresIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(figuresIn)
  return 'says' in value && 'value' in value ? [value, ...inside] : inside
}

const overHttp = (): readonly string[] => [
  `${septet.url}/mcp`,
  '--transport',
  'http',
  '--header',
  `Authorization: Bearer ${secret}`,
]
/** As a client starts it: `septet mcp`. */
const overStdio = (): readonly string[] => [
  // Starting it takes long where all of the tests' processes share few cores.
  '--connect-timeout',
  '120000',
  '-e',
  `SEPTET_TOKEN=${secret}`,
  '--',
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  join(root, 'apps/cli/src/main.ts'),
  'mcp',
  '--server',
  septet.url,
]

/** What each is asked where its arguments are not all optional. */
const argumentsOfAll = async (): Promise<Readonly<Record<string, Record<string, unknown>>>> => {
  const { structuredContent } = await call('list_workloads', { limit: 1 })
  const [[id] = []] = z.object({ workloads: z.array(z.array(z.unknown())) }).parse(structuredContent).workloads
  return {
    explain_workload: { id },
    search: { query: 'gpu' },
    draft_plan: { goal: 'room-for', profile: '1g.10gb' },
    will_it_start: {
      manifest:
        '{kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}',
    },
  }
}
