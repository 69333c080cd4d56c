import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { examineOnce } from '../connect-doctor.ts'
import { runDoctor } from './run-doctor.ts'
import { childEnvironment } from '../../../../test/child-environment.ts'
import { callApi } from '../../../../test/demo-api.ts'

const MAIN = path.resolve(import.meta.dirname, '../main.ts')
const Answer = z.object({
  findings: z.array(
    z.object({
      area: z.string(),
      state: z.enum(['ok', 'warn', 'fail']),
      said: z.string(),
      todo: z.string().optional(),
    }),
  ),
})
type Diagnosis = { readonly code: number; readonly text: string }

let folder = ''
let demo: DemoCluster
const servers: Server[] = []

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'septet-doctor-'))
  demo = await startDemoCluster({
    seed: 7,
    scale: 'small',
    dataDir: folder,
    turnMs: 100,
    forbidden: ['poddisruptionbudgets', 'events'],
  })
})
afterAll(async () => {
  for (const server of servers) server.close()
  await demo.close()
  rmSync(folder, { recursive: true })
})

const linesOf = (out: string): string =>
  Answer.parse(JSON.parse(out))
    .findings.map(({ state, area, said, todo = '' }) => `${state} ${area}: ${said} ${todo}`)
    .join('\n')

/** What `septet doctor` says, one line a finding: its state, its area, what was found. */
async function doctor(args: readonly string[], token = ''): Promise<Diagnosis> {
  const { text, failed } = await runDoctor(['--json', ...args], {
    environment: { XDG_CONFIG_HOME: folder, SEPTET_TOKEN: token },
    now: Date.now,
    version: '0.1.0',
    examine: examineOnce,
    width: undefined,
    colors: false,
  })
  return { code: failed ? 1 : 0, text: linesOf(text) }
}

/** The same from the command line. */
function doctorProcess(args: readonly string[]): Promise<Diagnosis> {
  const { promise, resolve } = Promise.withResolvers<Diagnosis>()
  const env = { ...childEnvironment(), XDG_CONFIG_HOME: folder }
  execFile(process.execPath, [MAIN, 'doctor', '--json', ...args], { env }, (error, out) => {
    resolve({ code: error === null ? 0 : Number(error.code), text: linesOf(out) })
  })
  return promise
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const patchNode = (name: string, labels: Readonly<Record<string, string>>) =>
  callApi(demo.kubeconfigPath, {
    method: 'PATCH',
    path: `/api/v1/nodes/${name}`,
    type: 'application/merge-patch+json',
    body: { metadata: { labels } },
  })

async function saidOfActor(): Promise<string> {
  const { text } = await doctor(['--kubeconfig', demo.kubeconfigPath])
  return /^.* actor policy: .*$/mu.exec(text)?.[0] ?? ''
}
const toPolicy = (method: string, plural: string, body?: object) =>
  callApi(demo.kubeconfigPath, {
    method,
    path: `/apis/admissionregistration.k8s.io/v1/validatingadmission${plural}/septet-actor`,
    ...(body === undefined ? {} : { body, type: 'application/merge-patch+json' }),
  })

function changedKubeconfig(name: string, change: (text: string) => string): string {
  const file = path.join(folder, name)
  writeFileSync(file, change(readFileSync(demo.kubeconfigPath, 'utf8')))
  return file
}

/** What an exporter tells of one GPU. */
const lines = (node: string, util: number): string =>
  `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA H200",Hostname="${node}"} ${util}\n`

async function migState(node: string): Promise<string | undefined> {
  const { body } = await callApi(demo.kubeconfigPath, { method: 'GET', path: `/api/v1/nodes/${node}` })
  const labels = z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }) }).parse(body)
    .metadata.labels
  return labels['nvidia.com/mig.config.state']
}

/** Answers by path; what is left out is not found. */
const septet = (answers: Readonly<Record<string, unknown>>): Promise<string> =>
  serve((request, response) => {
    const answer = answers[request.url ?? '']
    response.setHeader('date', new Date(Date.now() + 120_000).toUTCString())
    response.statusCode = answer === undefined ? 404 : answer === 'refused' ? 401 : 200
    response.end(JSON.stringify(answer ?? {}))
  })

const unreachable = 'http://127.0.0.1:1'

