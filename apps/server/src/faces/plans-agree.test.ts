import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type MadePlan } from '@septet/contract'
import { instant, type ClusterRecord } from '@septet/domain'
import { draw, withRequests } from '@septet/domain/testing'
import { snapshotFileText } from '@septet/plan-files'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { factsOf } from '../operations/answering/facts.fixture.ts'
import { agentToken } from './mcp/agent-token.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const MAIN = join(import.meta.dirname, '../../../cli/src/main.ts')
const RECORD: ClusterRecord = { id: 'lab', name: 'Lab', kind: 'cluster', createdAt: instant(0) }

/** Halves of GPUs that could be packed, an empty GPU, and work that waits for a cut. */
const snapshot = withRequests(draw`
  node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
  node-b  A100-SXM4-80GB  [3g.40gb lab/two] [3g.40gb -]
  node-c  A100-SXM4-80GB  [7g.80gb -]
  node-d  H100-80GB-HBM3  [lab/whole]
  ? lab/waits 1g.10gb`)

const AT = '2026-01-01T12:00:00.000Z'
const LAYOUT = [{ gpu: 'GPU-node-c-0', mig: true, instances: [{ profile: '4g.40gb', start: 0 }] }]

/** Each goal as REST and the tool are asked, and its words on the command line; a layout is drawn on a screen. */
const GOALS: readonly (readonly [goal: { readonly kind: string }, words: readonly string[] | undefined])[] = [
  [{ kind: 'fit' }, ['--goal', 'fit']],
  [{ kind: 'cost' }, ['--goal', 'cost']],
  [{ kind: 'free-node' }, ['--goal', 'free-node']],
  [{ kind: 'free-node', node: 'node-a' } as { kind: string }, ['--goal', 'free-node', '--node', 'node-a']],
  [{ kind: 'room-for', profile: '2g.20gb' } as { kind: string }, ['--goal', 'room-for', '--profile', '2g.20gb']],
  [{ kind: 'layout', targets: LAYOUT } as { kind: string }, undefined],
  [
    { kind: 'appointment', gpus: 1, at: AT, hours: 4 } as { kind: string },
    ['appointment', '--gpus', '1', '--at', '2026-01-01T12:00Z', '--for', '4h'],
  ],
]

let septet: TestSeptet
let token: string
let folder: string
let agent: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-plans-'))
  writeFileSync(join(folder, 'state.json'), snapshotFileText(snapshot))
  const clusters = [factsOf(snapshot, [], RECORD)]
  septet = await openTestSeptet({
    environment: { SEPTET_AUTHORIZED_EMAIL: 'ann@septet.local' },
    facts: { clusters: () => clusters },
  })
  token = await agentToken(septet, ['read', 'plan'])
  agent = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${septet.url}/mcp`), { requestInit }))
})
afterAll(async () => {
  await agent.close()
  await septet.close()
  rmSync(folder, { recursive: true })
})

const septetPlan = async (...words: readonly string[]): Promise<MadePlan> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, 'plan', ...words, '--json'],
    { cwd: folder, env: { ...process.env, SEPTET_TOKEN: token } },
  )
  return JSON.parse(stdout) as MadePlan
}

/** As the dashboard asks: it begins, and looks until it is done. */
async function byRest(goal: object): Promise<MadePlan> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = async (path: string, body?: object) =>
    (await (
      await fetch(`${septet.url}/api/v1/plans${path}`, {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      })
    ).json()) as { id: string; state: string; result: MadePlan | null }
  let state = await send('', { goal })
  while (state.result === null) state = await send(`/${state.id}?wait=5`)
  return state.result
}

test.each(GOALS)('a plan is the same in every face: %j', async (goal, words) => {
  const rest = await byRest(goal)
  expect(rest.digest).toMatch(/^[0-9a-f]{16}$/u)
  const { structuredContent: tool } = await agent.callTool({
    name: 'draft_plan',
    arguments: { ...goal, goal: goal.kind, kind: undefined },
  })
  expect(tool).toMatchObject({ digest: rest.digest, says: rest.says.map(({ text }) => text) })
  if (words === undefined) return
  const [here, served] = await Promise.all([
    septetPlan(...words, '--snapshot', 'state.json'),
    septetPlan(...words, '--server', septet.url),
  ])
  expect([here.digest, served.digest]).toEqual([rest.digest, rest.digest])
  expect(served.says).toEqual(rest.says)
  expect(here.steps).toEqual(rest.steps)
})

test('a plan that is no longer wanted is gone, and nobody else sees it', async () => {
  const authorization = `Bearer ${token}`
  const headers = { authorization, 'content-type': 'application/json' }
  const made = await fetch(`${septet.url}/api/v1/plans`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ goal: { kind: 'cost' } }),
  })
  const { id } = (await made.json()) as { id: string }
  const at = `${septet.url}/api/v1/plans/${id}`
  expect((await fetch(at)).status).not.toBe(200)
  expect((await fetch(at, { method: 'DELETE', headers: { authorization } })).status).toBe(200)
  expect((await fetch(at, { headers })).status).toBe(404)
})
