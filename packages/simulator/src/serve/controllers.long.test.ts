import { DAY_MS, MINUTE_MS } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { type Body } from './demo.fixture.ts'
import { demo, deployment, isRunning, of, pass, pathOf, podsOf, scale, training } from './controllers.fixture.ts'

/** Every pod a day after the same writes. */
const podsAfterWrites = async (): Promise<unknown> => {
  await scale(deployment('document-understanding', 'entity-link'), 0)
  await pass(MINUTE_MS)
  await scale(deployment('document-understanding', 'entity-link'), 2)
  await pass(DAY_MS)
  return (await demo.items('/api/v1/pods')).map(({ metadata, status }) => [metadata.name, metadata.uid, status.phase])
}

describe('replicas', () => {
  const path = deployment('document-understanding', 'entity-link')

  test('none stays none beyond the day when the work would have ended, and comes back when it is wanted', async () => {
    const object = await demo.get(path)
    await scale(path, 0)
    for (let day = 0; day < 2; day++) {
      await pass(DAY_MS)
      expect(await podsOf(object)).toEqual([])
      expect((await demo.get(path))['spec'].replicas).toBe(0)
    }
    await scale(path, 1)
    await pass(10_000)
    expect((await podsOf(object)).map(isRunning)).toEqual([true])
    expect((await demo.get(path))['status']).toMatchObject({ replicas: 1, readyReplicas: 1, updatedReplicas: 1 })
    await pass(2 * DAY_MS)
    expect((await podsOf(object)).filter(isRunning)).toHaveLength(1)
  })

  test('a deleted Deployment takes its pods along and does not come back', async () => {
    const object = await demo.get(path)
    expect((await demo.call('DELETE', path)).status).toBe(200)
    await pass(10_000)
    expect(await podsOf(object)).toEqual([])
    const sets = await demo.items('/apis/apps/v1/namespaces/document-understanding/replicasets')
    expect(sets.filter((each) => each['metadata'].ownerReferences[0].uid === object['metadata'].uid)).toEqual([])
    await pass(2 * DAY_MS)
    expect((await demo.call('GET', path)).status).toBe(404)
    expect(await podsOf(object)).toEqual([])
  })
})

describe('Jobs', () => {
  test('a suspended Job has no pods, and does what it had left when it goes on', async () => {
    const job = await training()
    const count = job['spec'].parallelism as number
    expect((await podsOf(job)).filter(isRunning)).toHaveLength(count)
    await demo.patch(pathOf(job), { spec: { suspend: true } })
    await pass(10_000)
    expect(await podsOf(job)).toEqual([])
    const { status } = await demo.get(pathOf(job))
    expect(status.active).toBeUndefined()
    expect(status.conditions).toMatchObject([{ type: 'Suspended', status: 'True', reason: 'JobSuspended' }])
    await pass(3 * DAY_MS)
    expect((await demo.get(pathOf(job)))['spec'].suspend).toBe(true)
    await demo.patch(pathOf(job), { spec: { suspend: false } })
    await pass(2000)
    expect(await podsOf(job)).toHaveLength(count)
    const resumed = (await demo.get(pathOf(job)))['status']
    expect(resumed).toMatchObject({ active: count, conditions: [{ type: 'Suspended', status: 'False' }] })
    await pass(4 * DAY_MS)
    expect((await podsOf(job)).filter(isRunning)).toEqual([])
  })

  test('a suspended CronJob makes no more Jobs', async () => {
    const [cron = {}] = await demo.items('/apis/batch/v1/cronjobs')
    const { namespace, name } = cron['metadata'] as Body
    await demo.patch(of('cronjobs', namespace, name), { spec: { suspend: true } })
    await pass(2 * DAY_MS)
    const jobs = await demo.items(`/apis/batch/v1/namespaces/${namespace}/jobs`)
    expect(jobs.filter((job) => job['metadata'].ownerReferences?.[0]?.name === name)).toEqual([])
    expect((await demo.get(of('cronjobs', namespace, name)))['spec'].suspend).toBe(true)
  })
})

test('a deleted node takes its pods and its exporter along, and its work goes elsewhere', async () => {
  const name = 'gpu-l40s-01'
  const work = await demo.get(deployment('media-encoding', 'audio-cleanup'))
  expect((await podsOf(work))[0]?.['spec'].nodeName).toBe(name)
  expect((await demo.call('DELETE', `/api/v1/nodes/${name}`)).status).toBe(200)
  await pass(10_000)
  expect((await demo.call('GET', `/api/v1/nodes/${name}`)).status).toBe(404)
  expect(await demo.items(`/api/v1/pods?fieldSelector=spec.nodeName=${name}`)).toEqual([])
  expect((await fetch(`${demo.cluster.apiUrl}/exporter/${name}/metrics`)).status).toBe(404)
  const targets = (await (await fetch(demo.cluster.exporterTargetsUrl)).json()) as Body[]
  expect(targets.map(({ labels }) => labels.node as string)).not.toContain(name)
  const [moved] = await podsOf(work)
  expect(moved?.['spec'].nodeName).not.toBe(name)
  await pass(3 * DAY_MS)
  expect(await demo.items(`/api/v1/pods?fieldSelector=spec.nodeName=${name}`)).toEqual([])
})

test('the same writes at the same time give the same cluster', async () => {
  const first = await podsAfterWrites()
  demo.now -= DAY_MS + MINUTE_MS
  await demo.restart()
  expect(await podsAfterWrites()).toEqual(first)
})
