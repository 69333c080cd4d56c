import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CAREFUL_POLICY, makePlan, planFleet, shippedPrices, type ClusterSnapshot, type Wish } from '@septet/domain'
// Drawn clusters are for tests only, so they are not exported.
import { draw, withRequests } from '@septet/domain/testing'
import { planFiles } from './plan-files.ts'
import type { PlanFile } from './plan-file.ts'
import { scriptDirectory, type KubectlAnswers, type ScriptDirectory } from './run-script.fixture.ts'

const OPEN = { ...CAREFUL_POLICY, maxDisplaced: 100, mayWait: true }

function filesOf(wishes: readonly Wish[], snapshot: ClusterSnapshot): readonly PlanFile[] {
  const exported = planFiles({ plan: makePlan({ snapshot, wishes, title: 'Test', policy: OPEN }), snapshot })
  if (exported.kind === 'refused') throw new Error(exported.because.join(' '))
  return exported.files
}

let directory: ScriptDirectory
const directoryOf = (files: readonly PlanFile[]): ScriptDirectory =>
  scriptDirectory([...files, { path: 'own.yaml', text: OWN_CONFIG }])
afterEach(() => directory.remove())

const CLUSTER = withRequests(draw`
  node-a  A100-SXM4-40GB  [3g.20gb lab/train-0] [3g.20gb -]
  node-b  A100-SXM4-40GB  [3g.20gb -] [4g.20gb -]
`)
const CUT: Wish = {
  kind: 'layout',
  targets: [
    { gpu: 'GPU-node-a-0', migEnabled: true, layout: [{ profile: '7g.40gb', placement: { start: 0, size: 8 } }] },
  ],
  moves: [{ pod: 'lab/train-0', from: 'GPU-node-a-0/gi-1', to: { gpu: 'GPU-node-b-0', profile: '3g.20gb' } }],
}

const SHARE: Wish = { kind: 'share', node: 'node-a', to: { kind: 'mps', replicas: 4 }, tenant: 'lab', moves: [] }

/** An operator that reads a ConfigMap of the cluster's own, and a mig-manager that runs on node-a and on others. */
const OPERATOR: KubectlAnswers = {
  '"get clusterpolicies"*spec.migManager.config.name*': 'printf my-mig',
  '"get clusterpolicies"*spec.devicePlugin.config.name*': 'printf my-sharing',
  '"get configmap my-mig"*resourceVersion*': 'printf 42',
  '"get configmap my-mig"*': 'cat $S/config.yaml 2>/dev/null || cat $S/own.yaml',
  // The patch is what counts, so it is kept; then the file has the configuration.
  '"patch configmap my-mig"*':
    'cp "$9" $S/patch.json; cat $S/own.yaml $S/mig-parted/node-a.yaml $S/undo/mig-parted/node-a.yaml > $S/config.yaml',
  '"get pods -n gpu-operator -l app=nvidia-mig-manager --field-selector spec.nodeName=node-a"*metadata.name*':
    'printf nvidia-mig-manager-on-a',
  '"get pods -n gpu-operator -l app=nvidia-device-plugin-daemonset --field-selector spec.nodeName=node-a"*metadata.name*':
    'printf plugin-on-a',
  '"get pods"*Ready*': 'printf True',
  // It starts again and finds its node as the label wishes.
  '"delete pod nvidia-mig-manager-on-a"*': 'printf ${AGAIN:-success} > $S/state',
}

const OWN_CONFIG = [
  '# ours: "quoted" and \\ kept',
  'version: v1',
  'mig-configs:',
  '    our-own:',
  '        - devices: all',
  '          mig-enabled: true',
  '          mig-devices: {"2g.10gb": 3}',
  '',
].join('\n')

