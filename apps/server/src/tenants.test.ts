import { openTestStore } from '@septet/storage/testing'
import { expect, test } from 'vitest'

import { readTenants, writeTenants } from './tenants.ts'

const RULE = { name: 'vision', namespaces: ['cv-*'], labels: { team: 'vision' } }

test('there are no tenants until somebody sets them, and then they are these', async () => {
  const { settings } = await openTestStore()
  expect(await readTenants(settings)).toEqual([])
  await writeTenants(settings, [RULE])
  expect(await readTenants(settings)).toEqual([RULE])
  expect(await settings.get('tenants')).toEqual({ tenants: [RULE] })
})

test('what was stored by another hand and makes no sense is refused, not used', async () => {
  const { settings } = await openTestStore()
  await settings.put('tenants', { tenants: [{ name: '' }] })
  await expect(readTenants(settings)).rejects.toThrow(/namespaces|Too small|expected/u)
})
