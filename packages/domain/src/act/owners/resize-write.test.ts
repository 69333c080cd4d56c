import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { LiveObject } from '../cluster-writer.ts'
import { valueAt } from '../live-object.ts'
import { gpuAsksOf, resizableOf, RESIZABLE } from './gpu-asks.ts'
import { resizeWrite } from './resize-write.ts'

const GPU = 'nvidia.com/gpu'
const SLICE = 'nvidia.com/mig-1g.10gb'
const RESOURCES = new Set([GPU, SLICE])
const NOTE = 'septet.io/requests-before'
const OBJECT = { ...RESIZABLE.Deployment, namespace: 'lab', name: 'chat' }

type Quantities = Readonly<Record<string, string>>
type Container = { readonly name: string; readonly resources: { limits?: Quantities; requests?: Quantities } }

const deployment = (containers: readonly Container[], more: LiveObject = {}): LiveObject => ({
  metadata: { namespace: 'lab', name: 'chat', resourceVersion: '7', ...more },
  spec: { template: { spec: { containers } } },
})
const main = (limits: Quantities, requests?: Quantities): Container => ({
  name: 'main',
  resources: { limits, ...(requests === undefined ? {} : { requests }) },
})

type Operation = { readonly op: string; readonly path: string; readonly value?: unknown }
type Node = Record<string, unknown>

/** An object after a JSON patch (RFC 6902), as far as these use it: members are added, replaced, removed and tested. */
function patched(object: LiveObject, operations: readonly Operation[]): LiveObject {
  const copy: Node = structuredClone(object)
  for (const { op, path, value } of operations) {
    const keys = path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    const parent = keys.slice(0, -1).reduce<Node>((at, key) => at[key] as Node, copy)
    const last = keys.at(-1) ?? ''
    if (op === 'test' && JSON.stringify(parent[last]) !== JSON.stringify(value)) throw new Error(`${path} differs`)
    if ((op === 'remove' || op === 'replace') && !(last in parent)) throw new Error(`${path} is not there`)
    if (op === 'remove') delete parent[last]
    else if (op !== 'test') parent[last] = value
  }
  return copy
}

type Way = { readonly isUndo: boolean; readonly run?: string; readonly to: Readonly<Record<string, number>> }

/** The object with that size. */
function resized(object: LiveObject, { isUndo, run = 'run-1', to }: Way): LiveObject {
  const asks = gpuAsksOf('Deployment', object, RESOURCES)
  if (typeof asks === 'string') throw new Error(asks)
  const requests = Object.entries(to).map(([resource, count]) => ({ resource, count }))
  const write = resizeWrite({ object: OBJECT, live: object }, asks, { run, isUndo, to: requests, resources: RESOURCES })
  if (!('body' in write)) throw new Error('it patches')
  return patched(object, write.body as readonly Operation[])
}
const forth = (object: LiveObject): LiveObject => resized(object, { isUndo: false, to: { [SLICE]: 1 } })
const back = (object: LiveObject, run?: string): LiveObject =>
  resized(object, { isUndo: true, to: { [GPU]: 2 }, ...(run === undefined ? {} : { run }) })
const containersOf = (object: LiveObject) => valueAt(object, 'spec', 'template', 'spec', 'containers')

describe('another size', () => {
  test('replaces what is asked of GPUs, in limits and where they are written in requests, and nothing else', () => {
    const before = deployment([
      main({ cpu: '4', [GPU]: '2' }, { cpu: '1', [GPU]: '2' }),
      { name: 'log', resources: {} },
    ])
    expect(containersOf(forth(before))).toEqual([
      main({ cpu: '4', [SLICE]: '1' }, { cpu: '1', [SLICE]: '1' }),
      { name: 'log', resources: {} },
    ])
  })

  test('is no more for what runs before the main container than it asked for', () => {
    const fetch = { name: 'fetch', resources: { limits: { [GPU]: '1' } } }
    const before = {
      ...deployment([]),
      spec: { template: { spec: { containers: [main({ [GPU]: '4' })], initContainers: [fetch] } } },
    }
    const after = resized(before, { isUndo: false, to: { [GPU]: 2 } })
    expect(containersOf(after)).toEqual([main({ [GPU]: '2' })])
    expect(valueAt(after, 'spec', 'template', 'spec', 'initContainers')).toEqual([fetch])
  })

  test('keeps what else is noted on the object, and is refused where somebody changed it meanwhile', () => {
    const before = deployment([main({ [GPU]: '2' })], { annotations: { team: 'lab' } })
    expect(valueAt(forth(before), 'metadata', 'annotations')).toMatchObject({ team: 'lab' })
    expect(valueAt(forth(before), 'metadata', 'annotations', NOTE)).toContain('"run":"run-1"')
    const write = resizeWrite({ object: OBJECT, live: before }, [], {
      run: 'run-1',
      isUndo: false,
      to: [],
      resources: RESOURCES,
    })
    expect('body' in write && write.body).toContainEqual({
      op: 'replace',
      path: '/metadata/resourceVersion',
      value: '7',
    })
  })
})

describe('the way back', () => {
  test('sets exactly what was there, and takes its note away', () => {
    const quantity = fc.integer({ min: 1, max: 8 }).map(String)
    const limits = fc.oneof(
      quantity.map((count) => ({ [GPU]: count })),
      quantity.map((count) => ({ [SLICE]: count })),
    )
    const drawn = fc.tuple(limits, fc.boolean(), fc.constantFrom({}, { cpu: '4', memory: '8Gi' }))
    fc.assert(
      fc.property(drawn, ([gpus, both, other]) => {
        const before = deployment([main({ ...other, ...gpus }, both ? { ...other, ...gpus } : undefined)], {
          annotations: { team: 'lab' },
        })
        expect(back(forth(before))).toEqual(before)
      }),
    )
  })

  test('goes by the plan where the note is gone, unreadable, or of another run', () => {
    const after = forth(deployment([main({ [GPU]: '3' })], { annotations: {} }))
    const noted = (note: string | undefined) => ({
      ...after,
      metadata: {
        namespace: 'lab',
        name: 'chat',
        resourceVersion: '7',
        annotations: note === undefined ? {} : { [NOTE]: note },
      },
    })
    for (const object of [noted(undefined), noted('{'), noted('"text"')]) {
      expect(containersOf(back(object))).toEqual([main({ [GPU]: '2' })])
    }
    expect(containersOf(back(after, 'run-2'))).toEqual([main({ [GPU]: '2' })])
    expect(containersOf(back(after))).toEqual([main({ [GPU]: '3' })])
  })
})

test('only kinds whose pods are made again by a new template are given another size', () => {
  const kinds = [
    'Deployment',
    'StatefulSet',
    'Notebook',
    'InferenceService',
    'LeaderWorkerSet',
    'Job',
    'Pod',
    'constructor',
  ]
  expect(kinds.filter((kind) => resizableOf(`lab/${kind}/chat`) !== undefined)).toEqual(Object.keys(RESIZABLE))
  expect(resizableOf('lab/Deployment/chat')?.object).toEqual(OBJECT)
})
