import { describe, expect, test } from 'vitest'
import { loadCredentials } from './credentials.ts'
import { keptKubeconfig, offeredContexts } from './handed-kubeconfig.ts'

const file = (user: object, cluster: object = {}): string =>
  JSON.stringify({
    'current-context': 'main',
    contexts: [
      { name: 'main', context: { cluster: 'c', user: 'u' } },
      { name: 'other', context: { cluster: 'c', user: 'v' } },
    ],
    clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
    users: [
      { name: 'u', user },
      { name: 'v', user: { token: 'of-the-other' } },
    ],
  })

describe('what would run a program or read a file here is refused', () => {
  test.each([
    ['exec', { command: 'doctl' }, 'signs in by "exec", which would run the program "doctl" on the server'],
    ['auth-provider', { name: 'oidc' }, 'signs in by the auth provider "oidc", whose token cannot be renewed here'],
  ])('%s', (field, entry, words) => expect(() => keptKubeconfig(file({ [field]: entry }))).toThrow(words))
  test.each(['client-certificate', 'client-key', 'tokenFile'])('%s', (field) =>
    expect(() => keptKubeconfig(file({ [field]: '/etc/shadow' }))).toThrow(`names a file by "${field}"`),
  )
  test('the authority of the cluster', () =>
    expect(() => keptKubeconfig(file({}, { 'certificate-authority': '/etc/shadow' }))).toThrow(
      'names a file by "certificate-authority"',
    ))
  test('also when it is handed to the client', () =>
    expect(() => loadCredentials({ text: file({ exec: { command: 'sh' } }) })).toThrow('would run the program "sh"'))
})

test('of all contexts only the chosen one is kept, and of it only what is sent', () => {
  const kept = keptKubeconfig(file({ token: 'mine', 'x-unknown': 'y' }), { context: 'main' })
  expect(kept).toContain('"token":"mine"')
  expect(kept).not.toContain('of-the-other')
  expect(kept).not.toContain('x-unknown')
  expect(keptKubeconfig(kept)).toBe(kept)
  expect(loadCredentials({ text: kept }).server.origin).toBe('https://10.0.0.1:6443')
})

test('contexts tell how they sign in, and why they cannot be used', () => {
  expect(offeredContexts(file({ exec: { command: 'aws' } }))).toEqual([
    {
      name: 'main',
      server: 'https://10.0.0.1:6443',
      signsInBy: 'credential plugin',
      isCurrent: true,
      refused: expect.stringContaining('would run the program "aws"'),
    },
    {
      name: 'other',
      server: 'https://10.0.0.1:6443',
      signsInBy: 'token',
      isCurrent: false,
      refused: undefined,
    },
  ])
})

describe('what is not a kubeconfig gets one sentence', () => {
  test.each([
    ['hello', 'This is not a kubeconfig'],
    ['clusters: [\n  - name', 'is not valid YAML'],
    ['contexts: []\nclusters: 7', 'look at "clusters"'],
    [JSON.stringify({ contexts: [], clusters: [] }), 'names no current context'],
  ])('%s', (text, words) => expect(() => keptKubeconfig(text)).toThrow(words))
  test('a context that is not there', () =>
    expect(() => keptKubeconfig(file({}), { context: 'third' })).toThrow(
      'has no context "third" (it has: main, other)',
    ))
  test('a context that points nowhere', () =>
    expect(() =>
      keptKubeconfig(
        JSON.stringify({
          contexts: [{ name: 'a', context: { cluster: 'gone' } }],
          clusters: [],
          'current-context': 'a',
        }),
      ),
    ).toThrow('refers to a cluster that the kubeconfig does not define'))
})
