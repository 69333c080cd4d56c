import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { instant } from '@septet/domain'
import { draw } from '@septet/domain/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { standingInstallation } from '../../composition/cluster-service.fixture.ts'
import type { ClusterFacts } from '../../facts.ts'
import { factsOf } from '../../operations/answering/facts.fixture.ts'
import { LoopRecord } from '../../repeat.ts'
import { openTestSeptet, type TestSeptet } from '../open-test-septet.fixture.ts'

/** What must be in no file, by where it is planted. */
const SECRETS = {
  master: 'swordfish-swordfish-swordfish-swordfish',
  setup: 'open sesame for the first admin',
  databasePassword: 'hunterTwo',
  smtpPassword: 'correct-horse',
  metricsToken: 'glsa_Zq81kkPl20xTestToken',
  metricsHeader: 'X-Scope-Key',
  ssoSecretFile: '/var/secrets/sso-client',
  copilotKey: 'sk-proj-abcdefABCDEF0123456789',
  webhook: 'https://hooks.slack.com/services/T0000/B0000/XXXXyyyyZZZZ',
  jwt: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJl',
  kubeconfigKey: 'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ==',
  apiToken: 'septet_7f3a9c0e1b2d4f6a8c0e',
  basic: 'Basic dXNlcjpwYXNzd29yZA==',
  person: 'ada.lovelace@example.com',
  host: 'postgres.internal.example.com',
} as const

const ENVIRONMENT = {
  SEPTET_SECRET: SECRETS.master,
  SEPTET_SETUP_SECRET: SECRETS.setup,
  DATABASE_URL: `postgres://septet:${SECRETS.databasePassword}@${SECRETS.host}:5432/septet`,
  SEPTET_PUBLIC_URL: 'http://127.0.0.1:7070',
  SEPTET_SMTP_URL: `smtps://mailer:${SECRETS.smtpPassword}@smtp.example.com`,
  SEPTET_COPILOT_URL: 'http://127.0.0.1:9',
  SEPTET_COPILOT_MODEL: 'model',
  SEPTET_COPILOT_KEY: SECRETS.copilotKey,
  SEPTET_POLL_SECONDS: '17',
}

/** Words of a program, with every secret in them. */
const CARELESS = `The server refused ${Object.values(SECRETS).join(' and ')} (password: ${SECRETS.databasePassword}, "${SECRETS.jwt}"). Retrying in 5 s.`

const careless = async (): Promise<LoopRecord> => {
  const loop = new LoopRecord('notifications', 2000)
  await loop.run(() => Promise.reject(new Error(CARELESS))).catch(() => undefined)
  return loop
}

const cluster = (loop: LoopRecord): ClusterFacts => ({
  ...factsOf(draw`gpu-node-a  H100-80GB-HBM3  [secret-team/secret-job]`, [], {
    id: 'prod-eu',
    name: 'Production Europe',
    kind: 'cluster',
    createdAt: instant(0),
  }),
  size: () => ({ serverVersion: 'v1.34.0', nodes: 1, gpus: 1, devices: 1 }),
  problems: () => [
    { code: 'target-failed', message: `gpu-node-a: ${CARELESS}`, object: 'node/gpu-node-a' },
    { code: 'holder', message: 'secret-team/secret-job does not run.', object: 'workload/secret-team/secret-job' },
  ],
  health: () => ({
    loops: [loop.state()],
    sources: [{ name: 'kubernetes', state: 'failing', since: instant(0), heardAt: undefined, because: CARELESS }],
    unwrittenRows: 3,
  }),
})

let septet: TestSeptet
let admin: { authorization: string }
const folder = mkdtempSync(join(tmpdir(), 'septet-diagnostics-'))
const path = '/api/v1/diagnostics'
beforeAll(async () => {
  const loop = await careless()
  const facts = [cluster(loop)]
  septet = await openTestSeptet({
    environment: ENVIRONMENT,
    facts: { clusters: () => facts },
    itself: {
      thisServer: {
        ...standingInstallation,
        server: { name: 'septet-0-abc', role: 'all' },
        loops: () => [loop.state()],
      },
      log: () => [
        JSON.stringify({ level: 40, time: 1, cluster: 'prod-eu', error: CARELESS, msg: 'analysis failed' }),
        JSON.stringify({ level: 40, time: 2, nested: { deep: [SECRETS.apiToken] }, msg: CARELESS }),
        `no JSON at all ${SECRETS.jwt}`,
      ],
    },
  })
  admin = await septet.signIn('admin@septet.local')
})
afterAll(async () => {
  await septet.close()
  rmSync(folder, { recursive: true })
})