/** A cluster whose StatefulSet makes train-0 again at once, under the same name, and whose mig-manager ends as told. */
const cluster = (ends: 'success' | 'failed'): KubectlAnswers => ({
  ...OPERATOR,
  '"get pod train-0 -n lab"*': 'if [ -f $S/evicted ]; then printf new-uid; else printf lab/train-0; fi',
  '"create --raw /api/v1/namespaces/lab/pods/train-0/eviction"*': 'touch $S/evicted',
  // A wait by name never ends: the name is always there.
  '"wait pod"*': 'exit 1',
  '*"config\\\\.state"*': 'cat $S/state 2>/dev/null || :',
  '"get node node-a"*': 'cat $S/wish 2>/dev/null || :',
  '"label node node-a --overwrite nvidia.com/mig.config="*': `printf %s "\${5#*=}" > $S/wish; printf ${ends} > $S/state`,
  '"label node node-a nvidia.com/mig.config.state-"': 'rm -f $S/state',
})

describe('commands.sh', () => {
  it('waits for the very pod that it evicted, though its controller makes one of the same name at once', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    const { code, calls, err } = await directory.run('commands.sh', cluster('success'))
    expect([code, err]).toEqual([0, ''])
    expect(calls.at(-1)).toBe('uncordon node-a')
    expect(calls.filter((call) => call.includes('/eviction'))).toHaveLength(1)
  })

  it('names the very pod in the eviction, so that the API server refuses another of that name', () => {
    const files = filesOf([CUT], CLUSTER)
    directory = directoryOf(files)
    const eviction = files.find(({ path }) => path.startsWith('evictions/'))?.text ?? ''
    expect(JSON.parse(eviction).deleteOptions).toEqual({ preconditions: { uid: 'lab/train-0' } })
  })

  it('ends when mig-manager fails, says at which step, and leaves the node cordoned', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    const { code, calls, err } = await directory.run('commands.sh', cluster('failed'))
    expect(code).toBe(1)
    expect(err).toContain('mig-manager failed to cut node-a')
    expect(err).toMatch(/Stopped at step 3 of 4: Repartition .* node-a.*Run it again/u)
    expect(calls).not.toContain('uncordon node-a')
  })

  it('does nothing twice when it runs again: no second eviction of the pod that came after, no second cut', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    await directory.run('commands.sh', cluster('success'))
    const { code, out, calls } = await directory.run('commands.sh', cluster('success'))
    expect(code).toBe(0)
    expect(out).toContain('lab/train-0 of the plan is gone already.')
    expect(out).toContain('node-a already has this layout.')
    expect(calls.filter((call) => call.includes('/eviction'))).toHaveLength(1)
    expect(calls.filter((call) => call.includes('mig.config='))).toHaveLength(1)
    expect(calls.filter((call) => call.startsWith('delete pod'))).toHaveLength(1)
  })

  it('tries a cut again that failed, once what stood in the way is gone', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    await directory.run('commands.sh', cluster('failed'))
    const { code, calls } = await directory.run('commands.sh', cluster('failed'))
    expect(code).toBe(0)
    expect(calls.at(-1)).toBe('uncordon node-a')
    expect(calls.filter((call) => call.includes('mig.config='))).toHaveLength(1)
  })

  it.each([
    ['the name that the node wore before, which is still there', 'our-own', /^our-own$/u],
    ['a configuration of its own where that is gone since', 'gone-since', /^septet-/u],
  ])('takes a cut back to %s', async (_, config, wish) => {
    const nodes = CLUSTER.nodes.map((node) =>
      node.name === 'node-a' ? { ...node, mig: { ...node.mig, config, state: 'success' as const } } : node,
    )
    directory = directoryOf(filesOf([CUT], { ...CLUSTER, nodes }))
    await directory.run('commands.sh', cluster('success'))
    const { code, err, out } = await directory.run('undo/commands.sh', cluster('success'))
    expect([code, err]).toEqual([0, ''])
    expect(directory.read('wish')).toMatch(wish)
    expect(out).not.toContain('cut already')
    expect((await directory.run('undo/commands.sh', cluster('success'))).out).toContain(
      'node-a already has this layout.',
    )
  })

  it('stops where the API server does not answer, instead of taking silence for a pod that is gone', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    const answers = { '"get pod"*': 'echo "connection refused" >&2; exit 1', ...cluster('success') }
    const { code, calls, err } = await directory.run('commands.sh', answers)
    expect(code).toBe(1)
    expect(err).toContain('Stopped at step 2 of 4: Evict lab/train-0')
    expect(calls.some((call) => call.includes('mig.config='))).toBe(false)
  })

  it('stops at a disruption budget that holds, and says what to do', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    const answers = { '"create --raw"*': 'echo "429 TooManyRequests" >&2; exit 1', ...cluster('success') }
    const { code, err } = await directory.run('commands.sh', answers)
    expect(code).toBe(1)
    expect(err).toContain('run this again once its pods are healthy')
  })

  it('gives up on a pod that never goes and on a state that never comes', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    const stays = { '"get pod train-0"*': 'printf lab/train-0', ...cluster('success') }
    expect((await directory.run('commands.sh', stays)).err).toContain('still runs after ten minutes')
    const pending = {
      '"label node node-a --overwrite"*': 'printf pending > $S/state',
      ...cluster('success'),
    }
    expect((await directory.run('commands.sh', pending)).err).toContain("its state is 'pending'")
  })

  it('gives up after as long as it says: its waits are turns of two seconds', () => {
    const files = filesOf([CUT, SHARE], CLUSTER)
    directory = directoryOf(files)
    const texts = files.map(({ text }) => text).join('\n')
    const waits = [...texts.matchAll(/turns=(\d+).*?(five|ten|twenty) minutes/gsu)]
    const said = { five: 5, ten: 10, twenty: 20 }
    expect(waits.map(([, turns, words]) => [Number(turns) / 30, words])).toEqual(
      waits.map(([, , words]) => [said[words as keyof typeof said], words]),
    )
    expect(new Set(waits.map(([, , words]) => words)).size).toBe(3)
  })

  it('resizes and scales a workload once, and takes both back once', async () => {
    const drawn = withRequests(draw`
      node-a  T4  [lab/one]
      node-b  T4  [lab/two]
    `)
    const gpus = [{ resource: 'nvidia.com/gpu', count: 1 }]
    const own = {
      list: 'containers' as const,
      index: 0,
      name: 'main',
      isSidecar: false,
      limits: {},
      requests: {},
      gpus,
    }
    const templates = [{ part: '', containers: [own] }]
    const workloads = drawn.workloads.map((each) => ({ ...each, kind: 'Deployment', templates }))
    const snapshot = { ...drawn, workloads }
    const [one = '', two = ''] = snapshot.workloads.map(({ id }) => id)
    const wishes: readonly Wish[] = [
      { kind: 'resize', workload: one, to: [{ resource: 'nvidia.com/mig-1g.5gb', count: 1 }] },
      { kind: 'scale', workload: two, to: 0 },
    ]
    directory = directoryOf(filesOf(wishes, snapshot))
    const answers: KubectlAnswers = {
      '"get deployment/one"*': 'cat $S/limits 2>/dev/null || printf 1,,',
      '"patch deployment/one"*': 'printf ,1, > $S/limits',
      '"get deployment/two"*': 'cat $S/replicas 2>/dev/null || printf 1',
      '"scale deployment/two"*': 'printf "%s" "${6#*=}" > $S/replicas',
    }
    for (const _ of ['first', 'again']) {
      const { code, calls } = await directory.run('commands.sh', answers)
      expect(code).toBe(0)
      expect(calls.filter((call) => /^(patch|scale)/u.test(call))).toEqual([
        'scale deployment/two -n lab --current-replicas=1 --replicas=0',
        'patch deployment/one -n lab --type json --patch-file patches/002-lab-one.yaml',
      ])
    }
  })
})

