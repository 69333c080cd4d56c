import { copyFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { recordedAnswer } from '../../../../../test/system-tools.ts'
import { DEFAULT_TIMING } from '../connect/timing.ts'
import { node, ownedBy, owner, pod } from './cluster-objects.fixture.ts'
import { qualified, RESOURCE_NAMES, ruleOf } from '../connect/resources.ts'
import {
  DEFAULT_RESOURCES,
  DRA,
  KAI,
  KUEUE,
  VOLCANO,
  ScriptedApiServer,
  writeKubeconfig,
} from './scripted-api-server.fake.ts'
import {
  cleanUps,
  eventually,
  has,
  isMirrored,
  lists,
  log,
  openBeforeTests,
  podNames,
  read,
  reported,
  serve,
} from './watched-server.fixture.ts'

openBeforeTests()

const watches = (server: ScriptedApiServer, resource: string): number =>
  server.calls.filter(({ path, query }) => path.endsWith(`/${resource}`) && query.has('watch')).length

/** Pods with an owner of each kind that is looked up, and the Deployment above one. */
function putOwned(server: ScriptedApiServer, name: string): void {
  for (const kind of ['ReplicaSet', 'StatefulSet', 'Job'] as const) {
    const version = kind === 'Job' ? 'batch/v1' : 'apps/v1'
    server.put('pods', pod('team', `${kind.toLowerCase()}-${name}`, { metadata: ownedBy(kind, name, version) }))
    server.put(`${kind.toLowerCase()}s`, owner('team', [kind, name], ownedBy('Deployment', name)))
  }
  server.put('deployments', owner('team', ['Deployment', name]))
}

const RESOURCE_PATH = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/([a-z]+)(?:\/([^/]+))?$/u

/** The right that a call takes: `get pods`. */
function rightOf({ path, query }: ScriptedApiServer['calls'][number]): readonly string[] {
  const [, resource, name] = RESOURCE_PATH.exec(path) ?? []
  if (resource === undefined || path.endsWith('reviews')) return []
  const group = /^\/apis\/([^/]+)/u.exec(path)?.[1]
  const verb = name !== undefined ? 'get' : query.has('watch') ? 'watch' : 'list'
  return [`${verb} ${resource}${group === undefined ? '' : `.${group}`}`]
}

/** Events are watched last. */
const isWatchOfEvents = ({ path, query }: ScriptedApiServer['calls'][number]): boolean =>
  path.endsWith('/events') && query.has('watch')

describe('reading a cluster', () => {
  test('start returns with the whole inventory: nodes, GPU pods, owners found above them', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    server.put(
      'nodes',
      node('cpu-0', {
        labels: {
          'nvidia.com/gpu.present': undefined,
          'nvidia.com/gpu.product': undefined,
          'nvidia.com/gpu.count': undefined,
        },
        capacity: { cpu: '8' },
      }),
    )
    server.put('pods', pod('team', 'web-7d4-x', { metadata: { ...ownedBy('ReplicaSet', 'web-7d4') } }))
    server.put('pods', pod('team', 'plain', { resources: { cpu: '1' } }))
    server.put('replicasets', owner('team', ['ReplicaSet', 'web-7d4'], ownedBy('Deployment', 'web')))
    server.put('deployments', owner('team', ['Deployment', 'web']))
    const reader = read(server)
    await reader.start()
    const inventory = has(reader)
    expect(inventory.serverVersion).toBe('v1.34.1')
    expect(inventory.nodes.map(({ name, gpuCount, pool, ready }) => ({ name, gpuCount, pool, ready }))).toEqual([
      { name: 'gpu-0', gpuCount: 8, pool: 'h100', ready: true },
    ])
    expect(inventory.pods.map(({ id, workload }) => ({ id, workload }))).toEqual([
      { id: 'team/web-7d4-x', workload: 'team/Deployment/web' },
    ])
    expect(inventory.workloads).toMatchObject([
      {
        id: 'team/Deployment/web',
        class: 'inference',
        status: 'running',
        requests: [{ resource: 'nvidia.com/gpu', count: 1 }],
      },
    ])
    expect(inventory.problems).toEqual([])
    expect(reader.state()).toMatchObject({ kind: 'connected', problems: [] })
  })

  test('a label, a pod that comes and a pod that goes are seen through the watch', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    const reader = read(server)
    await reader.start()
    let notices = 0
    reader.onChange(() => {
      notices += 1
    })
    server.put('nodes', node('gpu-0', { labels: { 'nvidia.com/mig.config': 'all-1g.10gb' } }))
    await eventually(() => expect(has(reader).nodes[0]?.mig.config).toBe('all-1g.10gb'))
    server.put('pods', pod('team', 'a'))
    await eventually(() => expect(podNames(reader)).toEqual(['a']))
    server.put('pods', pod('team', 'a', { status: { phase: 'Succeeded' } }))
    await eventually(() => expect(podNames(reader)).toEqual([]))
    server.put('pods', pod('team', 'b'))
    await eventually(() => expect(podNames(reader)).toEqual(['b']))
    server.remove('pods', 'team/b')
    await eventually(() => expect(podNames(reader)).toEqual([]))
    expect(notices).toBeGreaterThan(0)
  })

  test('tells of one workload who owns its pods and what was reported of them', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    server.put('pods', pod('team', 'web-7d4-x', { metadata: { ...ownedBy('ReplicaSet', 'web-7d4') } }))
    server.put('replicasets', owner('team', ['ReplicaSet', 'web-7d4'], ownedBy('Deployment', 'web')))
    server.put('deployments', owner('team', ['Deployment', 'web']))
    server.put('events', reported('a', { kind: 'Pod', name: 'web-7d4-x' }, 'Pulled'))
    server.put('events', reported('b', { kind: 'Pod', name: 'plain' }, 'Pulled'))
    const reader = read(server)
    await reader.start()
    const [workload] = has(reader).workloads
    if (workload === undefined) throw new Error('no workload')
    const objects = () => reader.objectsOf(workload)
    await eventually(() => expect(objects()?.events.map(({ message }) => message)).toEqual(['Pulled it']))
    const chain = objects()?.owners.get('team/web-7d4-x') ?? []
    expect(chain.map(({ kind, name }) => `${kind}/${name}`)).toEqual(['ReplicaSet/web-7d4', 'Deployment/web'])
    server.put('events', reported('c', { kind: 'Deployment', name: 'web' }, 'ScalingReplicaSet'))
    await eventually(() => expect(objects()?.events).toHaveLength(2))
    expect(objects()?.eventsMissing).toBeUndefined()
    expect(has(reader).problems).toEqual([])
  })

  test('says which right is missing to read events, and reads the rest', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    server.put('pods', pod('team', 'a'))
    server.denied.add('list events')
    const reader = read(server)
    await reader.start()
    await eventually(() =>
      expect(reader.state().problems.map(({ code, object }) => `${code} ${object}`)).toEqual(['forbidden events']),
    )
    expect(reader.state().problems[0]?.message).toMatch(/lacks list on events; .*grant it with deploy/u)
    const [workload] = has(reader).workloads
    if (workload === undefined) throw new Error('no workload')
    expect(reader.objectsOf(workload)).toMatchObject({ events: [], eventsMissing: expect.stringContaining('events') })
    server.denied.clear()
    await eventually(() => expect(reader.state().problems).toEqual([]))
  })

  test('lists by pages of 500', async () => {
    const server = await serve()
    server.seed(
      'pods',
      Array.from({ length: 1201 }, (_, index) => pod('team', `p${index}`)),
    )
    const reader = read(server)
    await reader.start()
    expect(has(reader).pods).toHaveLength(1201)
    const listed = server.calls.filter((call) => call.path === '/api/v1/pods' && isMirrored(call))
    expect(listed.map(({ query }) => [query.get('limit'), query.get('continue')])).toEqual([
      ['500', null],
      ['500', '500'],
      ['500', '1000'],
    ])
    expect(listed[0]?.authorization).toBe('Bearer secret')
  })

  test('knows for how long pods that have finished had waited', async () => {
    const server = await serve()
    const bound = { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-07-01T00:04:00Z' }
    const created = { creationTimestamp: '2026-07-01T00:00:00Z' }
    server.seed('pods', [
      pod('team', 'done', { metadata: created, status: { phase: 'Succeeded', conditions: [bound] } }),
      pod('team', 'never-ran', { spec: { nodeName: undefined }, status: { phase: 'Failed' } }),
      pod('team', 'runs'),
    ])
    const reader = read(server)
    await reader.start()
    expect(has(reader).pods.map(({ name }) => name)).toEqual(['runs'])
    const waits = has(reader).finished?.map(({ name, createdAt, startedAt = createdAt }) => [
      name,
      startedAt - createdAt,
    ])
    expect(waits).toEqual([['done', 240_000]])
  })
})

