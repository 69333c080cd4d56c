import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

import { OPERATIONS } from '@septet/contract'

import { newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../test/server-process.ts'
import type { Benchmark, Figure } from './benchmark.ts'
import { LARGE_DEMO, LARGE_DEMO_CLUSTER } from './large-demo.ts'
import { machineLoad } from './machine-load.ts'
import { mainThreadSecondsOf, threadSecondsOf } from './process-memory.ts'
import { quantile } from './quantile.ts'
import { steadily } from './steadily.ts'

const PER_SECOND = 200
const STRETCH_SECONDS = 5
/** Each kind of question is asked so many times over, in turn: what drifts falls on all. */
const ROUNDS = 6
/** As the large demo cluster is called. */
const PORT = 19_443
const READY_WITHIN_MS = 300_000

/** How long an API server waits for an answer about a new pod. */
export const benchmark: Benchmark = {
  name: 'admission-load',
  description: `AdmissionReviews over TLS on persistent connections, ${PER_SECOND} a second, to a Septet that also watches a demo cluster of 1,250 nodes and 10,000 GPUs; each timed from when it was due. For comparison: GET /healthz on the same listener, which decides nothing.`,
  onDemand: true,
  run: async () => {
    const load = machineLoad()
    const dataDir = await newDataDir()
    const septet = await startSeptet({ dataDir, environment: ENVIRONMENT })
    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    try {
      const webhook = await ready(septet, agent)
      const kinds: Record<Kind, (turn: number) => Promise<boolean>> = {
        'nothing to decide': () => webhook.ask('GET', '/healthz').then(({ status }) => status === 200),
        'a warning, and its row': (turn) => webhook.isTold('warn', turn, false),
        'a patch, as a dry run': (turn) => webhook.isTold('mutate', turn, true),
      }
      await webhook.allow()
      for (const ask of Object.values(kinds)) await steadily(PER_SECOND, 1, ask)
      const measured = new Map<string, Measured>()
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [kind, ask] of Object.entries(kinds)) {
          const before = await secondsOf(septet.pid)
          const times = await steadily(PER_SECOND, STRETCH_SECONDS, ask)
          const after = await secondsOf(septet.pid)
          const known = measured.get(kind) ?? { times: [], thread: 0, main: 0 }
          measured.set(kind, {
            times: [...known.times, ...times],
            thread: known.thread + after.thread - before.thread,
            main: known.main + after.main - before.main,
          })
        }
      }
      return [load, ...figures(measured)]
    } finally {
      agent.destroy()
      await septet.stop()
      await removeDataDir(dataDir)
    }
  },
}

type Measured = {
  readonly times: readonly (number | undefined)[]
  /** Seconds that the thread that answers computed meanwhile, and the main thread, which writes the rows among all else. */
  readonly thread: number
  readonly main: number
}
const secondsOf = async (pid: number): Promise<Omit<Measured, 'times'>> => ({
  thread: await threadSecondsOf(pid, 'admission'),
  main: await mainThreadSecondsOf(pid),
})
type Kind = 'nothing to decide' | 'a warning, and its row' | 'a patch, as a dry run'
const BASELINE: Kind = 'nothing to decide'

const ENVIRONMENT = {
  ...LARGE_DEMO,
  SEPTET_HISTORY_DAYS: '8',
  SEPTET_ADMISSION_PORT: String(PORT),
  SEPTET_ADMISSION_NAMES: '127.0.0.1',
}

function figures(measured: ReadonlyMap<string, Measured>): Figure[] {
  const answered = (kind: string): number[] => (measured.get(kind)?.times ?? []).filter((time) => time !== undefined)
  /** On a busy machine a question waits for others; what it costs is the same. */
  const costOf = (kind: string, where: 'thread' | 'main'): number => {
    const { [where]: seconds = 0, times = [] } = measured.get(kind) ?? {}
    return (1000 * seconds) / times.length
  }
  const decided = [...measured.keys()].filter((kind) => kind !== BASELINE)
  const lost = [...measured].reduce((sum, [kind, { times }]) => sum + times.length - answered(kind).length, 0)
  return [
    ...decided.map((kind): Figure => ({
      name: `${kind}: processor time of the thread that answers`,
      figure: costOf(kind, 'thread'),
      unit: 'ms a question',
      baseline: { name: BASELINE, figure: costOf(BASELINE, 'thread') },
      aim: `≤ ${1000 / PER_SECOND} ms, or ${PER_SECOND} a second cannot be answered`,
    })),
    ...decided.map((kind): Figure => ({
      name: `${kind}: processor time of the main thread meanwhile`,
      figure: costOf(kind, 'main'),
      unit: 'ms a question',
      baseline: { name: BASELINE, figure: costOf(BASELINE, 'main') },
    })),
    ...decided.flatMap((kind) =>
      [0.5, 0.99].map((share): Figure => ({
        name: `${kind}, p${share * 100}`,
        figure: quantile(answered(kind), share),
        unit: 'ms',
        baseline: { name: BASELINE, figure: quantile(answered(BASELINE), share) },
        ...(share === 0.99 ? { aim: '≤ 25 ms' } : {}),
        note: `${answered(kind).length} answers`,
      })),
    ),
    { name: 'questions without the answer that was due', figure: lost, unit: 'requests', aim: '0' },
  ]
}

