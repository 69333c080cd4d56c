import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { loadAllYaml } from '@kubernetes/client-node'
import { HOUR_MS, DEFAULT_ACT_POLICY, instant, type ClusterRecord } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { writeActPolicy } from '../act-policies.ts'
import { sealCredentials, writeConnections } from '../composition/stored-connections.ts'
import { adviceOf } from '../operations/actions/advice.fixture.ts'
import { factsOf } from '../operations/answering/facts.fixture.ts'
import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

const PUBLIC = 'https://septet.example.com'
const PROD = `${PUBLIC}/clusters/prod`
const LAB = `${PUBLIC}/clusters/lab`
const ANN = 'ann@septet.local'
const ANY = { pods: null, nodes: null, gpus: null, usdPerHour: null }

const role = loadAllYaml(
  readFileSync(new URL('../../../../deploy/token-review.yaml', import.meta.url), 'utf8'),
)[0] as Role
type Role = { readonly rules: Parameters<DemoCluster['grantActor']>[0] }

/** How far the clocks of the clusters are ahead. */
let ahead = 0
let folder: string
let prod: DemoCluster
let lab: DemoCluster
let septet: TestSeptet

const recordOf = (id: string): ClusterRecord => ({ id, name: id, kind: 'cluster', createdAt: instant(0) })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-accounts-'))
  const demo = (name: string): Promise<DemoCluster> =>
    startDemoCluster({
      seed: 7,
      scale: 'small',
      dataDir: join(folder, name),
      turnMs: HOUR_MS,
      clock: () => Date.now() + ahead,
    })
  ;[prod, lab] = await Promise.all([demo('prod'), demo('lab')])
  septet = await openTestSeptet({
    environment: {
      SEPTET_AUTHORIZED_EMAIL: ANN,
      SEPTET_SETUP_SECRET: 'of sixteen and more',
      SEPTET_PUBLIC_URL: PUBLIC,
      SEPTET_KUBECONFIG: prod.actorKubeconfigPath,
      SEPTET_CLUSTER_NAME: 'prod',
      SEPTET_SERVICE_ACCOUNTS: 'prod/team/agent,prod/team/doer=operator,lab/team/agent=operator:team+other,away/a/b',
    },
    facts: {
      clusters: () =>
        ['prod', 'lab'].map((id) => ({
          ...factsOf(draw`a  H100-80GB-HBM3  [team/x]`, [], recordOf(id)),
          acting: () => ({ kind: 'ready' as const }),
        })),
    },
  })
  const { secrets } = septet.identity.auth.context
  const stored = {
    id: 'lab',
    name: 'lab',
    addedAt: 0,
    addedBy: ANN,
    server: lab.apiUrl,
    signsInBy: 'token',
    operatorNamespace: 'gpu-operator',
    prometheusSecrets: [],
    exporterTargets: [],
    sealed: sealCredentials(secrets, 'lab', { kubeconfig: readFileSync(lab.kubeconfigPath, 'utf8') }),
  }
  const byAgent = { ...stored, id: 'away', name: 'away', server: 'agent/away' }
  await writeConnections(septet.store.settings, { connections: [stored, byAgent], left: [] })
})
beforeEach(() => prod.grantActor(role.rules))
afterEach(() => {
  ahead = 0
})
afterAll(async () => {
  await septet.close()
  await Promise.all([prod.close(), lab.close()])
  rmSync(folder, { recursive: true })
})

type Order = { readonly cluster?: DemoCluster; readonly audience?: string; readonly account?: string }