describe('a server that misbehaves', () => {
  test('gone for a while: says so, keeps what it had, and is current again without a restart', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    server.put('pods', pod('team', 'a'))
    const reader = read(server)
    await reader.start()
    const before = has(reader).takenAt
    await server.stop()
    await eventually(() => expect(reader.state().kind).toBe('disconnected'))
    expect(reader.state().problems[0]).toMatchObject({ code: 'unreachable', object: 'api-server' })
    expect(reader.state().problems[0]?.message).toMatch(
      /Cannot reach the Kubernetes API at http.*The data read until .* stays in use/,
    )
    expect(podNames(reader)).toEqual(['a'])
    server.remove('pods', 'team/a')
    server.put('pods', pod('team', 'b'))
    await server.start()
    await eventually(() => expect(podNames(reader)).toEqual(['b']))
    expect(reader.state()).toMatchObject({ kind: 'connected', problems: [] })
    expect(has(reader).takenAt).toBeGreaterThan(before)
  })

  const outdatedWatch = recordedAnswer('watch_rv1.ndjson')
  test.skipIf(outdatedWatch === undefined)(
    'the answer a real server gives to an outdated watch leads to a new list',
    async () => {
      const server = await serve()
      server.put('pods', pod('team', 'a'))
      let outdated = 3
      server.misbehave = ({ path, query }) =>
        path === '/api/v1/pods' && query.has('watch') && outdated-- > 0 ? { text: outdatedWatch ?? '' } : undefined
      const reader = read(server)
      await reader.start()
      await eventually(() => expect(server.watching).toContain('pods'))
      expect(lists(server, 'pods')).toBe(4)
      server.put('pods', pod('team', 'b'))
      await eventually(() => expect(podNames(reader)).toEqual(['a', 'b']))
      await eventually(() => expect(reader.state()).toMatchObject({ kind: 'connected', problems: [] }))
    },
  )

  test('a storm of 410 costs one list and one watch each time, and passes', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    server.misbehave = ({ path, query }) =>
      path === '/api/v1/nodes' && query.has('watch') ? { status: 410 } : undefined
    const reader = read(server)
    await reader.start()
    await eventually(() => expect(watches(server, 'nodes')).toBeGreaterThan(12))
    const stormed = server.calls.filter(({ path, query }) => path === '/api/v1/nodes' && query.has('watch'))
    expect(stormed.length).toBe(lists(server, 'nodes'))
    expect(reader.state().kind).toBe('connected')
    server.misbehave = () => undefined
    server.put('nodes', node('gpu-1'))
    await eventually(() => expect(has(reader).nodes.map(({ name }) => name)).toEqual(['gpu-0', 'gpu-1']))
  })

  test('a compacted history, with objects gone meanwhile, is listed again', async () => {
    const server = await serve()
    server.put('pods', pod('team', 'a'))
    const reader = read(server)
    await reader.start()
    await eventually(() => expect(server.watching).toContain('pods'))
    server.misbehave = ({ query }) => (query.has('watch') ? 'cut' : undefined)
    server.compact()
    server.remove('pods', 'team/a')
    server.compact()
    server.misbehave = () => undefined
    await eventually(() => expect(podNames(reader)).toEqual([]))
  })

  test('a watch cut in the middle of a line goes on where it stopped, without a new list', async () => {
    const server = await serve()
    const reader = read(server)
    await reader.start()
    await eventually(() => expect(server.watching).toContain('pods'))
    server.send('pods', '{"type":"ADDED","object":{"metadata":{"na')
    server.cut()
    server.put('pods', pod('team', 'a'))
    await eventually(() => expect(podNames(reader)).toEqual(['a']))
    expect(lists(server, 'pods')).toBe(1)
  })

  test('a watch that hears nothing is cut and resumed from the last bookmark', async () => {
    const server = await serve()
    const reader = read(server, { timing: { silence: 80 } })
    await reader.start()
    await eventually(() => expect(server.watching).toContain('pods'))
    server.version = 5000
    server.send('pods', `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '5000' } } })}\n`)
    const resumed = (): boolean =>
      server.calls.some(({ path, query }) => path === '/api/v1/pods' && query.get('resourceVersion') === '5000')
    await eventually(() => expect(resumed()).toBe(true))
    expect(lists(server, 'pods')).toBe(1)
    expect(reader.state().kind).toBe('connected')
  })

  test('a server that swallows everything is noticed by the heartbeat', async () => {
    const server = await serve()
    const reader = read(server, { timing: { probe: 60 } })
    await reader.start()
    await eventually(() =>
      expect(server.watching.toSorted()).toEqual([
        'configmaps',
        'events',
        'namespaces',
        'nodes',
        'poddisruptionbudgets',
        'pods',
        'priorityclasses',
        'resourcequotas',
      ]),
    )
    server.misbehave = () => 'hang'
    await eventually(() => expect(reader.state().kind).toBe('disconnected'))
    expect(reader.state().problems[0]?.message).toContain('did not answer within')
    server.misbehave = () => undefined
    server.put('pods', pod('team', 'a'))
    await eventually(() => expect(podNames(reader)).toEqual(['a']))
    expect(reader.state().kind).toBe('connected')
  })

  test('that a server stands still is told within half a minute', () => {
    expect(2 * DEFAULT_TIMING.heartbeat + DEFAULT_TIMING.probe).toBeLessThan(28_000)
  })

  const SIGN_IN = '<html>\n<title>Sign in</title>\n</html>'
  test.each([
    [200, SIGN_IN],
    [200, '{}'],
    [200, ''],
    [403, SIGN_IN],
    [403, '{"type":"error"}'],
    [404, ''],
  ])(
    'a server that begins to answer everything with %d %j is not taken for the one that it was, until it is again',
    async (status, text) => {
      const server = await serve()
      server.put('pods', pod('team', 'a'))
      const reader = read(server)
      await reader.start()
      await eventually(() => expect(server.watching).toContain('pods'))
      const { takenAt } = has(reader)
      server.misbehave = () => ({ status, text })
      server.cut()
      await eventually(() => expect(reader.state().kind).toBe('disconnected'))
      const asked = server.calls.length
      await eventually(() => expect(server.calls.length).toBeGreaterThan(asked + 40))
      expect(reader.state()).toMatchObject({ kind: 'disconnected', problems: [{ code: 'not-kubernetes' }] })
      expect(reader.state().problems).toHaveLength(1)
      expect(reader.state().problems[0]?.message).toMatch(/The data read until \w+ \d+.* \(UTC\) stays in use/)
      expect(podNames(reader)).toEqual(['a'])
      const lastHeard = reader.state().lastContact
      await eventually(() => expect(server.calls.length).toBeGreaterThan(asked + 80))
      expect(reader.state().lastContact).toBe(lastHeard)
      expect(has(reader).takenAt).toBeGreaterThanOrEqual(takenAt)
      server.misbehave = () => undefined
      server.put('pods', pod('team', 'b'))
      await eventually(() => expect(podNames(reader)).toEqual(['a', 'b']))
      await eventually(() => expect(reader.state()).toMatchObject({ kind: 'connected', problems: [] }))
    },
  )

  test('an expired token is named, and a renewed kubeconfig is taken up', async () => {
    const server = await serve()
    server.put('pods', pod('team', 'a'))
    let good = 'Bearer secret'
    const recorded: unknown = JSON.parse(recordedAnswer('err_401.json') ?? '{"kind":"Status","code":401}')
    server.misbehave = ({ authorization }) => (authorization === good ? undefined : { status: 401, body: recorded })
    const kubeconfig = writeKubeconfig(server.url)
    const reader = read(server, { kubeconfig })
    cleanUps.push(kubeconfig.remove)
    await reader.start()
    good = 'Bearer renewed'
    server.cut()
    await eventually(() =>
      expect(reader.state()).toMatchObject({ kind: 'disconnected', problems: [{ code: 'unauthorized' }] }),
    )
    expect(reader.state().problems[0]?.message).toMatch(/token has expired or was refused; renew it/)
    expect(reader.state().problems).toHaveLength(1)
    expect(podNames(reader)).toEqual(['a'])
    const renewed = writeKubeconfig(server.url, { token: 'renewed' })
    cleanUps.push(renewed.remove)
    copyFileSync(renewed.path, kubeconfig.path)
    await eventually(() => expect(reader.state()).toMatchObject({ kind: 'connected', problems: [] }))
    server.put('pods', pod('team', 'b'))
    await eventually(() => expect(podNames(reader)).toEqual(['a', 'b']))
  })

  test('a kubeconfig that leads to a metadata service is refused before anything is sent', async () => {
    for (const server of ['https://169.254.169.254', 'https://[64:ff9b::a9fe:a9fe]']) {
      const kubeconfig = writeKubeconfig(server)
      cleanUps.push(kubeconfig.remove)
      await expect(read(await serve(), { kubeconfig }).start()).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining('Septet sends nothing there'),
      })
    }
  })

  test('start refuses at once with a wrong token, and goes on trying', async () => {
    const server = await serve()
    server.misbehave = () => ({ status: 401 })
    const reader = read(server)
    await expect(reader.start()).rejects.toMatchObject({ name: 'ConnectError', code: 'unauthorized' })
    expect(reader.inventory()).toBeUndefined()
    expect(reader.state().problems[0]?.message).toContain('Nothing has been read yet')
    server.misbehave = () => undefined
    await eventually(() => expect(reader.inventory()).toBeDefined())
    expect(reader.state().kind).toBe('connected')
  })

  test('a server that is no Kubernetes API, or a sick one, is told from one that cannot be reached', async () => {
    const server = await serve()
    server.misbehave = () => ({ text: '<html>Welcome</html>' })
    await expect(read(server).start()).rejects.toMatchObject({
      code: 'not-kubernetes',
      message: expect.stringMatching(/^http:.* answers, but not as a Kubernetes API does; check the server address\.$/),
    })
    server.misbehave = () => ({ text: '{}' })
    await expect(read(server).start()).rejects.toMatchObject({ code: 'not-kubernetes' })
    server.misbehave = () => ({ status: 503 })
    await expect(read(server).start()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('answers, but with an error'),
    })
  })

  test('one resource that fails is named, and neither ends the connection nor holds up the rest', async () => {
    const server = await serve({ ...DEFAULT_RESOURCES, ...KUEUE })
    server.put('pods', pod('team', 'a'))
    server.misbehave = ({ path }) => (path.endsWith('/workloads') ? { status: 500 } : undefined)
    const reader = read(server)
    await reader.start()
    expect(podNames(reader)).toEqual(['a'])
    expect(reader.state()).toMatchObject({
      kind: 'connected',
      problems: [{ code: 'unreadable-resource', object: 'workloads' }],
    })
    server.misbehave = ({ path }) => (path.endsWith('/workloads') ? { text: '<html>' } : undefined)
    await eventually(() => expect(reader.state().problems[0]?.message).toContain('not as a Kubernetes API does'))
    expect(reader.state().kind).toBe('connected')
    server.misbehave = () => undefined
    await eventually(() => expect(reader.state().problems).toEqual([]))
  })

  test('a listener that throws does not cost the others their notice', async () => {
    const server = await serve()
    const errors: object[] = []
    const reader = read(server, { log: { ...log, error: (_, fields = {}) => errors.push(fields) } })
    await reader.start()
    let notices = 0
    reader.onChange(() => {
      throw new Error('mine')
    })
    reader.onChange(() => {
      notices += 1
    })
    server.put('pods', pod('team', 'a'))
    await eventually(() => expect(notices).toBeGreaterThan(0))
    expect(errors[0]).toEqual({ error: 'Error: mine' })
  })

  test('an overloaded server is asked again no sooner than it wishes', async () => {
    const server = await serve()
    server.put('pods', pod('team', 'a'))
    let refusals = 2
    server.misbehave = ({ path }) =>
      path === '/api/v1/pods' && refusals-- > 0 ? { status: 429, headers: { 'retry-after': '0.1' } } : undefined
    const reader = read(server)
    await reader.start()
    expect(podNames(reader)).toEqual(['a'])
    expect(lists(server, 'pods')).toBe(3)
  })

  test('a 10 MB event is thrown away, and a list makes up for it', async () => {
    const server = await serve()
    const reader = read(server)
    await reader.start()
    await eventually(() => expect(server.watching).toContain('pods'))
    server.send('pods', `{"type":"ADDED","object":{"metadata":{"name":"${'x'.repeat(10 * 1024 * 1024)}"}}}\n`)
    server.seed('pods', [pod('team', 'a')])
    await eventually(() => expect(podNames(reader)).toEqual(['a']))
    expect(lists(server, 'pods')).toBe(2)
  })

  test('an object that cannot be understood is named; the others are read', async () => {
    const server = await serve()
    server.put('nodes', node('gpu-0'))
    server.put('nodes', { ...node('gpu-bad'), status: { capacity: 'none at all' } })
    server.put('nodes', {
      ...node('gpu-late'),
      metadata: { name: 'gpu-late', uid: 'u', creationTimestamp: 'yesterday' },
    })
    const reader = read(server)
    await reader.start()
    expect(has(reader).nodes.map(({ name }) => name)).toEqual(['gpu-0'])
    expect(has(reader).problems.map(({ object }) => object)).toEqual(['nodes/gpu-bad', 'nodes/gpu-late'])
    expect(has(reader).problems[1]?.message).toContain('not a time: yesterday')
    server.put('nodes', node('gpu-bad'))
    await eventually(() => expect(has(reader).nodes.map(({ name }) => name)).toEqual(['gpu-0', 'gpu-bad']))
    server.remove('nodes', 'gpu-late')
    await eventually(() => expect(has(reader).problems).toEqual([]))
  })

  test('a broken cluster neither delays nor touches another', async () => {
    const [broken, sound] = [await serve(), await serve()]
    broken.misbehave = () => 'hang'
    sound.put('pods', pod('team', 'a'))
    const [first, second] = [read(broken, { timing: { response: 400 } }), read(sound)]
    const refused = first.start().catch((error: unknown) => error)
    await second.start()
    expect(podNames(second)).toEqual(['a'])
    expect(second.state()).toMatchObject({ kind: 'connected', problems: [] })
    expect(await refused).toMatchObject({ code: 'unreachable' })
  })
})

