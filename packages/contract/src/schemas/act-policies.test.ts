import { recordOf } from '@septet/domain'
import { ACTION_CLASSES } from '@septet/domain/action-classes'
import { expect, test } from 'vitest'

import { wrongFields } from '../wrong-fields.ts'
import { ActPolicySchema } from './act-policies.ts'

const wrong = (change: object): readonly string[] => {
  const { error } = ActPolicySchema.shape.modes.safeParse({ ...recordOf(ACTION_CLASSES, () => 'observe'), ...change })
  return error === undefined ? [] : wrongFields(error).split('; ')
}

test('what Septet never does by itself is not put on auto, and the answer says why', () => {
  expect(wrong({ 'right-size': 'auto', reschedule: 'approve' })).toEqual([])
  expect(wrong({ reschedule: 'auto', 'mig-mode': 'auto' }).toSorted()).toEqual(
    ['mig-mode', 'reschedule'].map((kind) => `${kind}: must be at most approve: Septet never does this by itself`),
  )
})
