import { describe, expect, test } from 'vitest'

import type { WorkMarks } from '../../cluster/workload.ts'
import { isCommon, signOf, type HeldWork, type WorkSign } from './same-work.ts'

const MARKS: WorkMarks = { images: ['vllm/vllm-openai'], starts: ['d1'], models: ['Llama-3-8B'] }
const LABELS = { app: 'llm', team: 'search' }
const OLD: HeldWork = {
  workload: 'ml/Deployment/llm',
  class: 'inference',
  models: ['H100-80GB-HBM3'],
  marks: MARKS,
  labels: LABELS,
}
const STRANGER: WorkMarks = { images: ['acme/speech'], starts: ['d9'], models: [] }

type Change = Omit<Partial<HeldWork>, 'marks'> & { readonly marks?: WorkMarks | undefined }
type Row = readonly [string, Change, WorkSign | undefined]

/** Nothing of the old work but its class and its GPUs. */
function other(change: Change): HeldWork {
  const { marks, ...rest } = { marks: STRANGER, ...change }
  const { marks: _marks, ...old } = OLD
  return { ...old, workload: 'x/Deployment/other', labels: {}, ...rest, ...(marks && { marks }) }
}

describe('work is known again', () => {
  test.each<Row>([
    ['by image and arguments, in any namespace', { marks: MARKS }, 'start'],
    ['by its model, whatever serves it', { marks: { ...STRANGER, models: ['Llama-3-8B'] } }, 'model'],
    [
      'by what its Service selects it by, also when its model changed',
      { workload: 'ml/Deployment/other', labels: { app: 'llm' }, marks: { ...STRANGER, models: ['Llama-3-70B'] } },
      'app',
    ],
    ['by application labels elsewhere', { labels: { app: 'llm' }, marks: { ...MARKS, starts: [], models: [] } }, 'app'],
    [
      'by its name in another namespace, where no image is known',
      { workload: 'x/Deployment/llm', marks: undefined },
      'name',
    ],
    ['by a new version of its name', { workload: 'ml/Deployment/llm-v2' }, 'name'],
    ['by its image and team', { labels: { team: 'search' }, marks: { ...MARKS, starts: ['d2'], models: [] } }, 'team'],
    [
      'by its image in its namespace',
      { workload: 'ml/Deployment/b', marks: { ...MARKS, starts: ['d2'], models: [] } },
      'image',
    ],
    ['by kind, place and time', { workload: 'ml/Deployment/b' }, 'kind'],
    ['by kind and time, where nothing else is known', { marks: undefined }, 'kind'],
  ])('%s', (_, change, sign) => {
    expect(signOf({ work: OLD, other: other(change), beganThen: true })).toBe(sign)
  })

  test.each<Row>([
    [
      'another model from the same image',
      { workload: 'ml/Deployment/b', marks: { ...MARKS, models: ['Qwen-2-7B'] } },
      undefined,
    ],
    ['a stranger elsewhere', {}, undefined],
    ['the same name from another image elsewhere', { workload: 'x/Deployment/llm' }, undefined],
    ['the same image with other arguments elsewhere', { marks: { ...MARKS, starts: ['d2'], models: [] } }, undefined],
    ['a stranger of another class next to it', { workload: 'ml/Deployment/b', class: 'notebook' }, undefined],
    ['a stranger on other GPUs next to it', { workload: 'ml/Deployment/b', models: ['L40S'] }, undefined],
    [
      'a job of the same image next to it',
      { workload: 'ml/Job/b', marks: { ...MARKS, starts: ['d2'], models: [] } },
      undefined,
    ],
    [
      'another release of the same chart',
      { labels: { 'app.kubernetes.io/name': 'vllm', 'app.kubernetes.io/instance': 'b' } },
      undefined,
    ],
  ])('but %s is other work', (_, change, sign) => {
    const labels = { ...LABELS, 'app.kubernetes.io/name': 'vllm', 'app.kubernetes.io/instance': 'a' }
    expect(signOf({ work: { ...OLD, labels }, other: other(change), beganThen: true })).toBe(sign)
  })

  test('a stranger next to it that ran all along is not taken for it', () =>
    expect(signOf({ work: OLD, other: other({ workload: 'ml/Deployment/b' }), beganThen: false })).toBeUndefined())

  test('a common start says nothing of other namespaces, and as much as ever of its own and its team', () => {
    const everywhere = ['a', 'b', 'c', 'd'].map((space) => ({ workload: `${space}/Notebook/n`, marks: MARKS }))
    expect(isCommon(OLD, everywhere)).toBe(true)
    expect(isCommon(OLD, everywhere.slice(1))).toBe(false)
    expect(
      isCommon(
        OLD,
        everywhere.map((each) => ({ ...each, workload: OLD.workload })),
      ),
    ).toBe(false)
    const signs = [
      other({ marks: MARKS }),
      other({ marks: MARKS, labels: LABELS }),
      other({ marks: MARKS, workload: 'ml/Deployment/b' }),
    ]
    expect(signs.map((each) => signOf({ work: OLD, other: each, beganThen: false, common: true }))).toEqual([
      undefined,
      'start',
      'start',
    ])
  })
})
