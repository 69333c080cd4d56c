import {
  AUDIT_EXPORT_PATH,
  COPILOT_STREAM_PATH,
  EVENTS_PATH,
  OPERATIONS,
  ProblemDocumentSchema,
  ServerEventSchema,
  type Operation,
} from '@septet/contract'
import { z } from 'zod'

type Json = Record<string, unknown>
type Schemas = { of(schema: z.ZodType, io: 'input' | 'output'): z.output<typeof ObjectSchema>; named(): Json }

/** The OpenAPI 3.1 document, made from the one list of operations. */
export function openApiDocument(version: string): Json {
  const schemas = openSchemas()
  const paths: Record<string, Json> = {}
  for (const operation of Object.values<Operation>(OPERATIONS)) {
    const path = operation.path.replaceAll(/:(\w+)/gu, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemas) }
  }
  paths[COPILOT_STREAM_PATH] = { post: copilotStreamDescription(schemas) }
  paths[EVENTS_PATH] = { get: eventsDescription(schemas) }
  paths[AUDIT_EXPORT_PATH] = { get: auditExportDescription(schemas) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Septet API',
      version,
      description: 'GPU utilization, cost and MIG layouts of Kubernetes clusters. null means unknown, never 0.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/' }],
    paths,
    components: { schemas: schemas.named(), securitySchemes: SECURITY_SCHEMES },
  }
}

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token (spt_...), or the access token of someone who signed in at /auth. While the public demo is on, what viewers may read of the demo cluster and the sample data is answered without one. A requirement lists the role that is needed: viewer, operator (includes viewer) or admin (includes both).',
  },
}

/** Which role a caller needs; an empty requirement says that visitors may ask as well. */
const securityOf = ({ role, effect }: Pick<Operation, 'role' | 'effect'>): Json[] => [
  { bearer: [role] },
  ...(role === 'viewer' && effect === 'read' ? [{}] : []),
]

function describe(operation: Operation, schemas: Schemas): Json {
  const { properties = {}, required = [] } = schemas.of(operation.input, 'input')
  const inPath = [...operation.path.matchAll(/:(\w+)/gu)].map((match) => match[1])
  const names = Object.keys(properties)
  const hasBody = operation.method === 'PUT' || operation.method === 'POST'
  const parameters = names
    .filter((name) => inPath.includes(name) || !hasBody)
    .map((name) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || required.includes(name),
      schema: properties[name],
    }))
  const body = { required: true, content: { 'application/json': { schema: bodySchema(operation, inPath, schemas) } } }
  return {
    operationId: operation.name,
    summary: operation.title,
    description: `${operation.description} Role: ${operation.role}. Effect: ${operation.effect}.`,
    tags: [operation.name.split('.')[0]],
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody ? { requestBody: body } : {}),
    responses: responsesOf(schemas, 'application/json', schemas.of(operation.output, 'output')),
  }
}

const responsesOf = (schemas: Schemas, type: string, schema: Json): Json => ({
  200: { description: 'OK', content: { [type]: { schema } } },
  default: {
    description: 'What failed and what to do',
    content: { 'application/problem+json': { schema: schemas.of(ProblemDocumentSchema, 'output') } },
  },
})

function bodySchema(operation: Operation, inPath: readonly (string | undefined)[], schemas: Schemas): Json {
  const schema = schemas.of(operation.input, 'input')
  const kept = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    required: (schema.required ?? []).filter((name) => !inPath.includes(name)),
  }
}

const copilotStreamDescription = (schemas: Schemas): Json => ({
  operationId: 'copilot.stream',
  summary: 'Ask the co-pilot, sentence by sentence',
  description:
    'Asks as copilot.ask does and answers with server-sent events: `sentence` with {"text"} for each sentence once it is checked, then `answer` with the whole answer, as copilot.ask gives it; `problem` with a problem document where it fails after the first of them. Closing the connection ends the question. Role: viewer. Effect: read.',
  tags: ['copilot'],
  security: securityOf({ role: 'viewer', effect: 'read' }),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: schemas.of(OPERATIONS.copilotAsk.input, 'input') } },
  },
  responses: responsesOf(schemas, 'text/event-stream', schemas.of(OPERATIONS.copilotAsk.output, 'output')),
})

const eventsDescription = (schemas: Schemas): Json => ({
  operationId: 'events.follow',
  summary: 'Follow what changes',
  description:
    'Server-sent events that name what changed; ask again for figures. Send Last-Event-ID to resume, or `ago` to hear also what changed since you first asked; `reset` says that events were missed. Role: viewer. Effect: read.',
  tags: ['events'],
  security: securityOf({ role: 'viewer', effect: 'read' }),
  parameters: [
    { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } },
    {
      name: 'ago',
      in: 'query',
      required: false,
      description: 'Milliseconds; ignored with Last-Event-ID.',
      schema: { type: 'number', minimum: 0 },
    },
  ],
  responses: {
    200: { description: 'OK', content: { 'text/event-stream': { schema: schemas.of(ServerEventSchema, 'output') } } },
  },
})

const auditExportDescription = (schemas: Schemas): Json => ({
  operationId: 'audit.export',
  summary: 'Export the audit log',
  description:
    'The whole audit log as newline-delimited JSON, oldest first; the last line says whether its chain of hashes is whole and reaches its signed end. Role: admin. Effect: read.',
  tags: ['audit'],
  security: securityOf({ role: 'admin', effect: 'read' }),
  responses: responsesOf(schemas, 'application/x-ndjson', { type: 'string' }),
})

const ObjectSchema = z.looseObject({
  $defs: z.record(z.string(), z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})

/** Schemas with an id stand once, under `components`; a pointer means a place in the whole document, so it leads there. */
function openSchemas(): Schemas {
  const named = new Map<string, unknown>()
  return {
    of(schema, io) {
      const { $schema: _dialect, ...written } = z.toJSONSchema(schema, {
        io,
        override: ({ jsonSchema }) => trim(jsonSchema),
      })
      const { $defs = {}, ...rest } = ObjectSchema.parse(JSON.parse(JSON.stringify(written, pointToComponents)))
      for (const [name, definition] of Object.entries($defs)) named.set(name, definition)
      return rest
    },
    named: () => Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const pointToComponents = (key: string, value: unknown): unknown =>
  key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value

/** Leaves out what its format or type already says: the pattern of a date-time, the bounds of a safe integer. */
function trim(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.id
  if (schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
