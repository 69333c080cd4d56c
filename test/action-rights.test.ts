import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ACTION_CLASSES, classRow } from '@septet/domain/action-classes'
import { loadAllYaml, loadYaml } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { rulesIn } from './act/rules-in.ts'
import { root } from './imports.ts'

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Roles that classes share, each with what all of them take. */
const ROLES = Map.groupBy(
  ACTION_CLASSES.flatMap((name) => classRow(name).rights ?? []),
  ({ role }) => role,
)
/** The account itself, and looking at what claims got: of no class. */
const OF_NO_CLASS = ['base', 'dra', 'policy']
const roleFile = (role: string): string => `actor-${role}.yaml`
const switchOf = (role: string): string => role.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase())

/** "get,patch nodes,pods" as "get nodes", "get pods", "patch nodes", "patch pods". */
function single(grant: string): readonly string[] {
  const [, verbs = '', resources = '', where = ''] = /^(\S+) (\S+)((?: named \S+)?(?: in \S+)?)$/u.exec(grant) ?? []
  return verbs.split(',').flatMap((verb) => resources.split(',').map((resource) => `${verb} ${resource}${where}`))
}

const grantedBy = (file: string): readonly string[] =>
  rulesIn([file]).flatMap(({ apiGroups, resources, verbs, resourceNames, namespace }) =>
    verbs.flatMap((verb) =>
      resources.flatMap((resource) =>
        apiGroups.map((group) =>
          [
            `${verb} ${[resource, group].filter(Boolean).join('.')}`,
            ...(resourceNames === undefined ? [] : [`named ${resourceNames.join(',')}`]),
            ...(namespace === undefined ? [] : [`in ${namespace}`]),
          ].join(' '),
        ),
      ),
    ),
  )

const Bound = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  roleRef: z.object({ name: z.string() }).optional(),
  subjects: z.array(z.object({ name: z.string() })).optional(),
})

describe('the rights of classes of action', () => {
  test.each([...ROLES])('%s: its file in deploy/ grants what its rows say, no more and no less', (role, rows) => {
    const wanted = new Set(rows.flatMap(({ grants }) => grants.flatMap(single)))
    expect(wanted).not.toContain('')
    expect(grantedBy(roleFile(role)).toSorted()).toEqual([...wanted].toSorted())
  })

  test.each([...ROLES.keys()])('%s: what its file brings has its name and is bound to the actor', (role) => {
    const objects = loadAllYaml(textOf(`deploy/${roleFile(role)}`)).map((object: unknown) => Bound.parse(object))
    expect(new Set(objects.map(({ metadata }) => metadata.name))).toEqual(new Set([`septet-actor-${role}`]))
    for (const { roleRef, subjects } of objects.filter(({ kind }) => kind.endsWith('Binding'))) {
      expect([roleRef?.name, subjects?.map(({ name }) => name)]).toEqual([`septet-actor-${role}`, ['septet-actor']])
    }
  })

  test('no file and no switch of the chart is of a role that no class has', () => {
    const roles = [...ROLES.keys(), ...OF_NO_CLASS]
    const files = readdirSync(join(root, 'deploy')).filter((name) => name.startsWith('actor-'))
    expect(files.toSorted()).toEqual(roles.map(roleFile).toSorted())
    const switches = roles.filter((role) => role !== 'base' && role !== 'policy').map(switchOf)
    const values = z
      .object({ actor: z.record(z.string(), z.literal(false)) })
      .parse(loadYaml(textOf('deploy/values.yaml')))
    expect(Object.keys(values.actor).toSorted()).toEqual(switches.toSorted())
    const schema = z
      .object({ properties: z.object({ actor: z.object({ properties: z.record(z.string(), z.unknown()) }) }) })
      .parse(JSON.parse(textOf('deploy/values.schema.json')))
    expect(Object.keys(schema.properties.actor.properties).toSorted()).toEqual(switches.toSorted())
  })

  test('a class without rights is one that no step of Septet carries out', () => {
    const without = ACTION_CLASSES.filter((name) => classRow(name).rights === undefined)
    expect(without).toEqual(ACTION_CLASSES.filter((name) => classRow(name).most === 'suggest'))
  })

  test('the pages name the file and the switch of each class', () => {
    const acting = textOf('docs/acting.md')
    const rows = ACTION_CLASSES.flatMap((name) => {
      const { title, rights } = classRow(name)
      return rights === undefined
        ? []
        : [[title, `\`deploy/${roleFile(rights.role)}\``, `\`actor.${switchOf(rights.role)}\``]]
    })
    const table = [...acting.matchAll(/^ *\| (.+?) +\| (`deploy\/actor-\S+`) +\| (`actor\.\w+`) +\|/gmu)]
    expect(table.map(([, ...cells]) => cells.map((cell) => cell.trim()))).toEqual(expect.arrayContaining(rows))
    const installing = textOf('docs/installing.md')
    const base = textOf('deploy/actor-base.yaml')
    for (const role of [...ROLES.keys(), 'dra']) {
      expect(installing).toMatch(new RegExp(`\`(actor\\.)?${switchOf(role)}\``, 'u'))
      expect(base).toContain(`kubectl apply -f ${roleFile(role)} `)
    }
  })
})
