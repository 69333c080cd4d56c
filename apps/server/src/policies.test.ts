import { DEFAULT_POLICY } from '@septet/domain'
import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { putPolicies } from './operations/settings/settings-answers.ts'
import { PipelineRules } from './pipeline/pipeline-rules.ts'
import { analysisPolicyOf, DEFAULT_POLICIES, readPolicies, writePolicies } from './policies.ts'

const changed = { ...DEFAULT_POLICIES, idle: { threshold: 0.1, minimumSeconds: 600 } }

test('where nobody has decided, the defaults are in force', async () => {
  expect(analysisPolicyOf(await readPolicies((await openTestStore()).settings))).toEqual(DEFAULT_POLICY)
})

test('a pipeline goes by a change from its next turn on, and knows that there was one', async () => {
  const { settings } = await openTestStore()
  const rules = new PipelineRules(settings)
  expect(await rules.refresh()).toBe(false)
  await writePolicies(settings, { policies: changed, at: 5000, by: 'x' })
  expect(rules.analysis().idle.threshold).toBe(0.05)
  expect(await rules.refresh()).toBe(true)
  expect(rules.analysis().idle).toEqual({ threshold: 0.1, minimum: 600, since: 5000 })
  expect(await rules.refresh()).toBe(false)
})

test('since when the idle limit holds does not move with other policies', async () => {
  const { settings } = await openTestStore()
  await writePolicies(settings, { policies: changed, at: 5000, by: 'x' })
  await writePolicies(settings, { policies: { ...changed, utilizationTarget: 0.7 }, at: 9000, by: 'y' })
  expect(await readPolicies(settings)).toMatchObject({ idleSince: 5000, changedAt: 9000, changedBy: 'y' })
})

test('of two admins who edit the policies, the second learns of the first instead of undoing it; a program replaces them', async () => {
  const { settings } = await openTestStore()
  const put = (by: string, at: number, edited?: number | null) =>
    putPolicies(settings, { policies: { ...changed, utilizationTarget: at / 10_000 }, at, by, edited })
  expect(await put('ann', 5000, null)).toMatchObject({ changedBy: 'ann' })
  await expect(put('bob', 6000, null)).rejects.toThrow(
    'Nothing was saved: ann changed the policies while you edited them.',
  )
  expect(await readPolicies(settings)).toMatchObject({ changedBy: 'ann', policies: { utilizationTarget: 0.5 } })
  expect(await put('bob', 6000, 5000)).toMatchObject({ changedBy: 'bob' })
  expect(await put('token:ci', 7000)).toMatchObject({ changedBy: 'token:ci' })
})

test('what cannot be read as policies counts as none', async () => {
  const { settings } = await openTestStore()
  await settings.put('policies', { policies: { idle: 'often' } })
  expect((await readPolicies(settings)).policies).toEqual(DEFAULT_POLICIES)
})

test('without an answer of the store the rules of before stay', async () => {
  const { settings } = await openTestStore()
  await writePolicies(settings, { policies: changed, at: 5000, by: 'x' })
  const rules = new PipelineRules({
    ...settings,
    get: (key) => (away ? Promise.reject(new Error('away')) : settings.get(key)),
  })
  let away = false
  await rules.refresh()
  away = true
  expect(await rules.refresh()).toBe(false)
  expect(rules.analysis().idle.threshold).toBe(0.1)
})
