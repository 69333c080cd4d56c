import { OPERATIONS, ProblemDocumentSchema, type OutputOf, type startsCheck } from '@septet/contract'
import { instant, type ClusterSnapshot, type WaitStretch } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { factsOf } from '../operations/answering/facts.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const drawn = draw`
  node-a  H100-80GB-HBM3  [lab/x]
  node-a  H100-80GB-HBM3  [-]
  node-b  H100-80GB-HBM3  [web/secret]`
const GPUS = { 'node-a': 2, 'node-b': 1 }
const cluster: ClusterSnapshot = {
  ...drawn,
  nodes: drawn.nodes.map((node) => ({ ...node, allocatable: { 'nvidia.com/gpu': GPUS[node.name as 'node-a'] } })),
}

const pod = (gpus: number): string =>
  `{kind: Pod, metadata: {name: new, namespace: lab}, spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: ${gpus}}}}]}}`

let septet: TestSeptet
afterEach(() => septet.close())

async function open(past: readonly WaitStretch[] = []) {
  const environment = { SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com' }
  const clusters = [factsOf(cluster, [])]
  septet = await openTestSeptet({ facts: { clusters: () => clusters }, environment })
  await septet.store.waits.write('drawn', past)
}

async function post(body: object): Promise<Response> {
  const headers = { ...(await septet.signIn('admin@septet.local')), 'content-type': 'application/json' }
  return fetch(`${septet.url}/api/v1/starts`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function ask(manifest: string): Promise<OutputOf<typeof startsCheck>['jobs'][number] | undefined> {
  const answer = await post({ manifest })
  expect(answer.status).toBe(200)
  return OPERATIONS.startsCheck.output.parse(await answer.json()).jobs[0]
}

describe('POST /api/v1/starts', () => {
  test('says where a job starts, and what to change where it does not', async () => {
    await open()
    expect(await ask(pod(1))).toMatchObject({
      verdict: 'now',
      places: [{ node: 'node-a', devices: [{ index: 1, profile: null }] }],
      wait: null,
      noWait: null,
    })
    expect(await ask(pod(2))).toMatchObject({
      verdict: 'not-now',
      changes: [{ kind: 'gpus', patch: [{ op: 'replace', value: '1' }] }],
      wait: null,
      noWait: 'No such waits observed yet; 20 are needed.',
    })
  })

  test('says after what time work like it started, from the waits that were kept', async () => {
    const start = Date.now() - 30 * 3_600_000
    const past = Array.from({ length: 40 }, (_, at): WaitStretch => ({
      waiter: `uid-${at}`,
      namespace: 'lab',
      workload: 'lab/Job/past',
      asks: '2 × nvidia.com/gpu',
      gpus: 2,
      kinds: [],
      from: instant(start + at * 1_800_000),
      to: instant(start + at * 1_800_000 + (at % 4) * 600_000 + 60_000),
      cause: 'capacity',
      change: undefined,
      over: true,
    }))
    await open(past)
    const { wait } = (await ask(pod(2))) ?? {}
    expect(wait).toMatchObject({ waits: 40, like: '2 × nvidia.com/gpu in lab' })
    expect(wait?.low).toBeLessThanOrEqual(120)
    expect(wait?.middle).toBe(660)
    expect(wait?.high).toBeGreaterThanOrEqual(1500)
  })

  test('refuses what nobody can judge, in words', async () => {
    await open()
    for (const [manifest, words] of [
      ['kind: [', 'The manifest cannot be read as YAML'],
      ['{kind: Pod, spec: {containers: [{name: a}]}}', 'The manifest asks for no GPU.'],
      ['kind: Pod\n---\n'.repeat(99), 'more than 50 documents'],
    ] as const) {
      const answer = await post({ manifest })
      expect(answer.status).toBe(400)
      expect(ProblemDocumentSchema.parse(await answer.json()).detail).toContain(words)
    }
  })
})
