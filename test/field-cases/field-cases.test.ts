import { readdirSync, readFileSync } from 'node:fs'

import { keptKubeconfig, readManifest } from '@septet/connectors'
import {
  boardFor,
  checkStart,
  csvRecords,
  DEFAULT_ALERT_RULES,
  instant,
  judgeWaits,
  observe,
  readBill,
  unsoundGpu,
  unsoundNode,
  waitCause,
  type ClusterSnapshot,
  type Plan,
  type Problem,
} from '@septet/domain'
import { answerFixed } from '@septet/copilot'
import { draw, everyPlan, proposedPlans, touchedBy } from '@septet/domain/testing'
import type { Ask } from '@septet/tools'
import { afterEach, describe, expect, test } from 'vitest'

import { fieldCases } from '../system-tools.ts'
import { isAsked, openCase, READING, type OpenCase } from './open-case.ts'

const cases = fieldCases()
const folders = cases === undefined ? [] : readdirSync(cases).filter((name) => /^\d/u.test(name))
const NOW = instant(Date.parse('2026-11-28T14:20:00Z'))

const opened: OpenCase[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

/** The case of a number, read once. */
async function read(number: string): Promise<OpenCase> {
  const folder = folders.find((name) => name.startsWith(`${number}-`))
  const found = await openCase(new URL(`${folder}/`, cases))
  opened.push(found)
  await found.read(NOW)
  return found
}

/** Every plan that could be made leaves the GPU alone; and the reason is said where somebody asks for that very GPU. */
function leavesAlone({ snapshot }: OpenCase, index: number): void {
  const gpu = snapshot().nodes[0]?.gpus[index]?.id ?? ''
  const plans = everyPlan(snapshot())
  expect(
    plans.filter((plan) => touchedBy(plan, snapshot()).has(gpu)).map(({ title, steps }) => [title, steps]),
  ).toEqual([])
  expect(plans.flatMap(({ refused }) => refused.map(({ message }) => message)).join('\n')).toContain(
    'no pod is known to hold',
  )
}

/** Each GPU that the plans cut again, under the plan's title. */
const changed = (plans: readonly Plan[]) =>
  plans.flatMap(({ title, steps }) =>
    steps.flatMap(({ action }) => (action.kind === 'repartition' ? action.gpus : []).map((gpu) => ({ title, ...gpu }))),
  )

/** Who holds which device, and how that is known. */
const holdings = ({ snapshot }: OpenCase): readonly string[] =>
  snapshot().allocations.map(({ pod, partition, evidence }) => `${pod} ${partition} ${evidence}`)

/** How much of a GPU each pod has, and how busy that is or why that is not known, from usage as it is stored. */
async function usage(found: OpenCase): Promise<Readonly<Record<string, readonly [share: number, said: unknown]>>> {
  for (const second of [60, 120]) await found.read(instant(NOW + second * 1000))
  await found.flush(instant(NOW + 120_000))
  const held = found.rows().filter(({ kind }) => kind === 'held')
  return Object.fromEntries(
    held.map(({ pod, share, busy, reason }) => [
      pod,
      [share, busy === undefined ? reason : Number(busy.toFixed(6))] as const,
    ]),
  )
}

/** Of each workload that waits: the sentence, its cause in the ledger of waiting, and the change that would start it. */
function waits({
  snapshot,
}: OpenCase): Readonly<Record<string, readonly [said: string, cause: string, change: string]>> {
  const judge = judgeWaits(snapshot(), new Set())
  const pods = new Map(snapshot().pods.map((pod) => [pod.workload, pod]))
  return Object.fromEntries(
    snapshot().workloads.flatMap((workload) => {
      const { name, waiting } = workload
      const { cause, change } = judge(pods.get(workload.id), workload)
      return waiting === undefined ? [] : [[name, [waitCause(waiting), cause, change?.sentence ?? '']] as const]
    }),
  )
}

const textIn = (number: string, file: string): string =>
  readFileSync(new URL(`${folders.find((name) => name.startsWith(`${number}-`))}/${file}`, cases), 'utf8')

const bill = (number: string, file: string) => readBill([csvRecords([textIn(number, file)])])

/** What is said of each manifest of a case, by its name, where it would be submitted to that cluster. */
function checked(number: string, snapshot: ClusterSnapshot): Readonly<Record<string, string>> {
  const folder = new URL(`${folders.find((name) => name.startsWith(`${number}-`))}/`, cases)
  const said = readdirSync(folder)
    .filter(isAsked)
    .map((file) => {
      const reading = readManifest(readFileSync(new URL(file, folder), 'utf8'), 'ml')
      const name = file.replace(/^ask-|\.[a-z]+$/gu, '')
      if (reading.kind === 'refused') return [name, `refused: ${reading.because} ${reading.todo}`] as const
      const answers = checkStart(snapshot, reading.jobs).map(({ verdict, pods, gang, sentence, because }) =>
        [`${verdict} of ${pods}${gang ? ', together' : ''}: ${sentence}`, ...because].join(' '),
      )
      return [name, answers.join('\n')] as const
    })
  return Object.fromEntries(said)
}

const runs = (program: string) => expect.stringContaining(`which would run the program "${program}" on the server`)

/** What the co-pilot answers without a model, of a cluster with these problems. */
const answered = (question: string, problems: readonly Problem[] = []) =>
  answerFixed(
    { question, cluster: undefined, zone: 'UTC', after: undefined },
    {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked for of a summary
      ask: (async () => ({
        status: { kind: 'degraded', headline: '', problems },
        cost: { hours: null },
        groups: [],
        found: [],
      })) as Ask,
      now: NOW,
      id: 'x',
    },
  )
const ANSWERED_WITHOUT_MODEL = [
  'Which GPUs can be cut into 1g.5gb?',
  'Which GPUs are held by pods that do not run?',
  'Which GPUs are used without a request?',
  'Where is a 1g.10gb free?',
]

const ONE_GPU = `
apiVersion: v1
kind: Pod
metadata: { name: one }
spec:
  containers:
    - name: main
      image: x
      resources: { limits: { nvidia.com/gpu: 1, cpu: 1, memory: 1Gi } }
`

const codes = (found: OpenCase): readonly string[] => found.problems().map(({ code }) => code)

/** What each case says is right, by its number. The others of the folder are not held against it yet. */
const RIGHT: Readonly<Record<string, () => Promise<void>>> = {
  '01': async () => {
    const found = await read('01')
    for (const name of ['b', 'c'])
      expect(waits(found)[name]).toEqual([
        'Its scheduler default-scheduler has not looked at it yet.',
        'not-tried',
        'See whether the scheduler default-scheduler runs: it has not looked at this pod.',
      ])
    const plans = everyPlan(found.snapshot())
    expect(plans.map(({ title }) => title).filter((title) => title.startsWith('Start'))).toEqual(
      expect.arrayContaining(['Start 2 waiting workloads']),
    )
    const names = new Set(changed(plans).flatMap(({ to }) => Object.keys(to.geometry)))
    expect([...names].toSorted()).toEqual(['1g.23gb', '2g.47gb', '3g.93gb'])
    const asked = readManifest(ONE_GPU.replace('nvidia.com/gpu', 'nvidia.com/mig-3g.95gb'), 'ml')
    const started = asked.kind === 'read' ? checkStart(found.snapshot(), asked.jobs) : []
    expect(started.map(({ verdict }) => verdict)).toEqual(['not-now'])
    expect(started.flatMap(({ because }) => because)).toContain(
      'GB200 has no 3g.95gb: ask for 3g.93gb (nvidia.com/mig-3g.93gb).',
    )
    expect(found.problems().find(({ code }) => code === 'mig-failed')?.message).toContain(
      'drivers spell 1g.24gb of this board 1g.23gb as well',
    )
  },
  '02': async () => {
    const found = await read('02')
    expect(found.snapshot().nodes.map(({ gpus }) => gpus.map(({ partitions }) => partitions.length))).toEqual([
      [7],
      [7],
    ])
    expect(await usage(found)).toEqual({ 'ml/s1': [1 / 7, 0.6], 'ml/m1': [1 / 7, 0.6] })
    expect(codes(found)).toEqual([])
  },
  '03': async () => {
    const found = await read('03')
    expect(codes(found)).toContain('stale-capacity')
    const asked = readManifest(ONE_GPU, 'ml')
    const started = asked.kind === 'read' ? checkStart(found.snapshot(), asked.jobs) : []
    expect(started.map(({ verdict }) => verdict)).toEqual(['unknown'])
    expect(started.flatMap(({ unknown }) => unknown).join(' ')).toContain('would be bound there and then fail')
  },
  '04': async () => {
    const found = await read('04')
    expect(await usage(found)).toEqual({ 'ml/t': [1 / 8, 'not-attributable'] })
  },
  '07': async () => {
    const found = await read('07')
    expect(await usage(found)).toEqual({ 'ml/p': [1, 0.4] })
  },
  '09': async () => {
    const found = await read('09')
    expect(found.snapshot().nodes[0]?.gpus.map(({ id }) => id)).toEqual(['GPU-k0', 'GPU-k1'])
    expect(holdings(found)).toEqual(['ai/svc GPU-k1 label'])
    expect(await usage(found)).toEqual({ 'ai/svc': [1, 0.77] })
    expect(
      found
        .problems()
        .map(({ message }) => message)
        .join('\n'),
    ).not.toMatch(/Node ,|: \.|on node {2}/u)
  },
  '10': async () => {
    const found = await read('10')
    expect(found.snapshot().nodes[0]?.gpus.map(({ model }) => model)).toEqual([
      'GeForce-RTX-3080',
      'GeForce-RTX-3090',
      'GeForce-RTX-4090',
    ])
    expect(
      found
        .problems()
        .map(({ message }) => message)
        .join('\n'),
    ).not.toMatch(/restart gpu-feature-discovery/iu)
  },
  '12': async () => {
    const found = await read('12')
    expect(await usage(found)).toEqual({
      'ml/p0': [1, 0.5],
      'ml/p1': [1, 'out-of-range'],
      'ml/p2': [1, 'out-of-range'],
      'ml/p3': [1, 'out-of-range'],
    })
  },
  '13': async () => {
    const found = await read('13')
    leavesAlone(found, 0)
    expect(found.problems().map(({ code, message }) => [code, message])).toContainEqual([
      'used-without-request',
      expect.stringMatching(/^Something uses GPU 0 of \S+ outside Kubernetes’ requests/u),
    ])
  },
  '14': async () => {
    const found = await read('14')
    const shares = Object.entries(await usage(found)).map(([pod, [share]]) => [pod, share] as const)
    expect(Object.fromEntries(shares)).toEqual({ 'ml/p0': 0.1, 'ml/p1': 0.1, 'ml/p2': 0.1 })
    expect(codes(found)).not.toContain('more-held-than-exists')
  },
  '16': async () => {
    const found = await read('16')
    expect(found.snapshot().nodes[0]?.gpus).toHaveLength(8)
    expect(holdings(found)).toEqual(['ml/p GPU-h3 label'])
  },
  '17': async () => {
    const found = await read('17')
    expect(holdings(found)).toEqual(['ml/mig GPU-9192/gi-3 claim', 'ml/core GPU-9193/replica-0 claim'])
    expect((await usage(found))['ml/mig']).toEqual([2 / 7, 0.2])
    expect(codes(found)).not.toContain('used-without-request')
  },
  '20': async () => {
    const found = await read('20')
    expect(found.snapshot().nodes.flatMap(({ problems }) => problems)).toEqual([])
    expect(await usage(found)).toEqual({ 'ml/p': [1 / 14, 'no-telemetry'] })
    expect(found.snapshot().nodes[0]?.gpus.flatMap(({ partitions }) => partitions)).toHaveLength(56)
  },
  '21': async () => {
    const found = await read('21')
    const held = Map.groupBy(found.snapshot().allocations, ({ pod }) => pod)
    expect(Object.fromEntries([...held].map(([pod, all]) => [pod, all.length]))).toEqual({
      'ml/creating': 1,
      'ml/init-needs-more': 2,
      'ml/sidecar-gpu': 2,
      'ml/terminating': 1,
      'ml/two-containers': 2,
    })
    const [stuck] = found.problems().filter(({ code }) => code === 'holder-not-running')
    expect(stuck?.message).toMatch(/ml\/terminating \(Terminating for 3 d 6 h\), ml\/creating \(ImagePullBackOff for/u)
  },
  '23': async () => {
    const found = await read('23')
    const models = Object.fromEntries(found.snapshot().nodes.map(({ name, model }) => [name, model]))
    expect(models).toMatchObject({
      v1: 'A100-80GB-PCIe-vGPU-20C',
      v2: 'A40-vGPU-24Q',
      v8: 'Jetson-Orin',
      v15: 'RTX-A6000-vGPU-48Q',
      v18: 'L40S-vGPU-48C',
    })
    expect(boardFor('H20-3e')?.profiles.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['1g.18gb', '2g.35gb', '7g.141gb']),
    )
  },
  '27': async () => {
    const found = await read('27')
    expect(await usage(found)).toEqual({
      'default/p1': [0.25, 'not-attributable'],
      'default/p2': [0.25, 'not-attributable'],
    })
    expect(
      found
        .problems()
        .map(({ message }) => message)
        .join('\n'),
    ).not.toMatch(/set KUBERNETES_VIRTUAL_GPUS/u)
  },
  '28': async () => {
    const found = await read('28')
    expect(await usage(found)).toEqual({
      'default/t1': [1 / 7, 'holders-inferred'],
      'default/t2': [1 / 7, 'holders-inferred'],
    })
    expect(found.snapshot().allocations.map(({ partition }) => partition)).toContain('GPU-m/gi-12')
    expect(codes(found)).toEqual(['holders-inferred'])
    expect(everyPlan(found.snapshot()).flatMap(({ steps }) => steps)).toEqual([])
  },
  '29': async () => {
    const found = await read('29')
    const cuts = everyPlan(found.snapshot()).flatMap(({ steps }) =>
      steps.flatMap(({ action }) => (action.kind === 'repartition' ? [action.gpus] : [])),
    )
    expect(cuts.length).toBeGreaterThan(0)
    expect(cuts.map((gpus) => gpus.map(({ index, to }) => [index, to.migEnabled]))).toEqual(
      cuts.map(() => [
        [0, false],
        [1, true],
      ]),
    )
  },
  '30': async () => {
    const found = await read('30')
    expect(found.snapshot().nodes[0]?.gpus.flatMap(({ partitions }) => partitions)).toHaveLength(16)
    expect(found.problems().map(({ message }) => message)).toContainEqual(
      expect.stringContaining(
        'labels spell nvidia.com/mig-3g.20gb as nvidia.com/mig-3g.21gb, as an old GPU feature discovery',
      ),
    )
  },
  '31': async () => {
    const found = await read('31')
    expect(found.snapshot().nodes.map(({ model }) => model)).toEqual(['Instinct-MI300X'])
    expect(codes(found)).not.toContain('unknown-board')
  },
  '34': async () => {
    const found = await read('34')
    const [one, two] = found.snapshot().nodes
    expect([one, two].map((node) => node?.gpus.map(({ id }) => id))).toEqual([['GPU-4c'], ['GPU-4d']])
    expect(await usage(found)).toEqual({ 'ml/w': [1, 0.7] })
    expect(codes(found)).toEqual([])
  },
  '36': async () => {
    const found = await read('36')
    expect(await usage(found)).toEqual({ 'ml/w': [1, 'duplicated-series'] })
    expect(codes(found)).toEqual(['duplicated-series'])
  },
  '25': async () => {
    const found = waits(await read('25'))
    expect(Object.keys(found)).toHaveLength(15)
    expect(Object.entries(found).filter(([, [said, cause]]) => said === '' || cause === 'not-told')).toEqual([])
  },
  '32': async () => {
    const { a, b, c } = waits(await read('32'))
    expect(a?.join(' ')).toContain('quota of rdma/rdma_shared_device_a')
    expect(a?.slice(1)).toEqual([
      'quota',
      'Raise its quota of rdma/rdma_shared_device_a by 1, or end other work of it.',
    ])
    expect(b?.slice(0, 2)).toEqual(['It has its quota and waits for its admission check provisioning.', 'check'])
    expect(c?.slice(0, 2)).toEqual(['Its local queue nolq does not exist.', 'queue'])
  },
  '38': async () => {
    const found = await read('38')
    const [node] = found.snapshot().nodes
    expect(node?.gpus.map(({ index, migEnabled }) => [index, migEnabled])).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((index) => [index, index < 2]),
    )
    expect(node && unsoundNode(node)).toBeUndefined()
    expect(changed(everyPlan(found.snapshot())).filter(({ index, from }) => from.migEnabled !== index < 2)).toEqual([])
    // A person who draws a layout for #1 may turn its mode off; Septet may not.
    expect(
      changed(proposedPlans(found.snapshot())).filter(({ index, to }) => index > 0 && to.migEnabled !== (index === 1)),
    ).toEqual([])
  },
  '41': async () => {
    const found = await read('41')
    await usage(found)
    const kinds = Map.groupBy(found.rows(), ({ node, kind }) => `${node} ${kind}`)
    expect(
      Object.fromEntries([...kinds].map(([key, rows]) => [key, new Set(rows.map(({ gpu }) => gpu)).size])),
    ).toEqual({
      'p1 down': 3,
      'p1 held': 1,
      'p2 down': 4,
    })
  },
  '42': async () => {
    const found = await read('42')
    expect((await usage(found))['ml/m0']?.[0]).toBe(1 / 8)
    expect(new Set(found.rows().flatMap(({ kind, share }) => (kind === 'held' ? share : [])))).toEqual(new Set([1 / 8]))
  },
  '45': async () => {
    const found = await read('45')
    expect(found.snapshot().nodes[0]?.gpus.flatMap(({ fault }) => fault?.code ?? [])).toEqual(['gpu-lost'])
    expect(everyPlan(found.snapshot()).flatMap(({ steps }) => steps)).toEqual([])
  },
  '46': async () => {
    const { machines, notes } = await bill('46', 'azure-focus10.csv')
    expect(notes).toEqual([])
    expect(machines.map(({ instanceType, gpus, hours, amounts }) => [instanceType, gpus * hours, amounts])).toEqual([
      [
        'Standard_ND96isr_H100_v5',
        576,
        { lines: 3, billed: 7079_760_000_000n, effective: 7079_760_000_000n, list: 7079_760_000_000n },
      ],
    ])
  },
  '48': async () => {
    const { machines, total } = await bill('48', 'aws-focus10.csv')
    expect([total.billed, total.effective]).toEqual([259_760_000_000n, 262_280_000_000n])
    const perGpuHour = machines.map(({ instanceType, gpus, hours, amounts }) => [
      instanceType,
      (Number(amounts.effective) / 1e9 / gpus / hours).toFixed(2),
    ])
    expect(perGpuHour).toEqual([
      ['g5.xlarge', '0.63'],
      ['p4d.24xlarge', '1.23'],
      ['p5.48xlarge', '6.88'],
    ])
    await expect(bill('48', 'cur2.csv')).rejects.toThrow(/^This is no bill in FOCUS: .* Export the FOCUS table/u)
  },
  '49': () => {
    const found = readdirSync(new URL(`${folders.find((name) => name.startsWith('49-'))}/`, cases))
    const said = found
      .filter((file) => file.endsWith('.json'))
      .map((file) => {
        try {
          keptKubeconfig(textIn('49', file))
          return [file.replace('.json', ''), 'taken']
        } catch (error) {
          return [file.replace('.json', ''), String(error)]
        }
      })
    expect(Object.fromEntries(said)).toEqual({
      basic: 'taken',
      ext: 'taken',
      impersonate: 'taken',
      proxy: 'taken',
      'ns-default': 'taken',
      'rancher-path': 'taken',
      'tls-name': 'taken',
      'exec-aws': runs('aws'),
      'exec-doctl': runs('doctl'),
      'exec-gke': runs('gke-gcloud-auth-plugin'),
      'exec-kubelogin': runs('kubelogin'),
      'exec-oci': runs('oci'),
      oidc: expect.stringContaining('signs in by the auth provider "oidc", whose token cannot be renewed here'),
      empty: expect.stringContaining('not a whole kubeconfig'),
      tabs: expect.stringContaining('tab characters must not be used in indentation at line 3'),
      'no-current': expect.stringContaining('names no current context'),
      'wrong-current': expect.stringContaining('has no context "gone" (it has: c)'),
    })
    return Promise.resolve()
  },
  '50': () => {
    const said = checked('50', draw`node-a  A100-SXM4-80GB  [-]`)
    const { requestsOnly, fraction, kai, lws, daemonset, typo, mig5on80, ...asBefore } = said
    expect(requestsOnly).toMatch(/^refused: .*nvidia\.com\/gpu .* needs a limit equal to its request/u)
    expect(fraction).toMatch(
      /^refused: .*nvidia\.com\/gpu is 0\.5, and must be a whole number\. .*MIG.*time-slicing.*KAI.*HAMi/u,
    )
    expect(kai).toMatch(/^unknown.*scheduler kai-scheduler places it/u)
    expect(lws).toMatch(/^not-now of 2, together: /u)
    expect(daemonset).toMatch(/^now of 1: /u)
    expect(typo).toMatch(/^not-now.*closest that nodes offer is nvidia\.com\/gpu:/u)
    expect(mig5on80).toMatch(/^not-now.*A100-SXM4-80GB has no 1g\.5gb: ask for 1g\.10gb/u)
    expect(asBefore).toEqual({
      gpuZero: expect.stringMatching(/^refused: The manifest asks for no GPU/u),
      hami: expect.stringMatching(/^not-now/u),
      helmGarbage: expect.stringMatching(/^now of 1: /u),
      migPlusWhole: expect.stringMatching(/^not-now/u),
      mpi: expect.stringMatching(/^(?:not-now|unknown)/u),
      volcanoJob: expect.stringMatching(/^unknown/u),
    })
    return Promise.resolve()
  },
  '55': async () => {
    const said = checked('55', (await read('55')).snapshot())
    expect(
      Object.fromEntries(Object.entries(said).map(([name, each]) => [name, each.replace(/[ :].*$/u, '')])),
    ).toEqual({
      affinityGtMemory: 'not-now',
      affinityName: 'now',
      cpuTooMuch: 'not-now',
      crlf: 'now',
      gated: 'not-now',
      hostPort: 'unknown',
      initOnly: 'now',
      jobIndexed: 'not-now',
      json: 'now',
      missingClaimTemplate: 'unknown',
      negative: 'refused',
      nodeNameCpu: 'unknown',
      nodeNameSet: 'unknown',
      overhead: 'unknown',
      plainNoTol: 'not-now',
      podLevel: 'not-now',
      pvc: 'unknown',
      selectorWrongProduct: 'not-now',
      suspended: 'not-now',
      three: 'not-now',
      tolTypo: 'not-now',
      tolerated: 'now',
      zeroReplicas: 'refused',
    })
    expect(said['negative']).toContain('nvidia.com/gpu is -1, and an amount cannot be negative')
  },
  '52': async () => {
    const questions = [...textIn('52', 'expected.md').matchAll(/^\| (?!question |---)(.+?) \|/gmu)]
    const answers = await Promise.all(questions.map(([, question = '']) => answered(question)))
    expect(answers).toHaveLength(9)
    for (const { verdict, sentences, citations, next } of answers) {
      expect([verdict, citations]).toEqual(['cannot', []])
      expect(sentences.map(({ text }) => text)).toEqual([expect.stringContaining('need a language model')])
      expect(next.map(({ question }) => question)).toEqual(expect.arrayContaining(ANSWERED_WITHOUT_MODEL))
    }
    const [, stuck = '', unrequested = ''] = ANSWERED_WITHOUT_MODEL
    const { sentences } = await answered(stuck, (await read('21')).problems())
    expect(sentences).toMatchObject([{ text: expect.stringContaining('ml/creating (ImagePullBackOff for') }])
    expect((await answered(unrequested, (await read('65')).problems())).sentences).toMatchObject([
      { text: expect.stringContaining('that no pod is known to hold') },
    ])
    const profiles = boardFor('A100-SXM4-80GB')?.profiles.map(({ name }) => name)
    expect([profiles?.includes('1g.5gb'), profiles?.includes('1g.10gb')]).toEqual([false, true])
  },
  '54': async () => {
    const found = await read('54')
    for (let second = 60; second <= 1800; second += READING) await found.read(instant(NOW + second * 1000))
    const now = instant(NOW + 1_800_000)
    await found.flush(now)
    const day = found.analysis({ from: instant(now - 86_400_000), to: now })
    const { observations } = observe(
      {
        cluster: 'case',
        clusterName: 'case',
        now,
        connected: true,
        asOf: now,
        picture: found.snapshot(),
        samples: found.samples(),
        targets: [],
        problems: [],
        idle: found.idle(),
        day,
        week: day,
        budgets: [],
        tenants: [],
        rules: DEFAULT_ALERT_RULES,
      },
      'idle-held',
    )
    expect(observations.map(({ verdict, figure }) => [verdict, figure.value <= 0.5])).toEqual(
      Array.from({ length: 3 }, () => ['clear', true]),
    )
    expect(observations[0]?.message).toContain('idle for 0.5 h of the 0.5 h for which Septet watched it (limit 8 h)')
  },
  '59': async () => {
    const found = await read('59')
    expect(holdings(found).map((each) => each.split(' ').slice(0, 2))).toEqual([['ml/p', 'GPU-ex1']])
    const { one } = checked('59', found.snapshot())
    expect(one).toMatch(/^unknown of 1: /u)
    expect(one).not.toContain('is free')
  },
  '61': async () => {
    const found = await read('61')
    expect(await usage(found)).toEqual({
      'default/w1': [0.25, 0.24],
      'default/w2': [0.25, 0.4],
      'default/w3': [0.25, 0.07],
    })
  },
  '62': async () => {
    const found = await read('62')
    const each = [1 / 7, 0.5]
    expect(await usage(found)).toEqual({ 'ml/c0': each, 'ml/c1': each, 'ml/c2': each, 'ml/c3': each })
    expect(codes(found)).toEqual(['holders-inferred'])
  },
  '63': async () => {
    const found = await read('63')
    const nodes = found.snapshot().nodes.map(({ model, gpus }) => [model, gpus.length])
    expect(nodes).toEqual([
      ['A40', 2],
      ['H100-PCIe', 4],
    ])
    expect(await usage(found)).toEqual({
      'vms/virt-launcher-a': [1, 'no-telemetry'],
      'vms/virt-launcher-b': [0.5, 'no-telemetry'],
    })
    expect(found.rows().every(({ measured }) => measured === 0)).toBe(true)
    expect(codes(found)).toEqual(['devices-for-virtual-machines', 'devices-for-virtual-machines'])
    expect(everyPlan(found.snapshot()).flatMap(({ steps }) => steps)).toEqual([])
  },
  '65': async () => {
    const found = await read('65')
    leavesAlone(found, 1)
    const gpus = found.snapshot().nodes.flatMap((node) => node.gpus)
    expect(gpus.map((gpu) => unsoundGpu(gpu) !== undefined)).toEqual([false, true])
  },
}

describe.skipIf(cases === undefined)('what people reported', () => {
  test.each(Object.keys(RIGHT))('case %s is read and planned as it says', async (number) => {
    expect.hasAssertions()
    await RIGHT[number]?.()
  })
})
