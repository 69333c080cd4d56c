import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

import type { MadePlan } from '@septet/contract'
import { readMigParted } from '@septet/plan-files/testing'
import { readSnapshotFile } from '@septet/plan-files'
import { checkPlan, CAREFUL_POLICY, type ClusterSnapshot, type Plan } from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { childEnvironment } from '../child-environment.ts'
import { startDemo, type DemoProcess } from '../demo-process.ts'
import { eventually } from '../server-process.ts'
import { unpackKubectl } from '../unpack-kubectl.ts'

const main = resolve(import.meta.dirname, '../../apps/cli/src/main.ts')

type Outcome = { readonly code: number; readonly out: string; readonly err: string }

let demo: DemoProcess
let folder: string

beforeAll(async () => {
  demo = await startDemo()
  folder = join(demo.folder, 'plans')
  mkdirSync(folder)
  await unpackKubectl(folder)
})
afterAll(async () => {
  await demo.stop()
})

/** A program with kubectl on its path and the demo cluster as its cluster, as in an engineer's terminal. */
function run(program: string, args: readonly string[], directory = folder): Promise<Outcome> {
  const env = {
    ...childEnvironment(),
    PATH: [folder, process.env['PATH'] ?? ''].join(delimiter),
    HOME: folder,
    KUBECONFIG: demo.kubeconfigPath,
    SEPTET_DATA_DIR: demo.folder,
  }
  return new Promise((done) => {
    execFile(program, [...args], { env, cwd: directory, maxBuffer: 1e8 }, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

const plan = (...args: string[]): Promise<Outcome> =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'plan', ...args])

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

function savedSnapshot(name: string): ClusterSnapshot {
  const read = readSnapshotFile(readFileSync(join(folder, name), 'utf8'))
  if (read.kind === 'refused') throw new Error(read.errors.join(' '))
  return read.snapshot
}

describe('septet plan on the demo cluster', () => {
  test('writes a directory in which every file says what it should', async () => {
    const { code, out, err } = await plan('--cluster', 'demo', '--out', 'fit', '--save-snapshot', 'state.json')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Start \d+ of \d+ waiting workloads/u)
    expect(out).toMatch(/^\d+ waiting workloads? of \d+ can start; no plan starts more than \d+\.$/mu)
    expect(out).not.toContain('\u001B')

    const directory = join(folder, 'fit')
    const made = JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as Plan
    const snapshot = savedSnapshot('state.json')
    expect(made.steps.length).toBeGreaterThan(0)
    expect(checkPlan(snapshot, made, CAREFUL_POLICY).kind).toBe('executable')

    const page = readFileSync(join(directory, 'PLAN.md'), 'utf8')
    for (const { number, action } of made.steps) {
      expect(page).toContain(`| ${number} | `)
      expect(page).toContain('node' in action ? action.node : action.kind === 'evict' ? action.pod : '')
    }
    for (const script of ['commands.sh', 'undo/commands.sh']) {
      expect(await run('sh', ['-n', script], directory)).toEqual({ code: 0, out: '', err: '' })
    }
  })

  test('writes mig-parted files that follow the schema and fit the boards of their nodes', () => {
    const snapshot = savedSnapshot('state.json')
    const yaml = filesIn(join(folder, 'fit')).filter((file) => file.endsWith('.yaml'))
    const checked = yaml.flatMap((file) => {
      const node = snapshot.nodes.find(({ name }) => file.endsWith(`/mig-parted/${name}.yaml`))
      if (node === undefined) return []
      const text = readFileSync(file, 'utf8')
      const schema = readMigParted(text)
      const [config = ''] = schema.kind === 'read' ? schema.configs : []
      return [readMigParted(text, [{ config, node }]).kind]
    })
    expect(checked.length).toBeGreaterThan(1)
    expect(new Set(checked)).toEqual(new Set(['read']))
    expect(yaml).toHaveLength(checked.length)
  })

  test('makes the same plan of the saved state again', async () => {
    const { code, err } = await plan('--snapshot', 'state.json', '--out', 'again')
    expect([code, err]).toEqual([0, ''])
    const first = filesIn(join(folder, 'fit'))
    expect(filesIn(join(folder, 'again'))).toEqual(first.map((file) => file.replace('/plans/fit/', '/plans/again/')))
    for (const file of first) {
      expect(readFileSync(file.replace('/plans/fit/', '/plans/again/'), 'utf8')).toBe(readFileSync(file, 'utf8'))
    }
  })

  test('says how far from the best it is, in JSON too', async () => {
    const { code, out, err } = await plan('--snapshot', 'state.json', '--goal', 'cost', '--json')
    expect([code, err]).toEqual([0, ''])
    const answer = JSON.parse(out) as MadePlan
    const { before = 0, after = 0, bound = 0, gpus } = answer.use ?? {}
    expect(bound).toBeGreaterThan(0)
    expect(bound).toBeLessThanOrEqual(after)
    expect(Math.max(before, after)).toBeLessThanOrEqual(gpus ?? 0)
    expect(answer.bound).toContain(`no plan for the same work uses fewer than ${bound}`)
    expect(answer.notes.join(' ')).toMatch(
      /left in place, what runs on \d+ partitioned GPUs fits on \d+ by moving \d+ pods?; /u,
    )
  })

  test('explains a pod that waits and a GPU', async () => {
    const snapshot = savedSnapshot('state.json')
    const pod = snapshot.pods.find(({ phase, node }) => phase === 'Pending' && node === undefined)
    const waits = await plan('--snapshot', 'state.json', '--explain', pod?.id ?? '')
    expect(waits.code).toBe(0)
    expect(waits.out).toMatch(/It waits and asks for 1 × nvidia\.com/u)
    expect(waits.out).toMatch(/septet plan --goal fit (starts it|does not start it: )/u)
    const gpu = await plan('--snapshot', 'state.json', '--explain', 'gpu-a100-03#0')
    expect(gpu.out).toContain('GPU 0 of gpu-a100-03')
  })

  test('is accepted by the API server, and can be applied by hand with kubectl', async () => {
    const directory = join(folder, 'fit')
    const { code, err } = await run('sh', ['commands.sh'], directory)
    expect([code, err]).toEqual([0, ''])
    // What is done already is left alone.
    const again = await run('sh', ['commands.sh'], directory)
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toContain('already has this layout.')

    const made = JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as Plan
    for (const { action } of made.steps) {
      if (action.kind !== 'repartition') continue
      const path = String.raw`jsonpath={.metadata.labels.nvidia\.com/mig\.config\.state}`
      const state = await run('kubectl', ['get', 'node', action.node, '-o', path])
      expect([action.node, state.out]).toEqual([action.node, 'success'])
    }
    // Room is counted, not reserved: others may take some of it first, but not all.
    const wanted = savedSnapshot('state.json').pods.filter(({ phase }) => phase === 'Pending')
    await eventually(
      async () => (await run('kubectl', ['get', 'pods', '-A', '--no-headers'])).out.split('\n'),
      (lines) =>
        wanted.some(({ name }) => lines.some((line) => line.includes(` ${name} `) && line.includes('Running'))),
    )
  })
})

const refusal = async (code: number, ...args: string[]): Promise<string> => {
  const outcome = await plan('--out', 'never', ...args)
  expect([outcome.code, outcome.out]).toEqual([code, ''])
  expect(outcome.err).toMatch(/^septet: /u)
  expect(existsSync(join(folder, 'never'))).toBe(false)
  return outcome.err
}

describe('septet plan that cannot be made says why, and writes nothing', () => {
  test.each([
    ['a cluster that does not exist', 1, ['--kubeconfig', '/nowhere/config'], /there is no such file/u],
    ['a context that the kubeconfig does not have', 1, ['--cluster', 'production'], /production/u],
    ['a snapshot that is not there', 1, ['--snapshot', 'gone.json'], /There is no file gone\.json/u],
    ['a file that is no snapshot', 1, ['--snapshot', 'kubectl'], /no JSON, or ends too early/u],
    ['a snapshot and a cluster', 2, ['--snapshot', 'state.json', '--cluster', 'demo'], /not both/u],
    ['a goal that does not exist', 2, ['--snapshot', 'state.json', '--goal', 'win'], /--goal is "win"/u],
    [
      'a name that nothing has',
      1,
      ['--snapshot', 'state.json', '--explain', 'x/y'],
      /no GPU pod, no waiting work and no GPU "x\/y"/u,
    ],
  ])('%s', async (...[, code, args, words]) => {
    expect(await refusal(code, ...args)).toMatch(words)
  })

  test('a truncated snapshot', async () => {
    writeFileSync(join(folder, 'half.json'), readFileSync(join(folder, 'state.json'), 'utf8').slice(0, 5000))
    expect(await refusal(1, '--snapshot', 'half.json')).toMatch(/half\.json is not a usable snapshot.*ends too early/su)
  })

  test('a directory that has files, unless told', async () => {
    const { code, err } = await plan('--snapshot', 'state.json', '--out', 'again')
    expect([code, err]).toEqual([
      1,
      'septet: again is not empty. Name another directory, or add --force to write into it.\n',
    ])
    expect((await plan('--snapshot', 'state.json', '--out', 'again', '--force')).code).toBe(0)
  })
})
