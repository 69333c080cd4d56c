import { OPERATIONS } from '@septet/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openTestSeptet, type TestSeptet } from './open-test-septet.fixture.ts'

type Headers = Record<string, string>

/** One Septet plays the hosted project that holds the accounts; another trusts it; a third is a stranger. */
let project: TestSeptet
let septet: TestSeptet
let stranger: TestSeptet

beforeAll(async () => {
  const everyone = { SEPTET_AUTHORIZED_EMAIL: 'ops@example.com, *' }
  project = await openTestSeptet({ environment: everyone })
  stranger = await openTestSeptet({ environment: everyone })
  septet = await openTestSeptet({
    environment: {
      SEPTET_SUPABASE_URL: project.url,
      SEPTET_SUPABASE_ANON_KEY: 'sb_publishable_septet',
      SEPTET_AUTHORIZED_EMAIL: 'ops@example.com, ann@example.com',
    },
  })
})
afterAll(async () => {
  for (const each of [project, septet, stranger]) await each.close()
})

const get = (path: string, headers: Headers = {}): Promise<Response> => fetch(`${septet.url}${path}`, { headers })
const outcome = async (path: string, headers: Headers): Promise<unknown> => {
  const answer = await get(path, headers)
  return [answer.status, ((await answer.json()) as { code?: string }).code]
}

const me = async (email: string) =>
  OPERATIONS.sessionMe.output.parse(await (await get('/api/v1/me', await project.signIn(email))).json())

describe('accounts of a hosted project', () => {
  test('are who they are there, with the role that they have here', async () => {
    expect(await me('ops@example.com')).toMatchObject({ name: 'ops@example.com', role: 'admin', mode: 'hosted' })
    expect(await me('ann@example.com')).toMatchObject({ name: 'ann@example.com', role: 'viewer', kind: 'account' })
  })

  test('are refused when they are not admitted here, whatever the project thinks of them', async () => {
    const bob = await project.signIn('bob@example.com')
    expect(await outcome('/api/v1/clusters', bob)).toEqual([403, 'not-allowed'])
    expect(await outcome('/metrics', bob)).toEqual([403, 'not-allowed'])
  })

  test('of another issuer are strangers, also with an address that is admitted', async () => {
    const ops = await stranger.signIn('ops@example.com')
    expect(await outcome('/api/v1/clusters', ops)).toEqual([401, 'not-signed-in'])
  })

  test('make API tokens and are audited here', async () => {
    const ops = await project.signIn('ops@example.com')
    const made = await fetch(`${septet.url}/api/v1/tokens`, {
      method: 'POST',
      headers: { ...ops, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ci' }),
    })
    const { secret } = OPERATIONS.tokensCreate.output.parse(await made.json())
    expect((await get('/api/v1/summary', { authorization: `Bearer ${secret}` })).status).toBe(200)
    const audit = OPERATIONS.auditList.output.parse(await (await get('/api/v1/audit', ops)).json())
    expect(audit.entries).toMatchObject([{ actor: 'ops@example.com', action: 'tokens.create', object: 'ci' }])
  })

  test('have their sessions and mails there, and the sign-in page leads there', async () => {
    const ops = await project.signIn('ops@example.com')
    expect(await outcome('/api/v1/sessions', ops)).toEqual([404, 'not-found'])
    expect(await outcome('/api/v1/mails', ops)).toEqual([404, 'not-found'])
    expect(await (await get('/auth/sign-in.json')).json()).toMatchObject({
      mode: 'hosted',
      url: project.url,
      key: 'sb_publishable_septet',
      needsSetupSecret: false,
    })
    expect((await get('/auth/v1/health')).status).toBe(404)
  })
})