type Answer = { readonly status: number; readonly text: string }

type Webhook = {
  ask(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer>
  /** Whether a pod is told of a size that would start now, or given it. */
  isTold(mode: 'warn' | 'mutate', turn: number, dryRun: boolean): Promise<boolean>
  /** Lets Septet change pods; resolves once it does. */
  allow(): Promise<void>
}

/** Resolves when the fleet was read, so that there is something to decide by. */
async function ready(septet: SeptetProcess, agent: Agent): Promise<Webhook> {
  const headers = await signIn(septet)
  const api = async (path: string, method = 'GET', body?: object): Promise<unknown> => {
    const sent = { method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } }
    const answer = await fetch(`${septet.url}/api/v1/${path}`, { ...sent, ...(body && { body: JSON.stringify(body) }) })
    return answer.json()
  }
  const known = async () =>
    OPERATIONS.admissionSetup.output.safeParse(await api(`admission/setup?cluster=${LARGE_DEMO_CLUSTER}`)).data
  await until(async () => (await known())?.path !== undefined)
  const { path: address = '', caBundle } = (await known()) ?? {}
  const ca = caBundle ?? ''
  const ask: Webhook['ask'] = (method, path, body) => asked({ method, path, ca, agent }, body)
  const isTold: Webhook['isTold'] = async (mode, turn, dryRun) => {
    const { status, text } = await ask('POST', `${address}/${mode}`, reviewText(turn, dryRun))
    return status === 200 && text.includes(mode === 'warn' ? 'would start now' : 'JSONPatch')
  }
  await until(() => isTold('warn', 0, true))
  return {
    ask,
    isTold,
    async allow() {
      const { policy } = OPERATIONS.actPoliciesGet.output.parse(await api(`act-policy?cluster=${LARGE_DEMO_CLUSTER}`))
      const modes = { ...policy.modes, 'right-size': 'auto' }
      const auto = { ...policy.auto, classes: ['right-size'] }
      await api('act-policy', 'PUT', { cluster: LARGE_DEMO_CLUSTER, policy: { ...policy, modes, auto } })
      await until(() => isTold('mutate', 0, true))
    },
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > READY_WITHIN_MS)
      throw new Error('no pod was told of a size, so nothing was measured')
    await sleep(500)
  }
}

type Asking = { readonly method: string; readonly path: string; readonly ca: string; readonly agent: Agent }

function asked({ method, path, ca, agent }: Asking, body = ''): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const sent = request({ host: '127.0.0.1', port: PORT, path, method, ca, agent, headers }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

/** A pod of a Deployment, with what a service usually carries, that would do with 8 GiB of a GPU. */
function reviewText(turn: number, dryRun: boolean): string {
  const env = Array.from({ length: 20 }, (_, order) => ({ name: `SETTING_${order}`, value: `value of ${order}` }))
  const resources = { limits: { 'nvidia.com/gpu': '1', memory: '1Gi' }, requests: { 'nvidia.com/gpu': '1', cpu: '1' } }
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: `bench-${turn}`,
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      namespace: 'bench',
      operation: 'CREATE',
      dryRun,
      object: {
        metadata: {
          generateName: `service-${turn % 50}-5d8c7b-`,
          labels: { app: `service-${turn % 50}`, 'pod-template-hash': '5d8c7b' },
          annotations: { 'septet.io/gpu-memory': '8Gi' },
          ownerReferences: [
            {
              apiVersion: 'apps/v1',
              kind: 'ReplicaSet',
              name: `service-${turn % 50}-5d8c7b`,
              uid: 'u',
              controller: true,
            },
          ],
        },
        spec: {
          containers: [{ name: 'main', image: 'service:1', env, resources }],
          tolerations: [{ operator: 'Exists' }],
        },
      },
    },
  })
}
