import { DEFAULT_ACT_POLICY, instant, mib, ratio, type AdmissionView, type ClusterRecord } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { secretsFrom } from '@septet/auth'
import { actionRun, openTestStore, transition, type TestStore } from '@septet/storage/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { PackedAdmission } from '../facts.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { AdmissionPacker } from '../read-model/packed-admission.ts'
import { askWebhook, reviewOf, type Asked } from './admission-client.fixture.ts'
import { openAdmissionThread, type AdmissionThread } from './supervise-admission.ts'
import { openAdmission, type Admission } from './open-admission.ts'

const lines: string[] = []
const log = {
  info: () => undefined,
  warn: (text: string) => void lines.push(`warn ${text}`),
  error: (text: string) => void lines.push(`error ${text}`),
}
const RECORD: ClusterRecord = { id: 'lab', name: 'Lab', kind: 'cluster', createdAt: instant(0) }
const MIG = 'nvidia.com/mig-1g.20gb'

let store: TestStore
let admission: Admission
let thread: AdmissionThread
let view: PackedAdmission | undefined
const base = factsOf(draw`node-a  H100-80GB-HBM3  [-]`, [], RECORD)
const facts = { clusters: () => [{ ...base, admission: () => view }] }
const secrets = secretsFrom(Buffer.alloc(32, 7))

beforeAll(async () => {
  store = await openTestStore()
  await store.clusters.upsert(RECORD)
  admission = await openAdmission({
    config: { host: '127.0.0.1', port: 0, certDir: undefined, names: ['septet-admission.septet.svc'] },
    store,
    storeAddress: { connection: store.connection },
    facts,
    secrets,
    log,
    now: Date.now,
    openThread: () => (thread = openAdmissionThread()),
  })
})
afterAll(async () => {
  await admission.stop()
  await store.close()
})
let namespace = ''
let tests = 0
beforeEach(async () => {
  namespace = `lab-${(tests += 1)}`
  await show(known())
  lines.length = 0
})

/** The size of `chat` is known in this test’s namespace, and so many instances of it are free. */
const known = ({ free = 500, memoryPeak = 8192 } = {}): AdmissionView => ({
  takenAt: instant(Date.now()),
  sizes: new Map([
    [
      `${namespace}/Deployment/chat`,
      {
        workload: `${namespace}/Deployment/chat`,
        model: 'H100-80GB-HBM3',
        profile: '1g.20gb',
        resource: MIG,
        memory: mib(20_096),
        memoryPeak,
        window: { from: instant(Date.now() - 7 * 86_400_000), to: instant(Date.now()) },
        confidence: ratio(0.9),
      },
    ],
  ]),
  nodes: [
    {
      name: 'gpu-1',
      rules: { labels: {}, taints: [] },
      left: { cpuMilli: Infinity, memory: Infinity },
      instances: Array.from({ length: free }, (_, order) => ({
        partition: `${namespace}/gi-${order}`,
        profile: '1g.20gb',
        resource: MIG,
        model: 'H100-80GB-HBM3',
        memory: mib(20_096),
        share: ratio(1 / 7),
      })),
    },
  ],
  quotas: [],
})

/** Resolves when pods are judged by it, which the thread hears a moment later. */
async function show(next: AdmissionView): Promise<void> {
  view = new AdmissionPacker().pack(next)
  const words = `at most ${((next.sizes.values().next().value?.memoryPeak ?? 0) / 1024).toFixed(1)} GiB`
  await eventually(async () => expect(await warningsOfDryRun()).toContainEqual(expect.stringContaining(words)))
}
const warningsOfDryRun = async () => responseOf(await post('warn', { dryRun: true })).warnings
const eventually = <Value>(look: () => Promise<Value>): Promise<Value> => vi.waitFor(look, { timeout: 30_000 })

const pathOf = (mode: string, cluster = 'lab') => `${admission.setup(cluster).path}/${mode}`
const ask = (path: string, body?: string | Buffer) =>
  askWebhook({ port: admission.port, ca: admission.setup('lab').caBundle ?? '' }, path, body)
const post = (mode: string, request: object = {}) =>
  ask(pathOf(mode), JSON.stringify(reviewOf({ request: { namespace, ...request } })))
const written = () => store.admissions.list({ cluster: 'lab', namespaces: [namespace], limit: 10 })
const responseOf = ({ text }: Asked) => JSON.parse(text).response

