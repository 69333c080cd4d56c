import { readFileSync } from 'node:fs'
import { loadAllYaml } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pluralOf, RESOURCE_NAMES, ruleOf, type ResourceRule } from './resources.ts'

const Manifest = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string().optional() }),
  rules: z
    .array(z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }))
    .default([]),
  roleRef: z.object({ kind: z.string(), name: z.string() }).optional(),
  subjects: z.array(z.object({ name: z.string(), namespace: z.string() })).optional(),
})
const manifestsIn = (file: string) =>
  loadAllYaml(readFileSync(new URL(`../../../../../deploy/${file}`, import.meta.url), 'utf8')).map((each: unknown) =>
    Manifest.parse(each),
  )
const account = manifestsIn('reader-clusterrole.yaml')
const manifests = [...account, ...manifestsIn('reader-operator-role.yaml')]

const granted = (kind: string): string[] =>
  manifests
    .filter((each) => each.kind === kind)
    .flatMap(({ rules }) => rules)
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`)),
      ),
    )
    .toSorted()
const asked = (scope: ResourceRule['scope']): string[] =>
  RESOURCE_NAMES.filter((name) => ruleOf(name).scope === scope)
    .flatMap((name) => ruleOf(name).verbs.map((verb) => `${verb} ${pluralOf(name)}.${ruleOf(name).group}`))
    .toSorted()

describe('the shipped reader role', () => {
  test('grants what the reader asks of the cluster, no more and no less', () =>
    expect(granted('ClusterRole')).toEqual(asked('cluster')))
  test('grants ConfigMaps in the operator’s namespace only', () => {
    expect(granted('Role')).toEqual(asked('operator'))
    expect(manifests.find(({ kind }) => kind === 'Role')?.metadata.namespace).toBe('gpu-operator')
  })
  test('needs no namespace but the one it makes, and the operator’s only in a file of its own', () => {
    expect([...new Set(account.flatMap(({ metadata: { namespace } }) => namespace ?? []))]).toEqual(['septet'])
    expect(account[0]).toMatchObject({ kind: 'Namespace', metadata: { name: 'septet' } })
  })
  test('has no two objects of one name, so that neither file overwrites the other’s', () => {
    const names = manifests.filter(({ kind }) => kind !== 'ServiceAccount').map(({ metadata }) => metadata.name)
    const roles = manifests.filter(({ kind }) => kind.endsWith('Role')).map(({ metadata }) => metadata.name)
    expect(new Set(roles).size).toBe(roles.length)
    expect(names).toContain('septet-reader-operator')
  })
  test('changes nothing and sees no secret', () => {
    const all = [...granted('ClusterRole'), ...granted('Role')]
    expect(all.filter((right) => !/^(get|list|watch) /.test(right))).toEqual([])
    expect(all.filter((right) => /secret|proxy|\*/.test(right))).toEqual([])
  })
  test('is bound to the account it brings', () => {
    const bindings = manifests.filter(({ kind }) => kind.endsWith('Binding'))
    expect(bindings).toHaveLength(2)
    for (const { roleRef, subjects } of bindings) {
      expect(manifests.some(({ kind, metadata }) => kind === roleRef?.kind && metadata.name === roleRef.name)).toBe(
        true,
      )
      expect(subjects).toEqual([expect.objectContaining({ name: 'septet-reader', namespace: 'septet' })])
    }
  })
})
