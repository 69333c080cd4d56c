import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { whyWaits, type Store } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ActingDemo } from './act/acting-demo.ts'
import { unpackKubectl } from './unpack-kubectl.ts'

let folder = ''
let kubectl = ''
let store: Store
let acting: ActingDemo
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'septet-queue-'))
  kubectl = await unpackKubectl(folder)
  store = await openTestStore()
  acting = await ActingDemo.start(store)
})
afterAll(async () => {
  await acting.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

const run = async (...args: readonly string[]): Promise<string> => {
  const env = { HOME: folder, KUBECONFIG: acting.demo.kubeconfigPath, KUBECACHEDIR: join(folder, 'cache') }
  const { stdout } = await promisify(execFile)(kubectl, [...args], { env, cwd: folder })
  return stdout
}
const quotaOf = (queue: string) =>
  run('get', 'clusterqueue', queue, '-o', 'jsonpath={..flavors[0].resources[0].nominalQuota}')

/** The first patch that "Why it waits" offers for work which Kueue holds back. */
async function offered() {
  const snapshot = await acting.read()
  const [patch] = snapshot.workloads
    .filter(({ status }) => status === 'queued')
    .flatMap((each) => whyWaits(snapshot, each, undefined).ways.flatMap((way) => way.patch ?? []))
  if (patch === undefined) throw new Error('no cluster queue could let its work in')
  const [[, command = ''] = []] = patch.text.matchAll(/^# kubectl (.*)$/gmu)
  const [[, wanted, before] = []] = patch.text.matchAll(/gets (\d+) .* instead of (\d+),/gu)
  return { ...patch, wanted, before, patching: command.split(' ') }
}

test('the patch of a cluster queue that work waits for is taken by kubectl as it says, once', async () => {
  const { name, text, wanted, before, patching } = await offered()
  writeFileSync(join(folder, name), text)
  expect(await quotaOf('gpu-batch')).toBe(before)
  await run(...patching, '--dry-run=server')
  expect(await quotaOf('gpu-batch')).toBe(before)
  await run(...patching)
  expect(await quotaOf('gpu-batch')).toBe(wanted)
  await expect(run(...patching)).rejects.toThrow(/patch/u)
})
