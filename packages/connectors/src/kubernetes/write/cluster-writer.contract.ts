import { randomBytes } from 'node:crypto'

import {
  AccessRefused,
  liveNumberAt,
  textAt,
  type ClusterWrite,
  type ClusterWriter,
  type LiveObject,
  type ObjectRef,
} from '@septet/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { call, toKubeconfig, type ContractServer } from '../contract-server.fixture.ts'
import { openClusterWriter } from './open-cluster-writer.ts'

// A name of its own for each run: a namespace that is being deleted takes nothing more.
const RUN = `septet-writer-${randomBytes(4).toString('hex')}`

const ref = (resource: string, name: string, group = ''): ObjectRef => ({
  group,
  version: 'v1',
  resource,
  namespace: RUN,
  name,
})
const NODE: ObjectRef = { ...ref('nodes', RUN), namespace: undefined }

const openAs = (as: ContractServer): ClusterWriter =>
  openClusterWriter({ kubeconfig: { text: JSON.stringify(toKubeconfig(as)), context: undefined } })

export type WriterContract = {
  readonly open: () => Promise<ContractServer>
  /** Whether the server is older than evictions by policy/v1, which came with 1.22. */
  readonly older?: boolean
}

/** What the writer and any Kubernetes API must do together. It takes away what it makes. */
export function writerContract(name: string, { open, older = false }: WriterContract): void {
  describe(`the writer on ${name}`, () => {
    let server: ContractServer
    let writer: ClusterWriter
    const write = (what: ClusterWrite, dryRun = false) => writer.write(what, { dryRun })
    const make = async (object: ObjectRef, body: Omit<LiveObject, 'metadata'>, dryRun = false) =>
      write(
        { verb: 'create', object, body: { metadata: { name: object.name, namespace: object.namespace }, ...body } },
        dryRun,
      )
    const mapsBy = async (query: Parameters<ClusterWriter['list']>[1]) =>
      (await writer.list(ref('configmaps', ''), query)).map((map) => textAt(map, 'metadata', 'name'))
    const seen = async (object: ObjectRef): Promise<LiveObject> => (await writer.get(object)) ?? {}
    const uidOf = async (object: ObjectRef): Promise<string> => textAt(await seen(object), 'metadata', 'uid')

    beforeAll(async () => {
      server = await open()
      writer = openAs(server)
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: RUN } }
      await call(server, { method: 'POST', target: '/api/v1/namespaces', body: namespace })
      expect(await make(NODE, { apiVersion: 'v1', kind: 'Node' })).toEqual({ kind: 'done' })
    })
    afterAll(async () => {
      for (const target of [`/api/v1/nodes/${RUN}`, `/api/v1/namespaces/${RUN}`]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await call(server, { method: 'DELETE', target, body: undefined })
      }
      await writer.close()
      await server.close?.()
    })

    test('sees what is there, and nothing where nothing is, of kinds that the cluster does not know either', async () => {
      expect(textAt(await seen(NODE), 'metadata', 'name')).toBe(RUN)
      expect(await writer.get(ref('configmaps', 'gone'))).toBeUndefined()
      expect(await writer.list(ref('gizmos', '', 'example.septet.io'), {})).toEqual([])
    })

    test('lists by label and by field', async () => {
      for (const [map, team] of [
        ['a', 'red'],
        ['b', 'blue'],
      ]) {
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: map, labels: { team } } }
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await write({ verb: 'create', object: ref('configmaps', map ?? ''), body })
      }
      expect(await mapsBy({ labelSelector: 'team=red' })).toEqual(['a'])
      expect(await mapsBy({ fieldSelector: 'metadata.name=b' })).toEqual(['b'])
    })

    test('a dry run says what would come of it, and changes nothing of what septet has written', async () => {
      const map = ref('configmaps', 'dry')
      const body = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } }
      expect(await make(map, body, true)).toEqual({ kind: 'done' })
      expect(await writer.get(map)).toBeUndefined()
      await make(map, body)
      const patch = { verb: 'patch', object: map, type: 'merge', body: { data: { a: '2' } } } as const
      expect(await write(patch, true)).toEqual({ kind: 'done' })
      expect(await write({ verb: 'delete', object: map, uid: await uidOf(map) }, true)).toEqual({ kind: 'done' })
      expect(await seen(map)).toMatchObject({
        metadata: { managedFields: expect.arrayContaining([expect.objectContaining({ manager: 'septet' })]) },
        data: { a: '1' },
      })
      const gone = { ...patch, object: ref('configmaps', 'gone') } as const
      expect(await write(gone, true)).toMatchObject({ kind: 'refused', status: 404 })
    })

    test('a deletion is a dry run by its body: the same request with that in its query alone deletes', async () => {
      const map = ref('configmaps', 'rehearsed')
      await make(map, { apiVersion: 'v1', kind: 'ConfigMap' })
      const uid = await uidOf(map)
      expect(await write({ verb: 'delete', object: map, uid }, true)).toEqual({ kind: 'done' })
      expect(await uidOf(map)).toBe(uid)
      await call(server, {
        method: 'DELETE',
        target: `/api/v1/namespaces/${RUN}/configmaps/rehearsed?dryRun=All`,
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } },
      })
      expect(await writer.get(map)).toBeUndefined()
    })

    test('a patch that names the version it has seen is taken once', async () => {
      const resourceVersion = textAt(await seen(NODE), 'metadata', 'resourceVersion')
      const cordon = (unschedulable: boolean) =>
        write({
          verb: 'patch',
          object: NODE,
          type: 'merge',
          body: { metadata: { resourceVersion }, spec: { unschedulable } },
        })
      expect(await cordon(true)).toEqual({ kind: 'done' })
      expect(await cordon(false)).toMatchObject({ kind: 'later' })
      expect(await seen(NODE)).toMatchObject({ spec: { unschedulable: true } })
    })

    test('a JSON patch whose test fails is to be looked at again, and one that holds is done', async () => {
      const map = ref('configmaps', 'tested')
      await make(map, { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } })
      const replace = (value: string) =>
        write({
          verb: 'patch',
          object: map,
          type: 'json',
          body: [
            { op: 'test', path: '/data/a', value },
            { op: 'replace', path: '/data/a', value: '2' },
          ],
        })
      expect(await replace('0')).toMatchObject({ kind: 'later' })
      expect(await replace('1')).toEqual({ kind: 'done' })
      expect(textAt(await seen(map), 'data', 'a')).toBe('2')
    })

    test('a JSON patch that the server finds invalid is refused, with its words', async () => {
      const map = ref('configmaps', 'fixed')
      await make(map, { apiVersion: 'v1', kind: 'ConfigMap', immutable: true, data: { a: '1' } })
      const body = [{ op: 'replace', path: '/data/a', value: '2' }]
      expect(await write({ verb: 'patch', object: map, type: 'json', body })).toMatchObject({
        kind: 'refused',
        status: 422,
        because: expect.stringContaining('immutable'),
      })
    })

    test('what is there already is not made a second time', async () => {
      const map = ref('configmaps', 'once')
      const body = { apiVersion: 'v1', kind: 'ConfigMap' }
      expect(await make(map, body)).toEqual({ kind: 'done' })
      expect(await make(map, body)).toMatchObject({ kind: 'later' })
    })

    test('a Deployment is scaled by its subresource', async () => {
      const deployment = ref('deployments', 'idle', 'apps')
      await make(deployment, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'idle' } },
          template: { metadata: { labels: { app: 'idle' } }, spec: WAITING },
        },
      })
      const scale = { verb: 'patch', object: deployment, type: 'merge', subresource: 'scale' } as const
      expect(await write({ ...scale, body: { spec: { replicas: 0 } } })).toEqual({ kind: 'done' })
      expect(liveNumberAt(await seen(deployment), 'spec', 'replicas')).toBe(0)
    })

    test('only the object of that uid is deleted, and what is gone is done', async () => {
      const map = ref('configmaps', 'other')
      await make(map, { apiVersion: 'v1', kind: 'ConfigMap' })
      const uid = await uidOf(map)
      expect(await write({ verb: 'delete', object: map, uid: OTHER })).toMatchObject({ kind: 'later' })
      expect(await uidOf(map)).toBe(uid)
      const deletion = { verb: 'delete', object: map, uid } as const
      expect(await write(deletion)).toEqual({ kind: 'done' })
      expect(await write(deletion)).toEqual({ kind: 'done' })
    })

    test.runIf(older)('an eviction that the server is too old for is refused, with its words', async () => {
      expect(await write({ verb: 'evict', object: ref('pods', 'any'), uid: OTHER })).toMatchObject({
        kind: 'refused',
        status: 400,
        because: expect.stringContaining('no kind "Eviction" is registered for version "policy/v1"'),
      })
    })

    test.skipIf(older)('only the pod of that uid is evicted', async () => {
      const pod = ref('pods', 'leaves')
      // A new namespace refuses pods until its default service account is there.
      const making = () => make(pod, { apiVersion: 'v1', kind: 'Pod', spec: WAITING })
      await expect.poll(making, { timeout: 15_000, interval: 300 }).toMatchObject({ kind: 'done' })
      const uid = await uidOf(pod)
      expect(await write({ verb: 'evict', object: pod, uid: OTHER })).toMatchObject({ kind: 'later' })
      expect(await uidOf(pod)).toBe(uid)
      expect(await write({ verb: 'evict', object: pod, uid }, true)).toEqual({ kind: 'done' })
      expect(textAt(await seen(pod), 'metadata', 'deletionTimestamp')).toBe('')
      expect(await write({ verb: 'evict', object: pod, uid })).toEqual({ kind: 'done' })
      await expect.poll(() => writer.get(pod), { timeout: 15_000 }).toBeUndefined()
      expect(await write({ verb: 'evict', object: pod, uid })).toEqual({ kind: 'done' })
    })

    test('whom the server does not know is refused in its words, whether they look or write', async () => {
      const stranger = openAs({ ...server, token: 'nobody' })
      await expect(stranger.get(NODE)).rejects.toThrow(AccessRefused)
      const patch = { verb: 'patch', object: NODE, type: 'merge', body: { spec: { unschedulable: true } } } as const
      expect(await stranger.write(patch, { dryRun: false })).toMatchObject({ kind: 'refused', status: 401 })
      await stranger.close()
    })
  })
}

const OTHER = '00000000-0000-4000-8000-000000000000'
/** Nothing runs in the end: no scheduler of that name looks at it. */
const WAITING = {
  containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }],
  terminationGracePeriodSeconds: 0,
  schedulerName: 'septet-contract-test',
}
