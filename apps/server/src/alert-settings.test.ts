import { DEFAULT_ALERT_RULES } from '@septet/domain'
import { expect, test } from 'vitest'

import { readAlertRules, writeAlertRules } from './alert-settings.ts'
import { settingsInMemory } from './settings-in-memory.fixture.ts'

test('rules that an older version has stored hold, and a kind that it did not know is as Septet comes with it', async () => {
  const settings = settingsInMemory()
  const { 'mixed-namespaces': newer, ...older } = DEFAULT_ALERT_RULES
  const set = { ...older, budget: { ...older.budget, threshold: 80, channels: ['chat'] } }
  await settings.put('alert-rules', set)
  expect(await readAlertRules(settings)).toEqual({ ...set, 'mixed-namespaces': newer })
  // Nobody is told by a channel who did not ask for it.
  expect(newer.channels).toEqual([])
  await writeAlertRules(settings, { ...DEFAULT_ALERT_RULES, ...set })
  expect(await readAlertRules(settings)).toEqual({ ...DEFAULT_ALERT_RULES, ...set })
})
