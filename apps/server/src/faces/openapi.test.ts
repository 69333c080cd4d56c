import { OPERATIONS, type Operation } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { openApiDocument } from './openapi.ts'

type Parameter = { name: string; in: string; required: boolean; schema: object }
type Described = {
  operationId: string
  security: object[]
  parameters?: Parameter[]
  responses: Record<string, object>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, unknown>; securitySchemes: object }
}

// As a client reads it: over the wire, as text.
const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
)

/** Every `$ref` with where it stands; and every key that only means something elsewhere. */
function found(key: string, value: unknown, at = ''): { at: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [{ at: `${at}/${name}`, value: inner }] : []),
    ...found(key, inner, `${at}/${name}`),
  ])
}

function pointed(pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], document)
}

describe('the machine-readable API', () => {
  test('says its version, and describes every operation once', () => {
    expect(document.openapi).toMatch(/^3\.1\./u)
    const names = operations.map(({ operationId }) => operationId)
    const declared = Object.values<Operation>(OPERATIONS).map(({ name }) => name)
    expect(names.toSorted()).toEqual([...declared, 'copilot.stream', 'events.follow', 'audit.export'].toSorted())
  })

  test('every reference leads to something in the document', () => {
    const references = found('$ref', document)
    expect(references.length).toBeGreaterThan(20)
    for (const { at, value } of references) {
      expect(`${at} ${String(value)}`).toMatch(/ #\/components\/schemas\/\w+$/u)
      expect({ at, value, leadsTo: typeof pointed(String(value)) }).toEqual({ at, value, leadsTo: 'object' })
    }
    expect(found('$defs', document)).toEqual([])
  })

  test('every name in braces is a required path parameter, and every parameter has a schema', () => {
    for (const { path, parameters = [] } of operations) {
      const braces = [...path.matchAll(/\{(\w+)\}/gu)].map((match) => String(match[1]))
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect({ path, names: inPath.map(({ name }) => name).toSorted() }).toEqual({ path, names: braces.toSorted() })
      expect(inPath.every(({ required }) => required)).toBe(true)
      for (const { schema } of parameters) expect(schema).toBeTypeOf('object')
    }
  })

  test('every answer and every refusal has a schema', () => {
    for (const { responses } of operations) expect(Object.keys(responses)).toContain('200')
    const refusing = operations.filter(({ operationId }) => operationId !== 'events.follow')
    for (const { responses } of refusing) expect(Object.keys(responses)).toContain('default')
    expect(document.components.schemas['ProblemDocument']).toMatchObject({ required: expect.arrayContaining(['todo']) })
  })

  test('says of every operation which role it needs, and which of them visitors may ask', () => {
    const declared = Object.values<Operation>(OPERATIONS)
    for (const { name, role, effect } of declared) {
      const open = role === 'viewer' && effect === 'read'
      const described = operations.find(({ operationId }) => operationId === name)
      expect([name, described?.security]).toEqual([name, open ? [{ bearer: [role] }, {}] : [{ bearer: [role] }]])
    }
    expect(Object.keys(document.components.securitySchemes)).toEqual(['bearer'])
  })
})
