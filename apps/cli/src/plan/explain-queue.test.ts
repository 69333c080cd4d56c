import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { draw, withRequests } from '@septet/domain/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { runPlan } from './run-plan.ts'

const DRAWN = withRequests(draw`
  node-a  H100-80GB-HBM3  [-]
  ?  lab/waits  gpu
`)
const path = '/spec/resourceGroups/0/flavors/0'
const SNAPSHOT = {
  ...DRAWN,
  workloads: DRAWN.workloads.map((workload) => ({ ...workload, queue: 'batch' })),
  quotas: [
    {
      id: 'clusterqueue/batch/nvidia.com/gpu',
      namespace: '',
      queue: 'batch',
      resource: 'nvidia.com/gpu',
      hard: 4,
      used: 4,
      flavors: [{ name: 'h100', path, resourcePath: '/resources/0', nominal: '4', amount: 4, used: 4 }],
    },
  ],
}
const WORK = SNAPSHOT.workloads[0]?.id ?? ''

const explain = (name: string, ...args: string[]): Promise<string> =>
  runPlan(['--cluster', 'drawn', '--kubeconfig', 'k', '--explain', name, ...args], {
    environment: {},
    progress: { step: () => undefined, end: () => undefined },
    enough: () => new AbortController().signal,
    snapshotOf: async () => SNAPSHOT,
  })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'septet-explain-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([['lab/waits'], [WORK]])('%s that its cluster queue holds back comes with the patch', async (name) => {
  const text = await explain(name)
  expect(text).toContain('The cluster queue batch has 0 of 4 nvidia.com/gpu left, and 1 are asked for')
  expect(text).toContain(
    'clusterqueue-batch.yaml\n# ClusterQueue batch gets 5 nvidia.com/gpu of flavor h100 instead of 4',
  )
})

test('the patch is written where --out names a place', async () => {
  await explain(WORK, '--out', folder)
  expect(readdirSync(folder)).toEqual(['clusterqueue-batch.yaml'])
  expect(readFileSync(join(folder, 'clusterqueue-batch.yaml'), 'utf8')).toContain('nominalQuota')
})

test('as JSON it has the patch as well', async () => {
  expect(JSON.parse(await explain(WORK, '--json'))).toMatchObject({ patches: [{ name: 'clusterqueue-batch.yaml' }] })
})