/** As the kubelet gets one for a pod. */
async function tokenOf({ cluster = prod, audience = PROD, account = 'team/agent' }: Order = {}): Promise<string> {
  const [namespace, name] = account.split('/')
  const answer = await fetch(`${cluster.apiUrl}/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${cluster.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: { audiences: [audience], expirationSeconds: 600 } }),
  })
  return ((await answer.json()) as { status: { token: string } }).status.token
}

type Sent = { readonly method?: string; readonly body?: object }

async function ask(path: string, token: string, { method = 'GET', body }: Sent = {}) {
  const answer = await fetch(`${septet.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    method,
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const post = (path: string, token: string, body: object) => ask(path, token, { method: 'POST', body })
const me = (token: string) => ask('/me', token)

const reviewsOf = (cluster: DemoCluster): number =>
  cluster
    .requests()
    .filter(({ resource }) => resource === 'tokenreviews')
    .reduce((sum, { count }) => sum + count, 0)

describe('a service account', () => {
  test('signs in with the token of its pod, as a viewer of its namespace unless more is said', async () => {
    expect(await me(await tokenOf())).toMatchObject({
      status: 200,
      body: {
        kind: 'token',
        name: 'system:serviceaccount:team:agent (prod)',
        role: 'viewer',
        namespaces: ['team'],
        clusters: ['prod'],
      },
    })
    expect((await me(await tokenOf({ account: 'team/doer' }))).body).toMatchObject({
      role: 'operator',
      namespaces: null,
    })
    const other = await tokenOf({ cluster: lab, audience: LAB })
    expect((await me(other)).body).toMatchObject({ role: 'operator', namespaces: ['team', 'other'], clusters: ['lab'] })
  })

  test('is answered over MCP too', async () => {
    const answer = await fetch(`${septet.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokenOf()}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('fleet_summary')])
  })

  test('does not read /metrics, which cover other clusters too', async () => {
    const headers = { authorization: `Bearer ${await tokenOf({ account: 'team/doer' })}` }
    const answer = await fetch(`${septet.url}/metrics`, { headers })
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('cover every cluster')])
  })

  test('is refused outside its namespaces and its cluster, as every restricted viewer', async () => {
    const token = await tokenOf()
    expect((await ask('/workloads?cluster=lab', token)).status).toBe(404)
    expect((await ask('/audit', token)).status).toBe(403)
    expect((await post('/tokens', token, { name: 'more', expiresInDays: 1 })).status).toBe(403)
  })

  test('has its token reviewed once while the answer is remembered, and only by the cluster that it names', async () => {
    const before = [reviewsOf(prod), reviewsOf(lab)]
    const token = await tokenOf()
    await Promise.all([me(token), me(token), me(token)])
    await me(token)
    expect([reviewsOf(prod), reviewsOf(lab)]).toEqual([(before[0] ?? 0) + 1, before[1]])
  })
})

const refused = (status: number, code: string, detail: string) => ({
  status,
  body: expect.objectContaining({ code, detail: expect.stringContaining(detail) }) as object,
})

describe('it is refused', () => {
  test('with a token for somebody else, which no API server is shown', async () => {
    const before = reviewsOf(prod)
    for (const audience of ['https://elsewhere.example', PUBLIC, `${PUBLIC}/clusters/none`]) {
      const answer = await me(await tokenOf({ audience }))
      expect(answer).toEqual(refused(401, 'not-signed-in', 'was not issued for this Septet'))
      expect(answer.body['todo']).toContain(`${PUBLIC}/clusters/CLUSTER`)
    }
    expect(reviewsOf(prod)).toBe(before)
  })

  test('with an expired token, by Septet’s clock or by the cluster’s', async () => {
    const later = await tokenOf()
    ahead = HOUR_MS
    expect(await me(later)).toEqual(refused(401, 'not-signed-in', 'API server of prod does not accept'))
    ahead = -HOUR_MS
    expect(await me(await tokenOf())).toEqual(refused(401, 'not-signed-in', 'has expired'))
  })

  test('with a forged token, and with one of another cluster', async () => {
    const [header = '', claims = ''] = (await tokenOf()).split('.')
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
    const signature = sign('sha256', Buffer.from(`${header}.${claims}`), key).toString('base64url')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const wrong = [`${header}.${claims}.${signature}`, `${none}.${claims}.`, await tokenOf({ cluster: lab })]
    for (const token of wrong) expect(await me(token)).toEqual(refused(401, 'not-signed-in', 'does not accept'))
  })

  test('where no setting names it, in this cluster', async () => {
    const answer = await me(await tokenOf({ account: 'team/other' }))
    expect(answer).toEqual(refused(403, 'not-allowed', 'system:serviceaccount:team:other of prod'))
    const elsewhere = await tokenOf({ cluster: lab, audience: LAB, account: 'team/doer' })
    expect(await me(elsewhere)).toEqual(refused(403, 'not-allowed', 'of lab'))
  })

  test('while its cluster cannot be asked; everything else works', async () => {
    prod.grantActor([])
    expect(await me(await tokenOf())).toEqual(refused(503, 'sign-in-unavailable', 'not allowed to check'))
    const away = await tokenOf({ audience: `${PUBLIC}/clusters/away` })
    expect(await me(away)).toEqual(refused(503, 'sign-in-unavailable', 'no connection to the API server of away'))
    prod.grantActor(role.rules)
    const gone = await startDemoCluster({ seed: 7, scale: 'small', dataDir: join(folder, 'gone'), turnMs: HOUR_MS })
    const closed = await openTestSeptet({
      environment: {
        SEPTET_PUBLIC_URL: PUBLIC,
        SEPTET_AUTHORIZED_EMAIL: ANN,
        SEPTET_SETUP_SECRET: 'of sixteen and more',
        SEPTET_KUBECONFIG: gone.kubeconfigPath,
        SEPTET_CLUSTER_NAME: 'gone',
        SEPTET_SERVICE_ACCOUNTS: 'gone/team/agent',
      },
    })
    const token = await tokenOf({ cluster: gone, audience: `${PUBLIC}/clusters/gone` })
    await gone.close()
    const person = await closed.signIn(ANN)
    const asked = (authorization: string) => fetch(`${closed.url}/api/v1/me`, { headers: { authorization } })
    const answer = await asked(`Bearer ${token}`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toMatchObject({
      code: 'sign-in-unavailable',
      detail: 'The API server of gone does not respond, so its service account tokens cannot be checked.',
    })
    expect((await asked(person.authorization)).status).toBe(200)
    await closed.close()
  })

  test('where service accounts are not let in, and no API server is asked', async () => {
    const before = reviewsOf(prod)
    const off = await openTestSeptet({
      environment: { SEPTET_KUBECONFIG: prod.actorKubeconfigPath, SEPTET_CLUSTER_NAME: 'prod' },
    })
    const headers = { authorization: `Bearer ${await tokenOf()}` }
    expect((await fetch(`${off.url}/api/v1/me`, { headers })).status).toBe(401)
    await off.close()
    expect(reviewsOf(prod)).toBe(before)
  })
})

test('it proposes and never approves what it proposed; the audit log names it', async () => {
  const advice = adviceOf('prod', Date.now())
  await septet.store.clusters.upsert(recordOf('prod'))
  await septet.store.recommendations.replace('prod', { madeAt: advice.madeAt, recommendations: [advice] })
  const modes = { ...DEFAULT_ACT_POLICY.modes, 'reclaim-idle': 'approve' as const }
  const auto = { classes: [], budget: { hour: ANY, day: ANY }, keptToAdvance: 3, resumedAt: {} }
  const policy = {
    ...DEFAULT_ACT_POLICY,
    modes,
    auto,
    windows: [],
    protectedNamespaces: [],
    limits: { run: ANY, hour: ANY, day: ANY },
  }
  await writeActPolicy(septet.store.settings, 'prod', { policy, changedAt: 0, changedBy: ANN })
  const token = await tokenOf({ account: 'team/doer' })
  const proposed = await post('/actions', token, { cluster: 'prod', recommendation: advice.id })
  const { id, digest } = proposed.body as { id: string; digest: string }
  expect(proposed.body).toMatchObject({ proposedBy: 'system:serviceaccount:team:doer (prod)' })
  const approval = await ask(`/actions/${id}/approval`, token, { method: 'PUT', body: { cluster: 'prod', digest } })
  expect([approval.status, approval.body['detail']]).toEqual([403, expect.stringContaining('cannot approve their own')])
  const person = await septet.signIn(ANN)
  const log = await fetch(`${septet.url}/api/v1/audit`, { headers: person })
  expect(await log.text()).toContain('"actor":"system:serviceaccount:team:doer (prod)"')
})

test('after many refused tokens from one address no more are sent to the API server, and known ones still work', async () => {
  const good = await tokenOf()
  expect((await me(good)).status).toBe(200)
  const [header, claims] = good.split('.')
  const before = reviewsOf(prod)
  const statuses = []
  for (let count = 0; count < 40; count += 1) statuses.push((await me(`${header}.${claims}.AAA${count}`)).status)
  expect(statuses.at(-1)).toBe(429)
  expect(reviewsOf(prod) - before).toBeLessThanOrEqual(30)
  expect((await me(good)).status).toBe(200)
})

test('Septet has used the right that token-review.yaml gives, and no other', () => {
  const used = prod.requests().filter(({ user }) => user === 'system:serviceaccount:septet:septet-actor')
  const texts = used.map(({ verb, group, resource }) => ({ apiGroups: [group], resources: [resource], verbs: [verb] }))
  expect(texts).toEqual(role.rules)
})
