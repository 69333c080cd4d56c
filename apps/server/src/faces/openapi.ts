import { EVENTS_PATH, OPERATIONS, ProblemDocumentSchema, ServerEventSchema, type Operation } from '@septet/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document, made from the one list of operations. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const operation of Object.values<Operation>(OPERATIONS)) {
    const path = operation.http.path.replaceAll(/:(\w+)/gu, '{$1}')
    paths[path] = { ...paths[path], [operation.http.method.toLowerCase()]: describe(operation) }
  }
  paths[EVENTS_PATH] = { get: eventsDescription() }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Septet API',
      version,
      description: 'GPU utilization, cost and MIG layouts of Kubernetes clusters. null means not known; it is never 0.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths,
  }
}

function describe(operation: Operation): Json {
  const { properties = {}, required = [] } = jsonSchema(operation.input, 'input')
  const inPath = [...operation.http.path.matchAll(/:(\w+)/gu)].map((match) => match[1])
  const names = Object.keys(properties)
  const hasBody = operation.http.method === 'PUT' || operation.http.method === 'POST'
  const parameters = names
    .filter((name) => inPath.includes(name) || !hasBody)
    .map((name) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || required.includes(name),
      schema: properties[name],
    }))
  return {
    operationId: operation.name,
    summary: operation.title,
    description: `${operation.description} Role: ${operation.role}. Effect: ${operation.effect}.`,
    tags: [operation.name.split('.')[0]],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody
      ? { requestBody: { required: true, content: { 'application/json': { schema: bodySchema(operation, inPath) } } } }
      : {}),
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: jsonSchema(operation.output, 'output') } } },
      default: {
        description: 'What failed and what to do',
        content: { 'application/problem+json': { schema: jsonSchema(ProblemDocumentSchema, 'output') } },
      },
    },
  }
}

function bodySchema(operation: Operation, inPath: readonly (string | undefined)[]): Json {
  const schema = jsonSchema(operation.input, 'input')
  const kept = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    required: (schema.required ?? []).filter((name) => !inPath.includes(name)),
  }
}

const eventsDescription = (): Json => ({
  operationId: 'events.follow',
  summary: 'Follow what changes',
  description:
    'Server-sent events that name what changed; ask again for figures. Send Last-Event-ID to resume; `reset` says that events were missed. Role: viewer. Effect: read.',
  tags: ['events'],
  parameters: [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }],
  responses: {
    200: { description: 'OK', content: { 'text/event-stream': { schema: jsonSchema(ServerEventSchema, 'output') } } },
  },
})

const ObjectSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})

/** Schemas are written out in place, so that each operation reads by itself. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): z.output<typeof ObjectSchema> {
  const { $schema: _dialect, id: _id, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' })
  return ObjectSchema.parse(rest)
}
