import { DEFAULT_ACT_POLICY, seconds } from '@septet/domain'
import { expect, test } from 'vitest'

import { defaultActPolicy, readActPolicy, writeActPolicy } from './act-policies.ts'
import { policyView } from './operations/actions/act-policy-answers.ts'
import { settingsInMemory } from './settings-in-memory.fixture.ts'

const LAB = { id: 'lab', kind: 'cluster' } as const
const warned = (days: number) => policyView({ ...DEFAULT_ACT_POLICY, warning: seconds(days * 86_400) })

test('of two admins who edit the same policy, the second learns of the first instead of undoing it', async () => {
  const settings = settingsInMemory()
  const ann = { policy: warned(2), changedAt: 1000, changedBy: 'ann', edited: null }
  expect(await writeActPolicy(settings, 'lab', ann)).toMatchObject({ changedBy: 'ann' })
  const bob = { policy: warned(3), changedAt: 2000, changedBy: 'bob', edited: null }
  expect(await writeActPolicy(settings, 'lab', bob)).toBeUndefined()
  expect(await readActPolicy(settings, LAB)).toMatchObject({ changedBy: 'ann', policy: { warning: 2 * 86_400 } })
  expect(await writeActPolicy(settings, 'lab', { ...bob, edited: 1000 })).toMatchObject({ changedBy: 'bob' })
})

test('a program that names no version replaces what stands there', async () => {
  const settings = settingsInMemory()
  for (const changedAt of [1000, 2000]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await writeActPolicy(settings, 'lab', { policy: warned(changedAt / 1000), changedAt, changedBy: 'token:ci' })
  }
  expect(await readActPolicy(settings, LAB)).toMatchObject({ changedAt: 2000 })
  expect(defaultActPolicy('cluster')).toEqual(DEFAULT_ACT_POLICY)
})