describe('missing permissions and APIs', () => {
  test('nodes forbidden: named with the verb and what to grant; the rest is read; granted later, it comes', async () => {
    const server = await serve({ ...DEFAULT_RESOURCES, ...DRA })
    server.put('nodes', node('gpu-0'))
    server.put('pods', pod('team', 'a'))
    server.denied.add('list nodes').add('list resourceslices')
    const reader = read(server)
    await reader.start()
    expect(has(reader).problems.map(({ code, message }) => ({ code, message }))).toEqual([
      {
        code: 'forbidden',
        message:
          "cannot list nodes: the reader's role lacks list on nodes; no GPU capacity is known; grant it with deploy/reader-clusterrole.yaml.",
      },
      {
        code: 'forbidden',
        message:
          "cannot list resourceslices: the reader's role lacks list on resourceslices.resource.k8s.io; MIG placements are inferred instead; grant it with deploy/reader-clusterrole.yaml.",
      },
    ])
    expect(reader.state().kind).toBe('connected')
    expect(podNames(reader)).toEqual(['a'])
    server.denied.clear()
    await eventually(() => expect(has(reader).problems).toEqual([]))
    expect(has(reader).nodes).toHaveLength(1)
  })

  test('budgets that may not be read, or an API server without them, cost nothing else', async () => {
    const server = await serve({ ...DEFAULT_RESOURCES, 'policy/v1': [] })
    server.put('pods', pod('team', 'a'))
    server.denied.add('list resourcequotas')
    const reader = read(server)
    await reader.start()
    expect(podNames(reader)).toEqual(['a'])
    expect(has(reader).budgets).toEqual([])
    const said = has(reader).problems.map(({ code, message }) => `${code}: ${message}`)
    expect(said).toEqual([
      expect.stringMatching(/^unreadable-resource: cannot list poddisruptionbudgets: .*evicted at once is unknown/),
      expect.stringMatching(/^forbidden: cannot list resourcequotas: .*grant it with deploy\/reader-clusterrole\.yaml/),
    ])
  })

  const refusal = recordedAnswer('err_403.json')
  test.skipIf(refusal === undefined)('the words of a real server that forbids are understood', async () => {
    const server = await serve()
    server.misbehave = ({ path }) =>
      path === '/api/v1/nodes' ? { status: 403, body: JSON.parse(refusal ?? '') } : undefined
    const reader = read(server)
    await reader.start()
    expect(has(reader).problems).toMatchObject([
      {
        code: 'forbidden',
        object: 'nodes',
        message: expect.stringContaining("cannot list nodes: the reader's role lacks list on nodes;"),
      },
    ])
  })

  test('watch forbidden, list allowed: the verb in the problem is watch', async () => {
    const server = await serve()
    server.denied.add('watch pods')
    const reader = read(server)
    await reader.start()
    await eventually(() =>
      expect(reader.state().problems[0]?.message).toContain("cannot watch pods: the reader's role lacks watch on pods"),
    )
  })

  test('without replicasets and jobs the name rules give the owner, and the problem says which', async () => {
    const server = await serve()
    server.denied.add('get replicasets').add('get jobs')
    const metadata = { labels: { 'pod-template-hash': '7d4b9c6f5' }, ...ownedBy('ReplicaSet', 'web-7d4b9c6f5') }
    server.put('pods', pod('team', 'web-7d4b9c6f5-x', { metadata }))
    server.put('pods', pod('team', 'odd', { metadata: ownedBy('ReplicaSet', 'odd-rs') }))
    server.put('pods', pod('team', 'nightly', { metadata: ownedBy('Job', 'etl-29384620', 'batch/v1') }))
    const reader = read(server)
    await reader.start()
    expect(has(reader).workloads.map(({ id }) => id)).toEqual([
      'team/CronJob/etl',
      'team/Deployment/web',
      'team/ReplicaSet/odd-rs',
    ])
    expect(has(reader).problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        "cannot get replicasets: the reader's role lacks get on replicasets.apps; Deployments are named by the pod-template-hash rule instead",
      ),
      expect.stringContaining('cannot get jobs'),
    ])
    server.denied.clear()
    server.put(
      'replicasets',
      owner('team', ['ReplicaSet', 'odd-rs'], ownedBy('Rollout', 'odd', 'argoproj.io/v1alpha1')),
    )
    await eventually(() => {
      server.put('pods', pod('team', 'nudge'))
      expect(has(reader).workloads.map(({ id }) => id)).toContain('team/Rollout/odd')
    })
  })

  test('every right that the shipped roles grant is used, and no other', async () => {
    const server = await serve({ ...DEFAULT_RESOURCES, ...DRA, ...KUEUE, ...VOLCANO, ...KAI })
    // Few owners are read one by one, many by a list.
    for (const [before, count] of [1, 60].entries()) {
      for (let at = 0; at < count; at += 1) putOwned(server, `${count}-${at}`)
      const reader = read(server)
      await reader.start()
      await eventually(() => expect(server.calls.filter(isWatchOfEvents)).toHaveLength(before + 1))
      await reader.stop()
    }
    const used = new Set(server.calls.flatMap(rightOf))
    const granted = RESOURCE_NAMES.flatMap((name) => ruleOf(name).verbs.map((verb) => `${verb} ${qualified(name)}`))
    expect([...used].toSorted()).toEqual(granted.toSorted())
  })

  test('owners that are granted later are looked up soon, though no pod changes meanwhile', async () => {
    const server = await serve()
    server.denied.add('get replicasets').add('list replicasets')
    server.put('pods', pod('team', 'odd', { metadata: ownedBy('ReplicaSet', 'odd-rs') }))
    server.put(
      'replicasets',
      owner('team', ['ReplicaSet', 'odd-rs'], ownedBy('Rollout', 'odd', 'argoproj.io/v1alpha1')),
    )
    const warned: string[] = []
    const reader = read(server, { log: { ...log, warn: (_, facts) => void warned.push(JSON.stringify(facts)) } })
    await reader.start()
    const asked = () => server.calls.filter(({ path }) => path.endsWith('/replicasets/odd-rs')).length
    await eventually(() => expect(asked()).toBeGreaterThan(3))
    // It is tried again and again, and said once.
    expect(warned.filter((each) => each.includes('replicasets'))).toHaveLength(1)
    server.denied.clear()
    await eventually(() => expect(has(reader).workloads.map(({ id }) => id)).toEqual(['team/Rollout/odd']))
    expect(has(reader).problems).toEqual([])
  })

  test('many owners are read by one list of their metadata', async () => {
    const server = await serve()
    for (let index = 0; index < 60; index += 1) {
      server.put('pods', pod('team', `p${index}`, { metadata: ownedBy('ReplicaSet', `r${index}`) }))
      server.put('replicasets', owner('team', ['ReplicaSet', `r${index}`], ownedBy('Deployment', `d${index % 3}`)))
    }
    const reader = read(server)
    await reader.start()
    expect(has(reader).workloads.map(({ id }) => id)).toEqual([
      'team/Deployment/d0',
      'team/Deployment/d1',
      'team/Deployment/d2',
    ])
    expect(server.calls.filter(({ path }) => path.includes('replicasets')).map(({ path }) => path)).toEqual([
      '/apis/apps/v1/replicasets',
    ])
  })

  test('an API that comes later is found, one that is gone is no problem', async () => {
    const server = await serve({ ...DEFAULT_RESOURCES, ...DRA })
    const reader = read(server, { timing: { rediscover: 60 } })
    await reader.start()
    server.serve('kueue.x-k8s.io/v1beta1', ['workloads', 'clusterqueues', 'localqueues'])
    server.put('clusterqueues', {
      metadata: { name: 'gpus', creationTimestamp: '2026-11-01T08:00:00Z' },
      status: { pendingWorkloads: 3, admittedWorkloads: 5 },
    })
    await eventually(() =>
      expect(has(reader).queues).toEqual([{ name: 'gpus', pendingWorkloads: 3, admittedWorkloads: 5 }]),
    )
    server.unserve('resource.k8s.io/v1')
    server.cut()
    await eventually(() => expect(server.watching).not.toContain('resourceslices'))
    await eventually(() => expect(reader.state()).toMatchObject({ kind: 'connected', problems: [] }))
  })

  test('queues of Volcano and of KAI are told apart by their groups, also where they may not be read', async () => {
    const server = await serve({ ...DEFAULT_RESOURCES, ...VOLCANO })
    const queue = { name: 'q', uid: 'q', creationTimestamp: '2026-11-01T08:00:00Z' }
    server.put('queues', { metadata: queue, spec: { capability: { 'nvidia.com/gpu': '4' } } })
    const reader = read(server)
    await reader.start()
    expect(has(reader).quotas.map(({ id }) => id)).toEqual(['Volcano/q/nvidia.com/gpu'])
    server.serve('scheduling.run.ai/v2', ['queues'])
    server.denied.add('list queues')
    const other = read(server)
    await other.start()
    expect(other.state().problems.map(({ message }) => message)).toEqual([
      "cannot list queues.scheduling.volcano.sh: the reader's role lacks list on queues.scheduling.volcano.sh; limits of queues of Volcano are unknown; grant it with deploy/reader-clusterrole.yaml.",
      "cannot list queues.scheduling.run.ai: the reader's role lacks list on queues.scheduling.run.ai; limits of queues of KAI are unknown; grant it with deploy/reader-clusterrole.yaml.",
    ])
  })

  test('what the role lacks is listed right by right', async () => {
    const server = await serve({ ...DEFAULT_RESOURCES, ...KUEUE })
    server.denied.add('watch workloads').add('list nodes')
    const reader = read(server)
    const missing = await reader.checkPermissions()
    expect(missing.map(({ verb, resource, group }) => `${verb} ${resource} ${group}`)).toEqual([
      'list nodes ',
      'watch workloads kueue.x-k8s.io',
    ])
    await server.stop()
    await expect(reader.checkPermissions()).rejects.toMatchObject({ code: 'unreachable' })
  })
})

test('stop ends every connection and the process may end', async () => {
  const server = await serve()
  const reader = read(server)
  await reader.start()
  await eventually(() => expect(server.watching).toEqual(expect.arrayContaining(['nodes', 'pods'])))
  await reader.stop()
  await eventually(() => expect(server.watching).toEqual([]))
  const calls = server.calls.length
  await new Promise((resolve) => {
    setTimeout(resolve, 200)
  })
  expect(server.calls.length).toBe(calls)
})
