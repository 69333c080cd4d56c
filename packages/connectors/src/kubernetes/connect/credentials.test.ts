import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { ConnectError } from './connect-error.ts'
import { loadCredentials } from './credentials.ts'

const folder = mkdtempSync(join(tmpdir(), 'septet-credentials-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let written = 0
function kubeconfig(content: string | object): string {
  const path = join(folder, `config-${(written += 1)}`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const config = (user: object, cluster: object = {}): object => ({
  'current-context': 'main',
  contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
  users: [{ name: 'u', user }],
})
const told = (user: object) => loadCredentials({ path: kubeconfig(config(user)) }).requestOptions()
function refusal(path: string, context?: string): Pick<ConnectError, 'code' | 'message'> {
  try {
    loadCredentials({ path, context })
  } catch (error) {
    const { code, message } = error as ConnectError
    return { code, message: message.replaceAll(folder, '~') }
  }
  throw new Error('it was taken')
}

describe('a wrong kubeconfig gets one clear sentence', () => {
  test('a missing file', () =>
    expect(refusal('/nowhere/config')).toEqual({
      code: 'kubeconfig-missing',
      message: 'Cannot read the kubeconfig /nowhere/config: there is no such file; give the path of one that exists.',
    }))
  test('a folder', () => expect(refusal(folder).message).toContain('it is a folder'))
  test('bad YAML', () => {
    const { code, message } = refusal(kubeconfig('clusters: [\n  - name'))
    expect(code).toBe('kubeconfig-invalid')
    expect(message).toMatch(/^The kubeconfig ~\/config-\d+ is not valid YAML: [^\n]+\.$/)
  })
  test('an empty file, or another kind of file', () => {
    expect(refusal(kubeconfig('\n')).message).toContain('is empty')
    expect(refusal(kubeconfig('hello')).message).toContain('is not a kubeconfig')
  })
  test('no current context', () => {
    const { code, message } = refusal(kubeconfig({ ...config({}), 'current-context': '' }))
    expect(code).toBe('context-missing')
    expect(message).toContain('names no current context; choose one (it has: main)')
  })
  test('a context that is not there', () =>
    expect(refusal(kubeconfig(config({})), 'other').message).toContain('has no context "other"; it has: main'))
  test('a context that points nowhere', () => {
    expect(refusal(kubeconfig({ ...config({}), clusters: [] })).message).toContain(
      'refers to cluster "c", which the file does not define',
    )
    expect(refusal(kubeconfig({ ...config({}), users: [] })).message).toContain('refers to user "u"')
  })
  test('a cluster without a server, or with a strange one', () => {
    expect(refusal(kubeconfig(config({}, { server: '' }))).message).toContain('clusters[0].cluster.server is missing')
    expect(refusal(kubeconfig(config({}, { server: 'ftp://x' }))).message).toContain(
      '"ftp://x", which is no http or https address',
    )
  })
  test('a certificate that is missing, unreadable or no certificate', () => {
    expect(refusal(kubeconfig(config({ 'client-certificate': 'gone.crt', 'client-key': 'gone.key' })))).toEqual({
      code: 'credentials-unreadable',
      message: expect.stringMatching(
        /^Cannot read the client certificate ~\/gone\.crt that the kubeconfig ~\/config-\d+ names: there is no such file\.$/,
      ),
    })
    mkdirSync(join(folder, 'ca.crt'))
    expect(refusal(kubeconfig(config({}, { 'certificate-authority': 'ca.crt' }))).message).toContain('it is a folder')
    const garbage = Buffer.from('garbage').toString('base64')
    expect(refusal(kubeconfig(config({}, { 'certificate-authority-data': garbage }))).message).toContain(
      'certificate authority of the kubeconfig',
    )
    expect(refusal(kubeconfig(config({ 'client-certificate-data': garbage, 'client-key-data': garbage }))).code).toBe(
      'credentials-unreadable',
    )
    expect(refusal(kubeconfig(config({ 'client-key-data': garbage }))).message).toContain(
      'client key without its certificate',
    )
  })
  test('a token over plain HTTP to another machine', () =>
    expect(refusal(kubeconfig(config({ token: 't' }, { server: 'http://10.0.0.1:8080' })))).toMatchObject({
      code: 'credentials-in-clear',
    }))
})

describe('good credentials', () => {
  test('a token becomes a header, a path in the server address stays', async () => {
    const loaded = loadCredentials({
      path: kubeconfig(config({ token: 't' }, { server: 'https://rancher/k8s/clusters/c-1' })),
    })
    expect(loaded.server.href).toBe('https://rancher/k8s/clusters/c-1')
    expect((await loaded.requestOptions()).headers).toEqual({ Authorization: 'Bearer t' })
  })

  test('a token in a file, a password and whoever is impersonated are told too', async () => {
    writeFileSync(join(folder, 'token'), 'from-file')
    expect((await told({ tokenFile: 'token' })).headers).toEqual({ Authorization: 'Bearer from-file' })
    const { auth, headers } = await told({ username: 'u', password: 'p', as: 'somebody' })
    expect({ auth, headers }).toEqual({ auth: 'u:p', headers: { 'Impersonate-User': 'somebody' } })
  })

  test('what secures the line is handed on: the name to check, and whether to check at all', async () => {
    const cluster = { 'tls-server-name': 'kubernetes', 'insecure-skip-tls-verify': true }
    const loaded = loadCredentials({ path: kubeconfig(config({ token: 't' }, cluster)) })
    expect(await loaded.requestOptions()).toMatchObject({ servername: 'kubernetes', rejectUnauthorized: false })
    expect(loaded.unverified).toBe(true)
  })

  test('a proxy gets an agent, and everything else of it', async () => {
    const { agent, headers } = await loadCredentials({
      path: kubeconfig(config({ token: 't' }, { 'proxy-url': 'http://127.0.0.1:3128' })),
    }).requestOptions()
    expect(agent).toBeDefined()
    expect(headers).toEqual({ Authorization: 'Bearer t' })
  })

  test('plain HTTP on this machine is fine, and so is not a user', async () => {
    const anonymous = {
      ...config({}, { server: 'http://127.0.0.1:8001' }),
      contexts: [{ name: 'main', context: { cluster: 'c' } }],
    }
    expect((await loadCredentials({ path: kubeconfig(anonymous) }).requestOptions()).headers).toEqual({})
    expect(
      loadCredentials({ path: kubeconfig(config({ token: 't' }, { server: 'http://127.0.0.1:8001' })) }).server.port,
    ).toBe('8001')
  })

  test('a credential plugin beside the kubeconfig is run and told what is expected of it', async () => {
    const plugin = join(folder, 'plugin.sh')
    writeFileSync(
      plugin,
      `#!/bin/sh
case "$KUBERNETES_EXEC_INFO" in *client.authentication.k8s.io/v1beta1*) ;; *) echo "no information" >&2; exit 1;; esac
echo '{"kind":"ExecCredential","status":{"token":"from-plugin-'$1'"}}'
`,
    )
    chmodSync(plugin, 0o755)
    const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: './plugin.sh', args: ['x'] }
    const { headers } = await loadCredentials({ path: kubeconfig(config({ exec })) }).requestOptions()
    expect(headers).toEqual({ Authorization: 'Bearer from-plugin-x' })
  })

  test('a plugin that is missing or fails is named', async () => {
    const missing = loadCredentials({
      path: kubeconfig(config({ exec: { apiVersion: 'v1', command: 'no-such-plugin' } })),
    })
    await expect(missing.requestOptions()).rejects.toMatchObject({
      code: 'credential-plugin-failed',
      message: expect.stringMatching(
        /^The credential plugin "no-such-plugin" of the kubeconfig .* is not installed where this runs\.$/,
      ),
    })
    const failing = loadCredentials({
      path: kubeconfig(
        config({ exec: { apiVersion: 'v1', command: 'sh', args: ['-c', 'echo log in first >&2; exit 1'] } }),
      ),
    })
    await expect(failing.requestOptions()).rejects.toMatchObject({
      message: expect.stringContaining('failed: log in first'),
    })
  })

  test('in a pod the address is the one that the kubelet tells, and the authority must be there', () => {
    vi.stubEnv('KUBERNETES_SERVICE_HOST', 'fd00::1')
    expect(() => loadCredentials({ inCluster: true })).toThrow(
      /certificate authority \/var\/run\/secrets\/kubernetes\.io\/serviceaccount\/ca\.crt .* there is no such file/,
    )
    vi.unstubAllEnvs()
  })

  test('outside a pod there is no service account', () => {
    expect(() => loadCredentials({ inCluster: true })).toThrow(/does not run in a Kubernetes pod/)
  })
})
