import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { kubeApiWire } from '../system-tools.ts'
import { allowedIn } from './allowed.ts'
import { readSteps } from './recording.ts'
import { replay } from './replay.ts'
import { verdicts } from './verdict.ts'

const folder = kubeApiWire()
const scratch = mkdtempSync(join(tmpdir(), 'septet-wire-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/**
 * What came of each file: steps that the demo answers as a real server does in what Septet relies on, that it refuses because
 * Septet never asks for them, that follow such a refusal, and that may differ.
 */
const COUNTS = {
  '1-delete': '177 27 10 1',
  '1b-delete-answers': '66 32 4 0',
  '1c-delete-query-and-body': '15 1 0 0',
  '2-write': '95 36 13 6',
  '2b-write-more': '34 7 3 1',
  '3-eviction': '65 0 0 1',
  '3b-eviction-more': '12 0 0 2',
  '3c-eviction-bypass': '18 0 0 0',
  '4-lists-watches': '99 10 0 9',
  '4b-long-watch': '1 0 0 0',
  '5-errors': '110 14 0 38',
  '5b-overload': '4 2 0 3',
  '5c-unavailable': '4 12 0 0',
  '6-authn-authz': '44 8 0 6',
  '6b-token-cache': '4 0 0 4',
  '7-leases': '18 9 9 0',
  '8-new-kinds': '60 8 0 10',
  '8b-new-kinds-gates-on': '22 8 0 8',
  '9-scheduler': '12 0 0 8',
} as const

const at = folder ?? new URL('file:///')
const files = folder === undefined ? [] : readdirSync(folder).flatMap((name) => /^\d.*(?=\.json$)/u.exec(name) ?? [])

describe.skipIf(folder === undefined)('the demo cluster answers as a real API server was recorded to', () => {
  test.for(Object.entries(COUNTS))('%s', async ([file, counts]) => {
    const all = verdicts(file, await replay(file, readSteps(at, file), scratch))
    const of = (kind: string) => all.filter((each) => each.kind === kind)
    expect(of('different').map(({ says }) => says)).toEqual([])
    expect(of('allowed').map(({ index }) => index)).toEqual(allowedIn(file))
    const found = ['same', 'refused', 'follows', 'allowed'].map((kind) => of(kind).length)
    expect(found.join(' ')).toBe(counts)
  })

  test('no file is left out', () => {
    expect(files).toEqual(Object.keys(COUNTS))
  })
})
