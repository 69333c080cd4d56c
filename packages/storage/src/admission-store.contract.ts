import { instant, type AdmissionRecord, type Store } from '@septet/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const record = (more: Partial<AdmissionRecord> = {}): AdmissionRecord => ({
  at: instant(10_000),
  namespace: 'lab',
  pod: 'chat-7d9f-',
  workload: 'lab/Deployment/chat',
  kind: 'changed',
  suggested: 'nvidia.com/mig-1g.20gb',
  said: 'Septet changed it.',
  ...more,
})

/** How every store keeps what was answered about new pods. */
export function admissionStoreBehaves(open: () => Promise<Store>): void {
  let store: Store
  let cluster = ''
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  beforeEach(() => {
    cluster = `admission-${Math.random()}`
  })

  describe('admissions', () => {
    test('are listed newest first, as they were added, of one cluster and of some namespaces', async () => {
      const warned = record({ kind: 'warned', suggested: undefined, namespace: 'web', at: instant(20_000) })
      await store.admissions.add(cluster, [record(), warned])
      await store.admissions.add(`${cluster}-other`, [record()])
      expect(await store.admissions.list({ cluster, limit: 10 })).toEqual([warned, record()])
      expect(await store.admissions.list({ cluster, limit: 1 })).toEqual([warned])
      expect(await store.admissions.list({ cluster, namespaces: ['lab'], limit: 10 })).toEqual([record()])
      expect(await store.admissions.list({ cluster, namespaces: [], limit: 10 })).toEqual([])
    })

    test('are counted by kind since an instant', async () => {
      const later = record({ at: instant(20_000) })
      await store.admissions.add(cluster, [record(), later, later, record({ kind: 'warned', at: instant(20_000) })])
      expect(await store.admissions.count({ cluster, since: instant(20_000) })).toEqual({ warned: 1, changed: 2 })
      expect(await store.admissions.count({ cluster, since: instant(30_000) })).toEqual({ warned: 0, changed: 0 })
      const changed = (since: number) => store.admissions.countChanged({ cluster, since: instant(since) })
      expect(await Promise.all([10_000, 20_000, 30_000].map(changed))).toEqual([3, 2, 0])
    })

    test('go with age and with their cluster, and hold whatever a pod is called', async () => {
      await store.admissions.add(cluster, [
        record({ at: instant(1) }),
        record({ pod: '\0\uD800', said: 'x'.repeat(9000) }),
      ])
      expect(await store.admissions.prune(instant(2))).toBe(1)
      expect(await store.admissions.list({ cluster, limit: 10 })).toHaveLength(1)
      await store.admissions.forget(cluster)
      expect(await store.admissions.list({ cluster, limit: 10 })).toEqual([])
    })
  })
}
