import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { answers, freePort, ready, type Engine } from '../metrics-engines.ts'
import { tellNotRun } from '../system-tools.ts'

/** A kube-apiserver on an etcd, without controllers and kubelets: what is asked of it is the API alone. */
export type RealApiServer = Engine & { readonly token: string }

/** Undefined where this is no Debian, whose sources it is built from. The first time takes minutes; then it is kept. */
export async function openRealApiServer(): Promise<RealApiServer | undefined> {
  if (!existsSync('/etc/debian_version')) {
    tellNotRun('the contract on a real API server (it is built from Debian’s sources)')
    return undefined
  }
  await promisify(execFile)(join(import.meta.dirname, 'build-kube-apiserver.sh'), [KEPT], { maxBuffer: 2 ** 26 })
  const [etcd, store] = await startEtcd()
  const folder = await mkdtemp(join(tmpdir(), 'septet-kube-'))
  const port = await freePort()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await writeFile(join(folder, 'tokens.csv'), `${TOKEN},admin,admin,"system:masters"\n`)
  const options = [
    `--etcd-servers=${store}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    `--token-auth-file=${folder}/tokens.csv`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${folder}/key.pem`,
    `--service-account-key-file=${folder}/key.pem`,
    '--service-cluster-ip-range=10.0.0.0/24',
    // Nobody makes the accounts that it asks for.
    '--disable-admission-plugins=ServiceAccount',
  ]
  const child = spawn(join(KEPT, 'kube-apiserver'), options, { stdio: 'ignore' })
  const server = await ready({ child, folder, url: `https://127.0.0.1:${port}`, isReady })
  const stop = async (): Promise<void> => {
    await server.stop()
    await etcd.stop()
  }
  return { url: server.url, token: TOKEN, stop }
}

const KEPT = join(import.meta.dirname, '../../node_modules/.cache/kube-apiserver-1.20.2')
const TOKEN = 'real-api-server'

async function startEtcd(): Promise<readonly [server: Engine, address: string]> {
  const folder = await mkdtemp(join(tmpdir(), 'septet-etcd-'))
  const [url, peer] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`)
  const child = spawn(
    'etcd',
    [
      `--data-dir=${folder}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ],
    { stdio: 'ignore' },
  )
  return [await ready({ child, folder, url: url ?? '', isReady: answers('/health') }), url ?? '']
}

/** Its certificate is one of its own making. */
const isReady = (url: string): Promise<boolean> =>
  new Promise((done) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    get(`${url}/readyz`, { rejectUnauthorized: false, headers }, (answer) => {
      answer.resume()
      done(answer.statusCode === 200)
    }).on('error', () => done(false))
  })