/** What was changed, of all that was asked. */
const changes = (calls: readonly string[]): readonly string[] =>
  calls.filter((call) => /^(?:patch|label|delete|apply|create|rollout|cordon|uncordon)/u.test(call))

describe('a change of one node', () => {
  it('touches that node alone: its label, its mig-manager, and one entry more in the configurations in force', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    const { code, err, calls } = await directory.run('commands.sh', cluster('success'))
    expect([code, err]).toEqual([0, ''])
    expect(changes(calls).map((call) => call.replace(/septet-[0-9a-f]+|\/\S*patch\.json/u, '…'))).toEqual([
      'cordon node-a',
      'create --raw /api/v1/namespaces/lab/pods/train-0/eviction -f evictions/002-lab-train-0.json',
      'patch configmap my-mig -n gpu-operator --type merge --patch-file …',
      'label node node-a nvidia.com/mig.config.state-',
      'delete pod nvidia-mig-manager-on-a -n gpu-operator',
      'label node node-a nvidia.com/mig.config.state-',
      'label node node-a --overwrite nvidia.com/mig.config=…',
      'uncordon node-a',
    ])
  })

  it('keeps every configuration that is there, word for word, and fails if somebody else changed them meanwhile', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    await directory.run('commands.sh', cluster('success'))
    const patch = JSON.parse(directory.read('patch.json'))
    expect(patch.metadata).toEqual({ resourceVersion: '42' })
    const merged: string = patch.data['config.yaml']
    expect(merged.startsWith(OWN_CONFIG.split('    our-own')[0] ?? '?')).toBe(true)
    expect(merged.endsWith(OWN_CONFIG.slice(OWN_CONFIG.indexOf('    our-own')))).toBe(true)
    const { 'mig-configs': configs } = parse(merged)
    const [name = ''] = Object.keys(configs).filter((each) => each !== 'our-own')
    expect(configs).toEqual({
      'our-own': parse(OWN_CONFIG)['mig-configs']['our-own'],
      [name]: parse(directory.read('mig-parted/node-a.yaml'))['mig-configs'][name],
    })
  })

  it('stops before the first step where NVIDIA’s own configurations are in force, and says what it takes', async () => {
    for (const inForce of [':', 'printf default-mig-parted-config']) {
      directory = directoryOf(filesOf([CUT], CLUSTER))
      const answers = { '"get clusterpolicies"*': inForce, ...cluster('success') }
      const { code, calls, err } = await directory.run('commands.sh', answers)
      expect(code).toBe(1)
      expect(err).toContain('prepare.sh')
      expect(changes(calls)).toEqual([])
    }
  })

  it('is prepared for once per cluster, with all of NVIDIA’s configurations kept', async () => {
    directory = directoryOf(filesOf([CUT], CLUSTER))
    const answers: KubectlAnswers = {
      '"get clusterpolicies"*spec.migManager*': ':',
      '"get clusterpolicies"*': 'printf cluster-policy',
      '"get configmap default-mig-parted-config"*': 'cat $S/own.yaml',
      '"get nodes"*mig*config*': 'printf "our-own our-own"',
      '"create configmap septet-mig-config"*': 'cp "${6#--from-file=}" $S/created.yaml',
      '"get daemonset"*': 'printf "septet-mig-config"',
    }
    const { code, err, calls } = await directory.run('prepare.sh', answers)
    expect([code, err]).toEqual([0, ''])
    expect(directory.read('created.yaml')).toBe(OWN_CONFIG)
    expect(changes(calls).at(-1)).toBe('rollout status daemonset/nvidia-mig-manager -n gpu-operator --timeout=20m')
    const missing = { '"get nodes"*': 'printf "our-own by-hand"', ...answers }
    const refused = await directory.run('prepare.sh', missing)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('wears the configuration by-hand, which default-mig-parted-config lacks')
  })

  it('is prepared for by a ConfigMap with an entry in it: no device plugin starts with an empty one', async () => {
    directory = directoryOf(filesOf([SHARE], draw`node-a T4 [-]`))
    const answers: KubectlAnswers = {
      '"get clusterpolicies"*spec.devicePlugin*': ':',
      '"get clusterpolicies"*': 'printf cluster-policy',
      '"get daemonset"*': 'printf "septet-device-plugin"',
    }
    const { code, err, calls } = await directory.run('prepare.sh', answers)
    expect([code, err]).toEqual([0, ''])
    expect(changes(calls)).toEqual([
      'create configmap septet-device-plugin -n gpu-operator',
      // Anyone who goes by it shares nothing.
      'patch configmap septet-device-plugin -n gpu-operator --type merge -p {"data":{"septet-whole":"version: v1"}}',
      'patch clusterpolicies.nvidia.com cluster-policy --type merge -p {"spec":{"devicePlugin":{"config":{"name":"septet-device-plugin"}}}}',
      'rollout status daemonset/nvidia-device-plugin-daemonset -n gpu-operator --timeout=20m',
    ])
    const refused = await directory.run('prepare.sh', { '"get nodes"*': 'printf by-hand', ...answers })
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('wears nvidia.com/device-plugin.config=by-hand')
  })

  it('shares the GPUs of a node by one key more, and restarts the device plugin of that node alone', async () => {
    directory = directoryOf(filesOf([SHARE], draw`node-a T4 [-]`))
    const { code, calls } = await directory.run('commands.sh', OPERATOR)
    expect(code).toBe(0)
    expect(changes(calls).map((call) => call.replace(/septet-[0-9a-f]+/u, '…'))).toEqual([
      'cordon node-a',
      'patch configmap my-sharing -n gpu-operator --type merge --patch-file device-plugin/node-a.yaml',
      'label node node-a --overwrite nvidia.com/device-plugin.config=…',
      'delete pod plugin-on-a -n gpu-operator',
      'uncordon node-a',
    ])
  })
})

