import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test, vi } from 'vitest'

import { judgePlugin } from './credential-plugins.ts'
import { loadCredentials } from './credentials.ts'
import { keptKubeconfig, offeredContexts } from './handed-kubeconfig.ts'

const V1 = 'client.authentication.k8s.io/v1'
const ALL = ['aws', 'gke-gcloud-auth-plugin', 'kubelogin']
const aws = (...args: string[]) => ({ apiVersion: V1, command: 'aws', args })
const EKS = ['--region', 'eu-west-1', 'eks', 'get-token', '--cluster-name', 'prod', '--output', 'json']
const kubelogin = (...args: string[]) => ({ apiVersion: V1, command: 'kubelogin', args: ['get-token', ...args] })

const file = (exec: object): string =>
  JSON.stringify({
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443' } }],
    users: [{ name: 'u', user: { exec } }],
  })

describe('a credential plugin of a kubeconfig that was handed in', () => {
  test.each([
    aws(...EKS),
    aws('eks', 'get-token', '--cluster-name=prod', '--role-arn', 'arn:aws:iam::123456789012:role/septet'),
    { ...aws(...EKS), env: [{ name: 'AWS_PROFILE', value: 'prod' }] },
    { apiVersion: V1, command: 'gke-gcloud-auth-plugin' },
    kubelogin('--login', 'workloadidentity', '--server-id', '6dae42f8-4368-4678-94ff-3960e28e3630'),
    { ...kubelogin('-l', 'azurecli'), installHint: 'x', provideClusterInfo: true, interactiveMode: 'IfAvailable' },
  ])('is kept as far as it signs in: %j', (exec) => {
    const { apiVersion, command, args = [], env = [] } = { args: undefined, env: undefined, ...exec }
    const kept = { apiVersion, command, args, env, interactiveMode: 'Never' }
    expect(judgePlugin(exec, ALL)).toEqual({ kind: 'kept', exec: kept })
  })

  test.each([
    [aws('s3', 'cp', 's3://bucket/key', '/data/septet/secret'), 'runs "aws" with "s3"'],
    [aws('eks', 'get-token', 'eks'), 'runs "aws" with "eks"'],
    [aws('eks', '--cluster-name', 'prod'), 'runs "aws" with "no get-token"'],
    [aws(...EKS, '--endpoint-url', 'https://evil.example'), 'with "--endpoint-url"'],
    [aws('eks', 'get-token', '--cluster-name', 'file:///data/septet/secret'), 'with "--cluster-name file:'],
    [aws('eks', 'get-token', '--cluster-name', '--debug'), 'with "--cluster-name --debug"'],
    [aws('eks', 'get-token', '--cluster-name', '/etc/shadow'), 'with "--cluster-name /etc/shadow"'],
    [aws('eks', 'get-token', '--cluster-name'), 'with "--cluster-name "'],
    [{ ...aws(...EKS), env: [{ name: 'AWS_CONFIG_FILE', value: 'x' }] }, 'sets AWS_CONFIG_FILE'],
    [{ ...aws(...EKS), env: [{ name: 'LD_PRELOAD', value: 'x' }] }, 'sets LD_PRELOAD'],
    [{ ...aws(...EKS), command: './aws' }, 'runs "./aws", which this Septet is not set to allow'],
    [{ ...aws(...EKS), command: 'sh' }, 'runs "sh", which this Septet is not set to allow'],
    [{ ...aws(...EKS), command: 'constructor' }, 'runs "constructor", which'],
    [kubelogin('--token-cache-dir', '/data'), 'with "--token-cache-dir"'],
    [{ command: 'aws' }, 'says not in full what to run'],
  ])('is refused where it would do more: %j', (exec, because) =>
    expect(judgePlugin(exec, ALL)).toEqual({ kind: 'refused', because: expect.stringContaining(because) }),
  )

  test('is refused where this installation does not allow it, and one that was allowed before is again', () => {
    expect(() => keptKubeconfig(file(aws(...EKS)))).toThrow('would run the program "aws" on the server of Septet')
    const kept = keptKubeconfig(file(aws(...EKS)), { plugins: ['aws'] })
    expect(keptKubeconfig(kept, { plugins: ['aws'] })).toBe(kept)
    expect(() => loadCredentials({ text: kept })).toThrow('would run the program "aws" on the server of Septet')
    const [offered] = offeredContexts(file(aws('s3', 'ls')), ['aws'])
    expect(offered?.refused).toMatch(/^Context "main" runs "aws" with "s3", which signing in does not need: /u)
    expect(offeredContexts(file(aws(...EKS)), ['aws'])[0]?.refused).toBeUndefined()
  })

  test('is run by its name, with its words and what plugins expect', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'septet-plugin-'))
    try {
      writeFileSync(
        join(folder, 'aws'),
        `#!/bin/sh
echo '{"kind":"ExecCredential","apiVersion":"${V1}","status":{"token":"'"$*"'"}}'
`,
      )
      chmodSync(join(folder, 'aws'), 0o755)
      vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`)
      const text = keptKubeconfig(file(aws(...EKS)), { plugins: ['aws'] })
      const { headers } = await loadCredentials({ text, plugins: ['aws'] }).requestOptions()
      expect(headers).toEqual({ Authorization: `Bearer ${EKS.join(' ')}` })
    } finally {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    }
  })
})
