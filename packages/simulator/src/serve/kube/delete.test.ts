import { describe, expect, test } from 'vitest'

import { TestedDemo, type Answer, type Body } from '../demo.fixture.ts'

// As a server of Kubernetes 1.35 answered when it was asked the same.
const demo = new TestedDemo()

const MAPS = '/api/v1/namespaces/default/configmaps'
const PODS = '/api/v1/namespaces/sandbox/pods'

async function someMap(): Promise<string> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'some' } }
  const { status } = await demo.call('POST', MAPS, { body })
  expect(status).toBe(201)
  return `${MAPS}/some`
}

const somePod = async (): Promise<string> => {
  const [pod = {}] = await demo.items(PODS)
  return `${PODS}/${pod['metadata'].name}`
}

async function isThere(path: string): Promise<boolean> {
  const { status, body } = await demo.call('GET', path)
  return status === 200 && body['metadata'].deletionTimestamp === undefined
}

const remove = (path: string, body?: unknown): Promise<Answer> => demo.call('DELETE', path, { body })

describe('a DELETE', () => {
  test.for<readonly [string, string, Body | undefined, boolean]>([
    ['in the query without a body is a dry run', '?dryRun=All', undefined, true],
    ['in the query beside a body that lacks it is a real one', '?dryRun=All', { kind: 'DeleteOptions' }, false],
    ['in the query beside an empty object is a real one', '?dryRun=All', {}, false],
    ['in the body is a dry run', '', { dryRun: ['All'] }, true],
    ['in query and body is a dry run', '?dryRun=All', { dryRun: ['All'] }, true],
    ['mis-spelled in the body is a real one', '?dryRun=All', { dryrun: ['All'] }, false],
  ])('with dryRun %s', async ([, query, body, stays]) => {
    for (const path of [await someMap(), await somePod()]) {
      const { status } = await remove(`${path}${query}`, body)
      expect([path, status, await isThere(path)]).toEqual([path, 200, stays])
    }
  })

  test('that is a dry run answers what the real one does', async () => {
    const map = await someMap()
    const dry = await remove(map, { dryRun: ['All'] })
    expect(dry.body).toMatchObject({ kind: 'Status', status: 'Success' })
    expect((await remove(map)).body).toEqual(dry.body)
    const pod = await somePod()
    expect((await remove(pod, { dryRun: ['All'] })).body).toMatchObject({ kind: 'Pod' })
  })

  test('takes its grace from the body where there is one', async () => {
    const pod = await somePod()
    expect((await remove(`${pod}?gracePeriodSeconds=0`, { gracePeriodSeconds: 7 })).status).toBe(200)
    expect((await demo.get(pod))['metadata'].deletionGracePeriodSeconds).toBe(7)
  })

  test.for<readonly [string, string, Body | undefined]>([
    ['query', '?dryRun=Some', undefined],
    ['body', '', { dryRun: ['Some'] }],
  ])('with another dry run than all in its %s is refused', async ([, query, body]) => {
    const map = await someMap()
    expect((await remove(`${map}${query}`, body)).body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    })
    expect(await isThere(map)).toBe(true)
  })
})

test.for<readonly [string, string, Body]>([
  ['query', '?dryRun=All', { preconditions: {} }],
  ['body', '', { dryRun: ['All'] }],
])('an eviction is a dry run where its %s says so', async ([, query, deleteOptions]) => {
  const pod = await somePod()
  expect(
    (
      await demo.call('POST', `${pod}/eviction${query}`, {
        body: { metadata: { name: pod.split('/').at(-1) }, deleteOptions },
      })
    ).status,
  ).toBe(201)
  expect(await isThere(pod)).toBe(true)
})

test.for(['', 'true'])('a write whose dryRun is “%s” is refused', async (value) => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'some' } }
  expect((await demo.call('POST', `${MAPS}?dryRun=${value}`, { body })).body).toMatchObject({
    code: 422,
    message: `CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["${value}"]: supported values: "All"`,
    details: {
      group: 'meta.k8s.io',
      kind: 'CreateOptions',
      causes: [
        {
          reason: 'FieldValueNotSupported',
          message: `Unsupported value: ["${value}"]: supported values: "All"`,
          field: 'dryRun',
        },
      ],
    },
  })
})