/** The files of a bundle, by name, as tar unpacks them. */
async function bundle(query = ''): Promise<ReadonlyMap<string, string>> {
  const answer = await fetch(`${septet.url}${path}${query}`, { headers: admin })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  const into = mkdtempSync(join(folder, 'one-'))
  writeFileSync(join(into, 'b.tar.gz'), Buffer.from(await answer.arrayBuffer()))
  execFileSync('tar', ['xzf', 'b.tar.gz'], { cwd: into })
  const [inside = ''] = readdirSync(into).filter((name) => name !== 'b.tar.gz')
  return new Map(readdirSync(join(into, inside)).map((name) => [name, readFileSync(join(into, inside, name), 'utf8')]))
}

describe('the bundle', () => {
  test('is for admins alone', async () => {
    expect((await fetch(`${septet.url}${path}`)).status).toBe(401)
    expect((await fetch(`${septet.url}${path}?names=all`, { headers: admin })).status).toBe(400)
  })

  test.each(['', '?names=kept'])('holds no secret, wherever it was (%s)', async (query) => {
    const files = await bundle(query)
    const found = Object.entries(SECRETS).flatMap(([name, secret]) =>
      [...files].flatMap(([file, text]) => (text.includes(secret) ? [`${name} in ${file}`] : [])),
    )
    expect(found).toEqual([])
    const all = [...files.values()].join('')
    for (const part of ['hooks.slack.com', 'example.com', 'XXXXyyyyZZZZ', 'eyJ', 'LS0t', 'dXNlcj', 'ada.lovelace'])
      expect([part, all.includes(part)]).toEqual([part, false])
  })

  test('has what tells what is wrong', async () => {
    const files = await bundle()
    expect([...files.keys()].toSorted()).toEqual([
      'README.txt',
      'clusters.json',
      'database.json',
      'log.ndjson',
      'made.json',
      'metrics.txt',
      'settings.json',
      'status.json',
      'version.json',
    ])
    expect(JSON.parse(files.get('settings.json') ?? '')).toMatchObject({
      SEPTET_POLL_SECONDS: '17',
      SEPTET_STORE_SECONDS: '30 (default)',
      SEPTET_SECRET: '(set)',
      SEPTET_KUBECONFIG: '(not set)',
      DATABASE_URL: '(set)',
    })
    expect(JSON.parse(files.get('database.json') ?? '')).toMatchObject({
      migrations: expect.arrayContaining([expect.any(Number)]),
      tables: expect.arrayContaining([expect.objectContaining({ name: 'settings', bytes: expect.any(Number) })]),
    })
    expect(JSON.parse(files.get('clusters.json') ?? '')).toMatchObject([
      { kubernetes: 'v1.34.0', unwrittenRows: 3, problems: [{ code: 'target-failed' }, { code: 'holder' }] },
    ])
    expect(files.get('status.json')).toContain('"failing"')
    expect(files.get('status.json')).toContain('Retrying in 5 s.')
    expect(files.get('log.ndjson')?.split('\n')[0]).toContain('"msg":"analysis failed"')
    expect(files.get('metrics.txt')).toContain('septet_loop_consecutive_failures{cluster="cluster-1"')
  })

  test('has no name of a cluster, a node, a namespace or work; one alias stands for one name in all files', async () => {
    const files = await bundle()
    const all = [...files.values()].join('')
    for (const name of ['prod-eu', 'Production', 'gpu-node-a', 'secret-team', 'secret-job', 'septet-0-abc'])
      expect([name, all.includes(name)]).toEqual([name, false])
    expect(files.get('clusters.json')).toContain('"object": "node/node-1"')
    expect(files.get('clusters.json')).toMatch(/namespace-1\/(?:workload|pod)-1 does not run\./u)
    expect(files.get('status.json')).toContain('"cluster": "cluster-1"')
  })

  test('keeps names where they are wanted, and only known ones', async () => {
    const all = [...(await bundle('?names=kept')).values()].join('')
    expect(all).toContain('secret-team/secret-job does not run.')
    expect(all).toContain('"cluster": "prod-eu"')
  })
})