async function allow(mode: 'auto' | 'observe', resumedAt: object = {}): Promise<void> {
  const policy = {
    ...DEFAULT_ACT_POLICY,
    modes: { ...DEFAULT_ACT_POLICY.modes, 'right-size': mode },
    auto: {
      ...DEFAULT_ACT_POLICY.auto,
      classes: ['right-size'],
      budget: { hour: unlimited, day: unlimited },
      resumedAt,
    },
    limits: { run: unlimited, hour: unlimited, day: unlimited },
  }
  await store.settings.put('act-policy/lab', { policy, changedAt: 1, changedBy: 'ada@example.com' })
}
const unlimited = { pods: null, nodes: null, gpus: null, usdPerHour: null }
const isChanged = async () => responseOf(await post('mutate', { dryRun: true })).patch !== undefined
const allowChanges = async (resumedAt: object = {}) => {
  await allow('auto', resumedAt)
  await vi.waitFor(async () => expect(await isChanged()).toBe(true), { timeout: 10_000 })
}

test('a pod is warned of over TLS, by the name and the CA of the webhook configuration', async () => {
  const asked = await post('warn')
  expect(asked.status).toBe(200)
  expect(JSON.parse(asked.text)).toEqual({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      allowed: true,
      warnings: [
        `In the last 7 days this work used at most 8.0 GiB of GPU memory: ${MIG}: 1 is enough and would start now.`,
      ],
    },
  })
})

test('a pod is changed where that is allowed, until somebody stops it, and what was done is on record', async () => {
  await allowChanges()
  const response = responseOf(await post('mutate'))
  expect(response).toMatchObject({
    allowed: true,
    patchType: 'JSONPatch',
    warnings: [expect.stringContaining('Septet changed')],
  })
  const patch = JSON.parse(Buffer.from(response.patch, 'base64').toString())
  expect(patch).toEqual([
    { op: 'add', path: '/spec/containers/0/resources/limits', value: { [MIG]: '1' } },
    { op: 'add', path: '/spec/containers/0/resources/requests', value: { cpu: '2', [MIG]: '1' } },
    { op: 'add', path: '/metadata/annotations', value: { 'septet.io/admission-changed': expect.any(String) } },
  ])
  await store.actions.stop({ cluster: undefined, at: instant(Date.now()), by: 'ada', because: 'incident 42' })
  await vi.waitFor(async () => expect(await isChanged()).toBe(false), { timeout: 10_000 })
  await vi.waitFor(async () => expect(await written()).toHaveLength(1), 10_000)
  const workload = `${namespace}/Deployment/chat`
  expect(await written()).toMatchObject([{ namespace, pod: 'chat-7d9f4c-', workload, kind: 'changed', suggested: MIG }])
  await store.actions.resume(undefined)
  await allow('observe')
})

const AFTER_THE_HALT = { 'right-size': new Date(transition(9, 'kept').at).toISOString() }

test('no pod is changed while right-sizing is halted, until a person lets it go on', async () => {
  await allowChanges()
  await store.actions.propose(actionRun('broke', { cluster: 'lab' }))
  const states = ['approved', 'checked', 'rehearsed', 'applying', 'reverting', 'reverted'] as const
  for (const [index, state] of states.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await store.actions.advance('broke', transition(index + 2, state))
  }
  const { warnings } = await vi.waitFor(
    async () => {
      const response = responseOf(await post('mutate', { dryRun: true }))
      expect(response.patch).toBeUndefined()
      return response
    },
    { timeout: 10_000 },
  )
  expect(warnings).toContainEqual(expect.stringMatching(/is halted since 2026-11-23 .*It is reverting\./u))
  await allow('auto', AFTER_THE_HALT)
  await vi.waitFor(async () => expect(await isChanged()).toBe(true), { timeout: 10_000 })
})

test('a dry run says the same, gives nothing away and leaves no trace', async () => {
  await allowChanges(AFTER_THE_HALT)
  await show(known({ free: 1, memoryPeak: 4096 }))
  const dry = () => post('mutate', { dryRun: true })
  expect(responseOf(await dry()).patch).toBeDefined()
  expect(responseOf(await dry()).patch).toBeDefined()
  expect(responseOf(await post('mutate')).patch).toBeDefined()
  // The only instance is promised now, and no reading shows it yet.
  expect(responseOf(await post('mutate')).patch).toBeUndefined()
  await vi.waitFor(async () => expect(await written()).toHaveLength(2), 10_000)
})

