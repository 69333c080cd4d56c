import { describe, expect, test } from 'vitest'

import { readConfig } from './config.ts'

const read = (environment: Record<string, string>) => readConfig(environment, '/srv').auth.sso
const PROVIDER = { SEPTET_SSO_ISSUER: 'https://sso.example.com/realms/main', SEPTET_SSO_CLIENT_ID: 'septet' }
const HOSTED = { SEPTET_SUPABASE_URL: 'https://project.supabase.co', SEPTET_SUPABASE_ANON_KEY: 'sb_publishable_1' }

describe('settings of single sign-on', () => {
  test('nothing set is none', () => expect(read({})).toBeUndefined())

  test('an issuer and what it calls Septet are enough', () => {
    expect(read(PROVIDER)).toEqual({
      name: 'single sign-on',
      by: {
        kind: 'oidc',
        issuer: 'https://sso.example.com/realms/main',
        clientId: 'septet',
        clientSecretFile: undefined,
        scopes: 'openid email profile',
        groupsClaim: 'groups',
      },
      groups: undefined,
      link: false,
      signOut: false,
      sessionHours: 12,
      tokenDays: 30,
    })
  })

  test('groups have a role, and namespaces where they are limited; their names may hold what separates the two', () => {
    const groups = 'platform=admin, /ml/team=viewer:team-a+team-b,a=b:c=operator'
    expect(read({ ...PROVIDER, SEPTET_SSO_GROUPS: groups })?.groups).toEqual([
      { group: 'platform', role: 'admin', namespaces: undefined },
      { group: '/ml/team', role: 'viewer', namespaces: ['team-a', 'team-b'] },
      { group: 'a=b:c', role: 'operator', namespaces: undefined },
    ])
  })

  test('everything else that is set arrives, a file below the working directory', () => {
    const sso = read({
      ...PROVIDER,
      SEPTET_SSO_NAME: 'Acme',
      SEPTET_SSO_CLIENT_SECRET_FILE: 'secrets/sso',
      SEPTET_SSO_SCOPES: 'openid email groups',
      SEPTET_SSO_GROUPS_CLAIM: 'realm_access.roles',
      SEPTET_SSO_LINK: 'on',
      SEPTET_SSO_SIGN_OUT: 'on',
      SEPTET_SSO_SESSION_HOURS: '8',
      SEPTET_SSO_TOKEN_DAYS: '7',
    })
    expect(sso).toMatchObject({ name: 'Acme', link: true, signOut: true, sessionHours: 8, tokenDays: 7 })
    expect(sso?.by).toMatchObject({
      clientSecretFile: '/srv/secrets/sso',
      scopes: 'openid email groups',
      groupsClaim: 'realm_access.roles',
    })
  })

  test('proxies are named with the headers in which they say who came', () => {
    const sso = read({ SEPTET_SSO_PROXIES: '10.1.2.3, fd00::/8', SEPTET_SSO_EMAIL_HEADER: 'Remote-Email' })
    expect(sso?.by).toEqual({
      kind: 'proxy',
      proxies: ['10.1.2.3', 'fd00::/8'],
      emailHeader: 'Remote-Email',
      groupsHeader: 'x-auth-request-groups',
    })
  })

  test.each<[string, Record<string, string>, string]>([
    [
      'a provider in the open',
      { ...PROVIDER, SEPTET_SSO_ISSUER: 'http://sso.example.com' },
      'must be an https:// address',
    ],
    [
      'one for everybody in the world',
      { ...PROVIDER, SEPTET_SSO_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
      'people of every organization',
    ],
    ['one that calls Septet nothing', { SEPTET_SSO_ISSUER: 'https://a.example' }, 'without SEPTET_SSO_CLIENT_ID'],
    ['a name at no provider', { SEPTET_SSO_CLIENT_ID: 'septet' }, 'without SEPTET_SSO_ISSUER'],
    ['a secret for no provider', { SEPTET_SSO_CLIENT_SECRET_FILE: 'f' }, 'without SEPTET_SSO_ISSUER'],
    ['groups of nobody', { SEPTET_SSO_GROUPS: 'ml=viewer' }, 'without SEPTET_SSO_ISSUER or SEPTET_SSO_PROXIES'],
    [
      'nowhere to come back to',
      { ...PROVIDER, SEPTET_HOST: '0.0.0.0' },
      'SEPTET_SSO_ISSUER is set without SEPTET_PUBLIC_URL',
    ],
    ['a provider and a proxy', { ...PROVIDER, SEPTET_SSO_PROXIES: '10.1.2.3' }, 'are both set'],
    ['everybody as a proxy', { SEPTET_SSO_PROXIES: '0.0.0.0/0' }, 'SEPTET_SSO_PROXIES holds "0.0.0.0/0"'],
    ['a proxy by its name', { SEPTET_SSO_PROXIES: 'proxy' }, 'SEPTET_SSO_PROXIES holds "proxy"'],
    ['a header that is none', { SEPTET_SSO_PROXIES: '::1', SEPTET_SSO_EMAIL_HEADER: 'a b' }, 'the name of a header'],
    ['a provider beside a project', { ...PROVIDER, ...HOSTED }, 'SEPTET_SSO_ISSUER is set beside SEPTET_SUPABASE_URL'],
    ['scopes without openid', { ...PROVIDER, SEPTET_SSO_SCOPES: 'email' }, 'with openid among them'],
    ['a session without end', { ...PROVIDER, SEPTET_SSO_SESSION_HOURS: '721' }, 'from 1 to 720'],
    ['no time at all', { ...PROVIDER, SEPTET_SSO_TOKEN_DAYS: '0' }, 'from 1 to 400'],
    ['a group without a role', { ...PROVIDER, SEPTET_SSO_GROUPS: 'ml' }, 'SEPTET_SSO_GROUPS holds "ml"'],
    ['a role that there is not', { ...PROVIDER, SEPTET_SSO_GROUPS: 'ml=owner' }, 'holds "ml=owner"'],
    ['namespaces that are none', { ...PROVIDER, SEPTET_SSO_GROUPS: 'ml=viewer:Team_A' }, 'holds "ml=viewer:Team_A"'],
    ['a limit to no namespace', { ...PROVIDER, SEPTET_SSO_GROUPS: 'ml=viewer:' }, 'holds "ml=viewer:"'],
  ])('%s is refused', (_name, environment, words) => expect(() => read(environment)).toThrow(words))
})
