import { readConfigs, readManifest } from '@septet/connectors'
import { draw, withRequests } from '@septet/domain/testing'
import { expect, test } from 'vitest'

import { UsageError } from '../options/command-options.ts'
import type { AskedQuestion } from './run-ask.ts'
import { runCheck } from './run-check.ts'

const cluster = withRequests(draw`
  node-a  A100-SXM4-80GB  [3g.40gb -] [3g.40gb -]
  node-b  A100-SXM4-80GB  [lab/train-0]
  node-c  T4              [-]`)

const check = (input: string, ...more: readonly string[]): Promise<AskedQuestion> =>
  runCheck(['-f', '-', '--kubeconfig', 'k', ...more], {
    environment: {},
    progress: { step: () => undefined, end: () => undefined },
    snapshotOf: async () => cluster,
    readManifest,
    readConfigs,
    readText: async () => input,
  })

const MIG = `version: v1
mig-configs:
  halves:
    - {devices: all, mig-enabled: true, mig-devices: {3g.40gb: 2}}
  small:
    - {devices: all, mig-enabled: true, mig-devices: {1g.6gb: 4}}
`
const inMap = (key: string, text: string): string =>
  JSON.stringify({ kind: 'ConfigMap', metadata: { name: 'configs' }, data: { [key]: text } })

test('a configuration that fits ends with 0, and says where, who stands in the way, and what is for other boards', async () => {
  const { text, code } = await check(inMap('config.yaml', MIG))
  expect(text).toBe(`ConfigMap configs: fits
halves (no node uses it yet)
  already   node-a (A100-SXM4-80GB)
  in use    node-b (A100-SXM4-80GB): pods use GPUs that change; they are not
            evicted, so stop them first
            pod: lab/train-0
For boards that are not here: 1 name (small)
`)
  expect(code).toBe(0)
})

test('what is refused ends with 3, in words and as JSON', async () => {
  const { text, code } = await check(inMap('mig.yaml', MIG.replace('3g.40gb: 2', '3g.40gb: 3')))
  expect(code).toBe(3)
  expect(text).toContain('mig-manager reads the key config.yaml, and it is mig.yaml.')
  expect(text).toContain('3 × 3g.40gb is possible on no board')
  const json: { fits: boolean; configurations: { errors: string[] }[] } = JSON.parse(
    (
      await check(
        'version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 1}]}}',
        '--output',
        'json',
      )
    ).text,
  )
  expect(json.fits).toBe(false)
  expect(json.configurations[0]?.errors.join()).toContain('must be a whole number from 2')
})

test('many names that no node uses are told in a line each', async () => {
  const names = ['1g.10gb: 7', '2g.20gb: 3', '3g.40gb: 2', '7g.80gb: 1'].map(
    (devices, at) => `  c${at}:\n    - {devices: all, mig-enabled: true, mig-devices: {${devices}}}`,
  )
  const { text } = await check(`version: v1\nmig-configs:\n${names.join('\n')}\n`)
  expect(text.split('\n')).toEqual([
    'nvidia-mig-parted file: fits',
    'c0  fits 1, in use 1',
    'c1  fits 1, in use 1',
    'c2  already 1, in use 1',
    'c3  fits 1, in use 1',
    '',
  ])
})

test('a job is judged as septet ask judges it, beside a configuration too', async () => {
  const pod =
    '{kind: Pod, metadata: {name: new}, spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]}}'
  expect(await check(pod)).toEqual({ text: expect.stringContaining('Pod new starts now'), code: 0 })
  const both = await check(
    `${pod}\n---\n{apiVersion: nvidia.com/v1, kind: ClusterPolicy, metadata: {name: policy}, spec: {mig: {strategy: mixed}}}`,
  )
  expect(both.text).toContain('ClusterPolicy policy: fits')
  expect(both.text).toContain('Pod new starts now')
})

test('what cannot be read is an error in words', async () => {
  await expect(check('{kind: [')).rejects.toThrow('The file cannot be read as YAML')
  await expect(check('kind: Secret')).rejects.toThrow('Septet does not know what pods Secret would make')
  await expect(runCheck(['-f', '-', '--server', 'http://x'], { environment: {} } as never)).rejects.toThrow(UsageError)
})
