import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readManifest } from '@septet/connectors'
import { draw, withRequests } from '@septet/domain/testing'
import { expect, test } from 'vitest'

import { UsageError } from '../options/command-options.ts'
import { readText } from '../read-text.ts'
import { runAsk, type AskedQuestion } from './run-ask.ts'

const drawn = withRequests(draw`
  node-a  H100-80GB-HBM3  [lab/x]
  node-a  H100-80GB-HBM3  [-]`)
const cluster = { ...drawn, nodes: drawn.nodes.map((node) => ({ ...node, allocatable: { 'nvidia.com/gpu': 2 } })) }

const pod = (gpus: number): string =>
  `{kind: Pod, metadata: {name: new}, spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: ${gpus}}}}]}}`

const ask = (input: string, ...more: readonly string[]): Promise<AskedQuestion> =>
  runAsk(['-f', '-', '--kubeconfig', 'k', ...more], {
    environment: {},
    progress: { step: () => undefined, end: () => undefined },
    snapshotOf: async () => cluster,
    readManifest,
    readText: async (path) => (path === '-' ? input : readText(path)),
  })

test('a job that starts ends with 0, and says where', async () => {
  const { text, code } = await ask(pod(1))
  expect(code).toBe(0)
  expect(text).toBe('Pod new starts now: 1 pod on a node such as node-a.\nWhere it would run:\n  node-a: 1\n')
})

test('a job that does not ends with 3, and says why and what to change', async () => {
  const { text, code } = await ask(pod(2))
  expect(code).toBe(3)
  expect(text).toContain('1 node: fewer than 2 nvidia.com/gpu are free together.')
  expect(text).toContain('Ask for 1 device a pod instead of 2.')
  expect(text).toContain('- {op: replace, path: "/spec/containers/0/resources/limits/nvidia.com~1gpu", value: "1"}')
  const json: { jobs: { verdict: string }[] } = JSON.parse((await ask(pod(2), '--output', 'json')).text)
  expect(json.jobs.map(({ verdict }) => verdict)).toEqual(['not-now'])
})

test('a file is read; what cannot be is an error in words', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'septet-ask-'))
  writeFileSync(join(folder, 'job.yaml'), pod(1))
  expect((await ask('', '-f', join(folder, 'job.yaml'))).code).toBe(0)
  rmSync(folder, { recursive: true })
  const gone = ask('', '-f', join(folder, 'job.yaml'))
  await expect(gone).rejects.toThrow(UsageError)
  await expect(gone).rejects.toThrow('There is no file')
  await expect(ask('kind: [')).rejects.toThrow('The manifest cannot be read as YAML')
  await expect(ask(pod(1), '--output', 'xml')).rejects.toThrow(UsageError)
  await expect(ask(pod(1), '--server', 'http://x')).rejects.toThrow('With --server, only --cluster')
})
