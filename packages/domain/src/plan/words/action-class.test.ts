import { expect, test } from 'vitest'

import { ACTION_CLASSES, AUTO_CLASSES, CLASSES, CLASSES_BY_PERSON, classRow, REPLAYED_CLASSES } from './action-class.ts'

test('no two classes are called alike, and each says in a sentence what it does', () => {
  for (const words of ['title', 'doing'] as const) {
    expect(new Set(ACTION_CLASSES.map((name) => CLASSES[name][words])).size).toBe(ACTION_CLASSES.length)
  }
  for (const name of ACTION_CLASSES) expect(CLASSES[name].help).toMatch(/^[A-Z].*\.$/u)
})

test('a person decides each change of MIG mode, each appointment and what Septet cannot do, and all else may be on auto', () => {
  expect(CLASSES_BY_PERSON).toEqual(['mig-mode', 'appointment', 'reschedule'])
  expect([...AUTO_CLASSES, ...CLASSES_BY_PERSON].toSorted()).toEqual(ACTION_CLASSES.toSorted())
})

test('what may be done on auto is replayed, or says why it cannot be', () => {
  const onAuto = ACTION_CLASSES.filter((name) => CLASSES[name].most === 'auto')
  expect(onAuto.filter((name) => classRow(name).replay === undefined)).toEqual([])
  expect(REPLAYED_CLASSES).toEqual(['reclaim-idle', 'fewer-gpus', 'right-size', 'remove-node'])
})

test('what must save says of what kind its saving is', () => {
  const saving = ACTION_CLASSES.map(classRow).filter(({ advice }) => advice?.mustSave)
  expect(saving.length).toBeGreaterThan(0)
  expect(saving.filter(({ effect }) => effect === undefined)).toEqual([])
})