describe('every pod is allowed, and untouched,', () => {
  const untouched = { uid: '705ab4f5-6393-11e8-b7cc-42010a800002', allowed: true }
  test('when nothing is known of the cluster', async () => {
    view = undefined
    await eventually(async () => expect(responseOf(await post('mutate'))).toEqual(untouched))
  })
  test('when no such cluster is watched any more', async () => {
    expect(responseOf(await ask(pathOf('mutate', 'gone'), JSON.stringify(reviewOf())))).toEqual(untouched)
  })
  test('when judging it fails', async () => {
    view = { bytes: Uint8Array.of(1, 2, 3) }
    await eventually(async () => expect(responseOf(await post('mutate'))).toEqual(untouched))
    await vi.waitFor(() => expect(lines).toContain('error a new pod could not be judged, so it stays as it is'), 60_000)
  })
  test('when the question is about something else', async () => {
    expect(responseOf(await post('mutate', { operation: 'UPDATE' }))).toEqual(untouched)
  })
})

describe('what is not a review is refused in words', () => {
  test('10 MB are not read, and the next question is answered', async () => {
    const large = JSON.stringify({ ...reviewOf(), padding: 'x'.repeat(10_000_000) })
    const asked = await ask(pathOf('mutate'), large)
    expect(asked).toMatchObject({ status: 413, text: expect.stringContaining('larger than 4 MiB') })
    await vi.waitFor(() => expect(lines).toEqual(['warn an admission review was too large and was not read']), 60_000)
    expect((await post('warn')).status).toBe(200)
  })
  test.each([
    ['nothing', ''],
    ['half of something', '{'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['another kind', JSON.stringify({ ...reviewOf(), kind: 'Pod' })],
  ])('%s', async (_, body) => {
    expect(await ask(pathOf('warn'), body)).toMatchObject({
      status: 400,
      text: expect.stringContaining('no AdmissionReview'),
    })
  })
  test('whoever has not the address of the cluster is told nothing', async () => {
    const [, , , token = ''] = pathOf('warn').split('/')
    const wrong = [
      pathOf('warn').replace(token, '0'.repeat(64)),
      `/admission/other/${token}/warn`,
      '/',
      '/admission/%E0%A4%A/00/warn',
    ]
    for (const path of wrong) expect((await ask(path, JSON.stringify(reviewOf()))).status).toBe(404)
  })
})

test('a probe is answered', async () => {
  expect(await ask('/healthz')).toMatchObject({ status: 200, text: 'ok' })
})

test('the manifest has this cluster’s address and CA, and lets pods pass when nobody answers', () => {
  const { manifest, path, caBundle = '' } = admission.setup('lab')
  expect(manifest).not.toMatch(/CA_BUNDLE$|path: PATH/mu)
  expect(manifest.match(new RegExp(`path: ${path}/`, 'gu'))).toHaveLength(2)
  expect(manifest).toContain(`caBundle: ${Buffer.from(caBundle).toString('base64')}`)
  expect(manifest.match(/failurePolicy: Ignore/gu)).toHaveLength(4)
})

test('a thread that dies is started again at the same address, is told of, and takes no answer with it', async () => {
  await allowChanges(AFTER_THE_HALT)
  const { port } = admission
  expect(admission.interruption()).toBeUndefined()
  for (let count = 0; count < 5; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- what was acknowledged last must be on record too
    expect(responseOf(await post('mutate')).patch).toBeDefined()
  }
  const dying = thread
  dying.kill()
  await vi.waitFor(() => expect(admission.interruption()).toMatchObject({ until: undefined }), 30_000)
  await expect(post('warn')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/u)
  await vi.waitFor(() => expect(admission.interruption()?.until).toBeGreaterThan(0), 30_000)
  expect(thread).not.toBe(dying)
  expect(admission.interruption()).toMatchObject({ because: expect.stringMatching(/\S/u) })
  expect(lines).toContainEqual(expect.stringContaining('thread that answers about new pods died'))
  expect(admission.port).toBe(port)
  // It knows the cluster, its address, and what is allowed, as the one before did.
  expect(await isChanged()).toBe(true)
  await vi.waitFor(async () => expect(await written()).toHaveLength(5), 30_000)
  expect(admission.unrecorded('lab')).toBe(0)
})

test('addresses that were given out before the thread was one still count', () => {
  expect(admission.setup('lab').path).toBe(`/admission/lab/${secrets.keyedHash('admission', 'lab')}`)
})