describe('a cluster', () => {
  test('faults of permissions, nodes, MIG, prices and exporters are each named', async () => {
    // Its exporter does not answer, so that its label alone says what it is.
    await patchNode('gpu-t4-10', { 'nvidia.com/gpu.product': 'Some-Board' })
    await patchNode('gpu-t4-06', { 'nvidia.com/gpu.count': '99' })
    demo.faults.add({ kind: 'withheld-device', node: 'gpu-h200-01' })
    demo.faults.add({ kind: 'mig-stuck-pending', node: 'gpu-a100-03' })
    await patchNode('gpu-a100-03', { 'nvidia.com/mig.config': 'all-balanced' })
    await expect.poll(() => migState('gpu-a100-03')).toBe('pending')
    const { code, text } = await doctor(['--kubeconfig', demo.kubeconfigPath, '--prometheus', demo.prometheusUrl])
    expect(code).toBe(1)
    expect(text).toMatch(/warn permissions: poddisruptionbudgets\.policy: .* missing: .*deploy\/reader-clusterrole/u)
    expect(text).toMatch(/warn permissions: events: .* missing: /u)
    expect(text).toMatch(/warn prices: Some-Board has no price/u)
    expect(text).toMatch(/warn GPU Operator: gpu-t4-06: labels count 99 of nvidia\.com\/gpu/u)
    expect(text).toMatch(/warn GPU Operator: gpu-h200-01: the kubelet offers 7 of 8/u)
    expect(text).toMatch(/warn GPU Operator: gpu-a100-03: mig-manager is changing to "all-balanced" \(pending\)/u)
    expect(text).toMatch(/fail GPU Operator: gpu-a30-03: the MIG configuration .* could not be applied/u)
    expect(text).toMatch(/warn nodes: gpu-l40s-06 is not ready/u)
    expect(text).toMatch(/warn dcgm-exporter: Node gpu-t4-10: No exporter reports GPUs of this node/u)
    expect(text).toMatch(/warn dcgm-exporter: .*the exporter does not tell their pods apart/u)
    expect(text).toMatch(/warn dcgm-exporter: .*MIG devices are not exported/u)
    expect(text).toMatch(/ok Kueue: Installed/u)
    expect(text).toMatch(/ok API server: .*\nok certificate: /u)
  })

  test('what bounds the token of who acts: as it is shipped, otherwise, without its binding, and not at all', async () => {
    expect(await saidOfActor()).toMatch(/^ok actor policy: The API server refuses the actor’s token everything but/u)
    await toPolicy('PATCH', 'policybindings', { spec: { validationActions: ['Warn'] } })
    expect(await saidOfActor()).toMatch(
      /^warn .*its binding does not put it in force: anyone who steals .* root on every node/u,
    )
    await toPolicy('PATCH', 'policies', { spec: { failurePolicy: 'Ignore', validations: [{ expression: 'true' }] } })
    expect(await saidOfActor()).toMatch(
      /^warn .*is not the one of this version \(failurePolicy and validations\): anyone/u,
    )
    await toPolicy('DELETE', 'policies')
    expect(await saidOfActor()).toMatch(
      /^warn .*is not in this cluster: .*Apply deploy\/actor-policy\.yaml of this version/u,
    )
  })

  test('an exporter without profiling and pods, two that contradict, and one of another cluster', async () => {
    const one = await serve((_, response) => response.end(lines('gpu-h200-01', 10)))
    const other = await serve((_, response) => response.end(lines('gpu-h200-01', 90)))
    const twice = await doctor([
      '--kubeconfig',
      demo.kubeconfigPath,
      '--exporter',
      `${one}/m`,
      '--exporter',
      `${other}/m`,
    ])
    expect(twice.text).toMatch(
      /warn dcgm-exporter: .*both report GPU-1 on node gpu-h200-01 .*Keep one exporter per node/u,
    )
    expect(twice.text).toMatch(/warn metric names: .*The profiling metrics are missing/u)
    expect(twice.text).toMatch(/warn dcgm-exporter: No sample names a pod/u)
    const foreign = await serve((_, response) => response.end(lines('elsewhere-1', 10)))
    const away = await doctor(['--kubeconfig', demo.kubeconfigPath, '--exporter', `${foreign}/m`])
    expect(away.text).toMatch(/fail metric nodes: No node of this cluster is among those that are measured/u)
  })

  test.each<readonly [string, RegExp, RequestListener]>([
    [
      'asks for a sign-in',
      /fail metrics: .*asks for a sign-in \(401\)/u,
      (_, response) => void response.writeHead(401).end(),
    ],
    [
      'is something else',
      /fail metrics: .*something that is not Prometheus/u,
      (_, response) => void response.end('<h1>hello</h1>'),
    ],
    [
      'knows no GPU',
      /fail metrics: .*has no series of dcgm-exporter/u,
      (_, response) => void response.end('{"status":"success","data":{"resultType":"vector","result":[]}}'),
    ],
  ])('a metrics engine that %s', async (_, words, answer) => {
    const { code, text } = await doctor(['--kubeconfig', demo.kubeconfigPath, '--prometheus', await serve(answer)])
    expect([code, text]).toEqual([1, expect.stringMatching(words)])
  })

  test('a metrics engine that scrapes rarely, and whose clock is off', async () => {
    const url = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams.get('query') ?? ''
      const isCount = query.startsWith('count_over_time')
      const metric = { __name__: 'DCGM_FI_DEV_GPU_UTIL', gpu: '0', UUID: 'GPU-1', Hostname: 'gpu-h200-01' }
      const result =
        isCount || query.includes('GPU_UTIL') ? [{ metric, value: [Date.now() / 1000, isCount ? '2' : '50'] }] : []
      response.setHeader('date', new Date(Date.now() - 600_000).toUTCString())
      response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }))
    })
    const { text } = await doctor(['--kubeconfig', demo.kubeconfigPath, '--prometheus', url])
    expect(text).toMatch(/warn Prometheus: It samples each GPU every 300 s/u)
    expect(text).toMatch(/warn Prometheus: The clock of the metrics engine is 10 min behind/u)
  })

  test('no way to the metrics, or none named', async () => {
    const away = await doctor(['--kubeconfig', demo.kubeconfigPath, '--prometheus', unreachable])
    expect(away.text).toMatch(/fail metrics: http:\/\/127\.0\.0\.1:1/u)
    const none = await doctor(['--kubeconfig', demo.kubeconfigPath])
    expect(none.text).toMatch(/warn metrics: No metrics source is configured/u)
  })

  test.each<readonly [string, RegExp, (text: string) => string]>([
    ['is none', /fail kubeconfig: /u, () => 'nonsense'],
    [
      'names a server that is not there',
      /fail API server: .*refused/u,
      (text) => text.replaceAll(/https:\/\/127\.0\.0\.1:\d+/gu, 'https://127.0.0.1:1'),
    ],
    ['holds a token that is not taken', /fail sign-in: .*401/u, (text) => text.replace(/token: .*/u, 'token: another')],
    ['lacks the authority', /fail certificate: /u, (text) => text.replace(/ *certificate-authority-data: .*\n/u, '')],
  ])('a kubeconfig that %s', async (name, words, change) => {
    const file = changedKubeconfig(`${name.replaceAll(' ', '-')}.yaml`, change)
    const { code, text } = await doctor(['--kubeconfig', file])
    expect([code, text]).toEqual([1, expect.stringMatching(words)])
  })
})