/** A cluster in which `pods` says what of the workload runs, line by line. */
const evicting = (pods: string): KubectlAnswers => ({
  ...OPERATOR,
  '"get pod "*': 'if [ -f $S/evicted ]; then printf new; else printf lab/one; fi',
  '"create --raw"*': 'touch $S/evicted',
  '*"config\\\\.state"*': 'printf success',
  '"patch configmap my-mig"*': ':',
  '"get pods -n gpu-operator"*metadata.name*': 'printf nvidia-mig-manager',
  // Its controller made it again; another workload whose name begins alike is none of its pods.
  '"get pods -n lab"*': `echo x >> $S/asked; echo "one-but-another Pending "; ${pods}`,
})

it('a node that is to stay empty opens only once the evicted work runs elsewhere', async () => {
  const drawn = withRequests(draw`
    node-a  A100-SXM4-80GB  [3g.40gb lab/one] [3g.40gb -]
    node-b  A100-SXM4-80GB  [3g.40gb lab/two] [3g.40gb -]
    node-c  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]`)
  const { plan } = planFleet({ snapshot: drawn, goal: { kind: 'cost' }, prices: shippedPrices, maxDisplaced: 5 })
  const exported = planFiles({ plan, snapshot: drawn })
  directory = directoryOf(exported.kind === 'files' ? exported.files : [])
  const waits = await directory.run('commands.sh', evicting('echo "one Pending "'))
  expect(waits.err).toContain('lab/one has 0 of 1 pods running after ten minutes')
  expect(waits.calls).not.toContain('uncordon node-c')
  const runs = await directory.run('commands.sh', evicting('[ $(wc -l < $S/asked) -lt 14 ] || echo "one Running "'))
  expect([runs.code, runs.err]).toEqual([0, ''])
  expect(runs.calls.at(-1)).toBe('uncordon node-c')
  expect(runs.calls[0]).toContain('get clusterpolicies')
  expect(runs.calls.find((call) => call.startsWith('cordon'))).toBe('cordon node-c')
})
