import { afterEach, describe, expect, it } from 'vitest'
import { CAREFUL_POLICY, makePlan, type ClusterSnapshot, type Wish } from '@septet/domain'
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

/** A cluster whose StatefulSet makes train-0 anew at once, under the same name, and whose mig-manager ends as told. */
const cluster = (ends: 'success' | 'failed'): KubectlAnswers => ({
  '"get pod train-0 -n lab"*': 'if [ -f $S/evicted ]; then printf new-uid; else printf lab/train-0; fi',
  '"create --raw /api/v1/namespaces/lab/pods/train-0/eviction"*': 'touch $S/evicted',
  // A wait by name never ends: the name is always there.
  '"wait pod"*': 'exit 1',
  '*"config\\\\.state"*': 'cat $S/state 2>/dev/null || :',
  '"get node node-a"*': 'cat $S/wish 2>/dev/null || :',
  '"label node node-a --overwrite nvidia.com/mig.config="*': `printf %s "\${5#*=}" > $S/wish; printf ${ends} > $S/state`,
  '"label node node-a nvidia.com/mig.config.state-"': 'rm -f $S/state',
})

describe('commands.sh (E7)', () => {
  it('waits for the very pod that it evicted, though its controller makes one of the same name at once', async () => {
    directory = scriptDirectory(filesOf([CUT], CLUSTER))
    const { code, calls, err } = await directory.run('commands.sh', cluster('success'))
    expect([code, err]).toEqual([0, ''])
    expect(calls.at(-1)).toBe('uncordon node-a')
    expect(calls.filter((call) => call.includes('/eviction'))).toHaveLength(1)
  })

  it('names the very pod in the eviction, so that the API server refuses another of that name', () => {
    const files = filesOf([CUT], CLUSTER)
    directory = scriptDirectory(files)
    const eviction = files.find(({ path }) => path.startsWith('evictions/'))?.text ?? ''
    expect(JSON.parse(eviction).deleteOptions).toEqual({ preconditions: { uid: 'lab/train-0' } })
  })

  it('ends when mig-manager fails, says at which step, and leaves the node cordoned', async () => {
    directory = scriptDirectory(filesOf([CUT], CLUSTER))
    const { code, calls, err } = await directory.run('commands.sh', cluster('failed'))
    expect(code).toBe(1)
    expect(err).toContain('mig-manager failed to cut node-a')
    expect(err).toMatch(/Stopped at step 3 of 4: Repartition .* node-a.*Run it again/u)
    expect(calls).not.toContain('uncordon node-a')
  })

  it('does nothing twice when it runs again: no second eviction of the pod that came after, no second cut', async () => {
    directory = scriptDirectory(filesOf([CUT], CLUSTER))
    await directory.run('commands.sh', cluster('success'))
    const { code, out, calls } = await directory.run('commands.sh', cluster('success'))
    expect(code).toBe(0)
    expect(out).toContain('lab/train-0 of the plan is gone already.')
    expect(out).toContain('node-a is cut already.')
    expect(calls.filter((call) => call.includes('/eviction'))).toHaveLength(1)
    expect(calls.filter((call) => call.includes('mig.config='))).toHaveLength(1)
  })

  it('stops where the API server does not answer, instead of taking silence for a pod that is gone', async () => {
    directory = scriptDirectory(filesOf([CUT], CLUSTER))
    const answers = { '"get pod"*': 'echo "connection refused" >&2; exit 1', ...cluster('success') }
    const { code, calls, err } = await directory.run('commands.sh', answers)
    expect(code).toBe(1)
    expect(err).toContain('Stopped at step 2 of 4: Evict lab/train-0')
    expect(calls.some((call) => call.includes('mig.config='))).toBe(false)
  })

  it('stops at a disruption budget that holds, and says what to do', async () => {
    directory = scriptDirectory(filesOf([CUT], CLUSTER))
    const answers = { '"create --raw"*': 'echo "429 TooManyRequests" >&2; exit 1', ...cluster('success') }
    const { code, err } = await directory.run('commands.sh', answers)
    expect(code).toBe(1)
    expect(err).toContain('run this again once its pods are healthy')
  })

  it('gives up on a pod that never goes and on a state that never comes', async () => {
    directory = scriptDirectory(filesOf([CUT], CLUSTER))
    const stays = { '"get pod train-0"*': 'printf lab/train-0', ...cluster('success') }
    expect((await directory.run('commands.sh', stays)).err).toContain('still runs after ten minutes')
    const pending = {
      '"label node node-a --overwrite"*': 'printf pending > $S/state',
      ...cluster('success'),
    }
    expect((await directory.run('commands.sh', pending)).err).toContain("its state is 'pending'")
  })

  it('resizes and scales a workload once, and takes both back once', async () => {
    const drawn = withRequests(draw`
      node-a  T4  [lab/one]
      node-b  T4  [lab/two]
    `)
    const snapshot = { ...drawn, workloads: drawn.workloads.map((each) => ({ ...each, kind: 'Deployment' })) }
    const [one = '', two = ''] = snapshot.workloads.map(({ id }) => id)
    const wishes: readonly Wish[] = [
      { kind: 'resize', workload: one, to: [{ resource: 'nvidia.com/mig-1g.5gb', count: 1 }] },
      { kind: 'scale', workload: two, to: 0 },
    ]
    directory = scriptDirectory(filesOf(wishes, snapshot))
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