describe('a Septet that runs', () => {
  const about = {
    version: '9.9.9',
    node: null,
    platform: null,
    startedAt: null,
    database: null,
    dataDirBytes: null,
    memoryBytes: null,
  }
  const me = {
    kind: 'token',
    name: 'token:cli',
    role: 'viewer',
    namespaces: null,
    clusters: null,
    mode: 'embedded',
    session: null,
    secondFactor: null,
    expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  }
  const lost = {
    id: 'a',
    name: 'a',
    kind: 'cluster',
    state: 'disconnected',
    lastContact: null,
    asOf: null,
    serverVersion: null,
    nodes: null,
    gpus: null,
    history: null,
    problems: [{ code: 'unreachable', message: 'The API server is not responding.', object: 'cluster' }],
  }
  test('another version, a clock, a token that ends, a database and a cluster that are away are each named', async () => {
    const url = await septet({
      '/healthz': {},
      '/api/v1/about': about,
      '/api/v1/me': me,
      '/readyz': { checks: { database: 'is not responding.' } },
      '/api/v1/clusters': { clusters: [lost] },
    })
    const { code, text } = await doctor(['--server', url], 'spt_1')
    expect(code).toBe(1)
    expect(text).toMatch(/warn version: The server runs 9\.9\.9 and this command line is 0\.1\.0/u)
    expect(text).toMatch(/warn clock: The clock of the server is (1|2) min .*ahead/u)
    expect(text).toMatch(/warn token: It ends in 2 d 23 h/u)
    expect(text).toMatch(/fail database: The database is not responding/u)
    expect(text).toMatch(/fail cluster a: It is disconnected: .*The API server is not responding/u)
  })

  test('nobody there, somebody else, a token that is not taken, and none', async () => {
    const gone = await doctorProcess(['--server', unreachable])
    expect([gone.code, gone.text]).toEqual([1, expect.stringMatching(/fail server: .* Check the address/u)])
    const other = await serve((_, response) => response.end('<h1>hello</h1>'))
    expect((await doctor(['--server', other])).text).toMatch(/fail server: .*/u)
    const refusing = await septet({ '/healthz': {}, '/api/v1/about': about, '/api/v1/me': 'refused' })
    expect((await doctor(['--server', refusing], 'spt_old')).text).toMatch(/fail token: The server rejects the token/u)
    const visited = { ...me, kind: 'visitor', name: 'visitor' }
    const open = await septet({
      '/healthz': {},
      '/api/v1/about': about,
      '/api/v1/me': visited,
      '/readyz': { checks: { database: 'ok' } },
      '/api/v1/clusters': { clusters: [] },
    })
    const { code, text } = await doctorProcess(['--server', open])
    expect(code).toBe(0)
    expect(text).toMatch(/warn token: You are not signed in[\s\S]*warn clusters: No cluster is connected/u)
  })
})
