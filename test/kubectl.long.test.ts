import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { startDemoCluster } from '@septet/simulator'
import type { DemoCluster } from '@septet/simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { unpackKubectl } from './unpack-kubectl.ts'

let folder = ''
let kubectl = ''
let demo: DemoCluster

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'septet-kubectl-'))
  kubectl = await unpackKubectl(folder)
  demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir: folder, turnMs: 100 })
})
afterAll(async () => {
  await demo.close()
  rmSync(folder, { recursive: true })
})

type Outcome = { readonly code: number; readonly out: string; readonly err: string }
const environment = (): NodeJS.ProcessEnv => ({
  HOME: folder,
  KUBECONFIG: demo.kubeconfigPath,
  KUBECACHEDIR: path.join(folder, 'cache'),
})

function run(...args: readonly string[]): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const options = { env: environment(), maxBuffer: 64 * 1024 * 1024 }
  execFile(kubectl, [...args], options, (error, out, err) =>
    resolve({ code: error === null ? 0 : Number(error.code), out, err }),
  )
  return promise
}

/** Runs a watch until its output holds a text; gives all of it. */
async function watchUntil(args: readonly string[], sign: string, act: () => Promise<unknown>): Promise<string> {
  const child = spawn(kubectl, [...args], { env: environment() })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  let acted = false
  child.stderr.setEncoding('utf8').on('data', (part: string) => reject(new Error(part)))
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
    if (text.includes(sign)) resolve(text)
    if (acted) return
    acted = true
    act().catch(reject)
  })
  child.once('exit', () => reject(new Error(`the watch ended early: ${text}`)))
  try {
    return await promise
  } finally {
    child.removeAllListeners('exit')
    child.kill()
  }
}

describe('kubectl 1.35 against the demo cluster', () => {
  test('lists nodes and pods of all namespaces', async () => {
    const { code, out, err } = await run('get', 'nodes,pods', '-A')
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(/node\/gpu-h100-01\s+Ready\s+<none>\s+\d+d\s+v1\.32\.13/)
    expect(out).toMatch(/node\/gpu-l40s-06\s+NotReady/)
    expect(out.match(/ pod\//g)?.length).toBeGreaterThan(400)
  })

  test('sees a change while it watches nodes, and pods', async () => {
    const nodes = await watchUntil(['get', 'nodes', '-w'], 'SchedulingDisabled', () => run('cordon', 'gpu-t4-05'))
    expect(nodes).toMatch(/gpu-t4-05\s+Ready,SchedulingDisabled/)
    expect((await run('uncordon', 'gpu-t4-05')).code).toBe(0)
    const pod = ['run', 'watched', '-n', 'sandbox', '--image=registry.example.com/x:1', '--restart=Never']
    const pods = await watchUntil(['get', 'pods', '-A', '-w'], 'watched', () => run(...pod))
    expect(pods).toMatch(/sandbox\s+watched\s+0\/1\s+Pending/)
  })

  test('labels a node', async () => {
    expect((await run('label', 'node', 'gpu-t4-06', 'team=blue')).out).toContain('node/gpu-t4-06 labeled')
    expect((await run('get', 'nodes', '-l', 'team=blue', '-o', 'name')).out.trim()).toBe('node/gpu-t4-06')
    const again = await run('label', 'node', 'gpu-t4-06', 'team=red')
    expect(again.code).toBe(1)
    expect(again.err).toContain('already has a value (blue), and --overwrite is false')
  })

  test('describes a node with its pods and what they hold', async () => {
    const { code, out } = await run('describe', 'node', 'gpu-a100-03')
    expect(code).toBe(0)
    expect(out).toContain('nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB')
    expect(out).toMatch(/Non-terminated Pods:\s+\(\d+ in total\)/)
    expect(out).toMatch(/nvidia\.com\/mig-3g\.40gb\s+\d+\s+\d+/)
    expect(out).toMatch(/HolderIdentity:\s+gpu-a100-03/)
  })

  test('creates, waits for and deletes a pod with a GPU', async () => {
    const file = path.join(folder, 'pod.yaml')
    const spec =
      '  containers:\n    - name: main\n      image: registry.example.com/x:1\n      resources:\n        limits:\n          nvidia.com/gpu: "1"\n'
    writeFileSync(file, `apiVersion: v1\nkind: Pod\nmetadata:\n  name: by-hand\n  namespace: sandbox\nspec:\n${spec}`)
    expect((await run('apply', '-f', file)).out).toContain('pod/by-hand created')
    expect((await run('wait', '--for=condition=Ready', '-n', 'sandbox', 'pod/by-hand', '--timeout=25s')).out).toContain(
      'condition met',
    )
    expect((await run('delete', '-f', file)).out).toMatch(/pod "by-hand" deleted/)
  })

  test('evicts with the eviction subresource', async () => {
    const names = await run(
      'get',
      'pods',
      '-A',
      '-l',
      'app.kubernetes.io/component=training',
      '--field-selector=status.phase=Running',
      '-o',
      'jsonpath={range .items[*]}{.metadata.namespace} {.metadata.name}{"\\n"}{end}',
    )
    const [namespace = '', name = ''] = names.out.split('\n')[0]?.split(' ') ?? []
    const file = path.join(folder, 'eviction.json')
    writeFileSync(file, JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }))
    const evicted = await run('create', '--raw', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, '-f', file)
    expect(JSON.parse(evicted.out)).toMatchObject({ status: 'Success', code: 201 })
    expect((await run('wait', '--for=delete', '-n', namespace, `pod/${name}`, '--timeout=25s')).code).toBe(0)
  })

  test('scales a Deployment, and is told when its pods have gone and are back', async () => {
    const work = ['-n', 'document-understanding', 'deployment/layout-parse'] as const
    expect((await run('scale', '--replicas=0', ...work)).out).toBe('deployment.apps/layout-parse scaled\n')
    expect((await run('rollout', 'status', '--timeout=25s', ...work)).out).toContain('successfully rolled out')
    const mine = ['-n', 'document-understanding', 'pods', '-l', 'app.kubernetes.io/name=layout-parse'] as const
    expect((await run('wait', '--for=delete', '--timeout=25s', ...mine)).code).toBe(0)
    expect((await run('scale', '--replicas=1', ...work)).code).toBe(0)
    expect((await run('get', ...mine, '-o', 'name')).out).toMatch(/^pod\/layout-parse-\w+-\w+\n$/)
  })

  test('tells who acts what it may not do', async () => {
    demo.grantActor([{ apiGroups: [''], resources: ['nodes'], verbs: ['get', 'patch'] }])
    const as = `--kubeconfig=${demo.actorKubeconfigPath}`
    expect((await run('cordon', 'gpu-t4-04', as)).out).toBe('node/gpu-t4-04 cordoned\n')
    const { code, err } = await run('get', 'pods', '-n', 'sandbox', as)
    expect([code, err]).toEqual([
      1,
      'Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:septet:septet-actor" cannot list resource "pods" in API group "" in the namespace "sandbox"\n',
    ])
  })
})
