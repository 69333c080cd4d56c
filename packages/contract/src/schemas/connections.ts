import {
  areLabelMatchers,
  CONNECTION_STEPS,
  HEADER_LINES_WORDS,
  headerLines,
  LABEL_MATCHERS_WORDS,
  PROMETHEUS_SECRETS,
} from '@septet/domain'
import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { Namespace } from './names.ts'

const Kubeconfig = z
  .string()
  .min(1)
  .max(200_000)
  .describe('a self-contained kubeconfig as text: no file references, no plugins')
const ContextName = z.string().min(1).max(253).describe('kubeconfig context; defaults to the current one')

/** Passwords have fields of their own: an address is shown to anyone who may see the connection. */
const Address = z
  .url({ protocol: /^https?$/u })
  .max(2000)
  .refine((text) => !/^https?:\/\/[^/]*@/u.test(text), 'must not hold a password; give a token instead')

/** Where the metrics of a cluster are. */
const MetricsWish = {
  prometheusUrl: Address.optional().describe('Prometheus-compatible API that has the cluster’s DCGM metrics'),
  prometheusToken: z.string().max(10_000).optional().describe('bearer token for that API'),
  prometheusTenant: z
    .string()
    .regex(/^[\w.!*'()-]{1,150}$/u, "must be letters, digits and _.!*'()-")
    .optional()
    .describe('value of the X-Scope-OrgID header'),
  prometheusHeaders: z
    .string()
    .max(10_000)
    .refine((text) => headerLines(text) !== undefined, `must be ${HEADER_LINES_WORDS}`)
    .optional()
    .describe('headers to send with every request, one a line: X-Team: gpu'),
  prometheusMatchers: z
    .string()
    .trim()
    .max(1000)
    .refine((text) => text === '' || areLabelMatchers(text), `must be ${LABEL_MATCHERS_WORDS}`)
    .optional()
    .describe('label matchers that the series of this cluster meet, where an engine holds several: cluster="prod"'),
  prometheusUser: z
    .string()
    .max(200)
    .regex(/^[^:\p{Cc}]*$/u, 'must hold no colon')
    .optional()
    .describe('user name, for an API that asks for a password instead of a token'),
  prometheusPassword: z.string().max(10_000).optional().describe('password of that user'),
  prometheusAwsRegion: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/u, 'must be an AWS region, such as eu-west-1')
    .optional()
    .describe('region of Amazon Managed Service for Prometheus: requests are signed (SigV4)'),
  prometheusAwsKeyId: z
    .string()
    .regex(/^\w{16,128}$/u, 'must be an AWS access key ID')
    .optional()
    .describe('access key ID that requests are signed with'),
  prometheusAwsSecret: z.string().max(1000).optional().describe('secret access key of that ID'),
  prometheusCa: z
    .string()
    .max(100_000)
    .optional()
    .describe('certificates to trust besides the well-known ones, PEM; for an API with a certificate of your own'),
  prometheusCert: z.string().max(100_000).optional().describe('client certificate to show to that API (mTLS), PEM'),
  prometheusKey: z.string().max(100_000).optional().describe('private key of the client certificate, PEM'),
  prometheusQueries: z.number().int().min(1).max(100).optional().describe('most queries to that API at the same time'),
  prometheusQuerySeconds: z
    .number()
    .int()
    .min(1)
    .max(3000)
    .optional()
    .describe('most seconds that queries may take in a minute, all together; a reading beyond them is left out'),
  exporterTargets: z
    .array(Address)
    .max(500)
    .optional()
    .describe('dcgm-exporter URLs to scrape directly; they take precedence over Prometheus'),
} as const

/** How a cluster is reached and where its metrics are. */
const ConnectionWish = {
  kind: z
    .enum(['kubeconfig', 'in-cluster', 'agent'])
    .describe(
      'with a kubeconfig, with the service account of the pod Septet runs in, or by an agent inside the cluster that sends what it reads',
    ),
  kubeconfig: Kubeconfig.optional(),
  context: ContextName.optional(),
  operatorNamespace: Namespace.default('gpu-operator').describe('namespace of the NVIDIA GPU Operator'),
  ...MetricsWish,
} as const

const Name = z
  .string()
  .trim()
  .min(1)
  .max(63)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'must begin with a letter or digit, then letters, digits, spaces and ._-')
  .describe('display name')

const ConnectionView = named('Connection', {
  id: z.string(),
  name: z.string(),
  origin: z.enum(['environment', 'settings', 'demo']).describe('where it is configured: the environment, or Settings'),
  server: z.string().nullable().describe('API server URL; null if it comes from a file or the pod'),
  signsInBy: z.string(),
  operatorNamespace: z.string(),
  prometheusUrl: z.string().nullable(),
  prometheusTenant: z.string().nullable(),
  prometheusMatchers: z.string().nullable(),
  prometheusUser: z.string().nullable(),
  prometheusAwsRegion: z.string().nullable(),
  prometheusAwsKeyId: z.string().nullable(),
  prometheusQueries: z.number().int().nullable(),
  prometheusQuerySeconds: z.number().int().nullable(),
  prometheusSecrets: z.array(z.enum(PROMETHEUS_SECRETS)).describe('which inputs are stored and never returned'),
  exporterTargets: z.array(z.string()).describe('exporters that are scraped directly'),
  addedAt: InstantText.nullable(),
  addedBy: z.string().nullable(),
  actor: z
    .object({ signsInBy: z.string(), namespace: z.string() })
    .nullable()
    .describe('the account Septet may change the cluster with; null: none, it only reads'),
  agent: z
    .object({
      host: z.string().nullable().describe('null: none has reported yet'),
      version: z.string().nullable(),
      since: InstantText.nullable().describe('since when this agent reads the cluster'),
      seenAt: InstantText.nullable().describe('when it last reported'),
      readTo: InstantText.nullable().describe('when the newest reading was taken that arrived'),
    })
    .nullable()
    .describe('the agent that reads the cluster from inside; null: Septet reads it itself'),
})

const AgentToken = z.string().describe('the token of the agent; shown once')

export const connectionsList = operation(ROUTES.connectionsList, {
  title: 'Connections',
  description:
    'How each cluster is reached and where its metrics are. Credentials are stored encrypted and never returned.',
  input: z.strictObject({}),
  output: named('ConnectionList', {
    connections: z.array(ConnectionView),
    inCluster: z.boolean().describe('whether Septet runs in a pod, so that its own cluster can be added'),
  }),
})

export const connectionsContexts = operation(ROUTES.connectionsContexts, {
  title: 'Contexts of a kubeconfig',
  description: 'The contexts in a kubeconfig, and whether each can be used here or why not. Nothing is stored.',
  input: z.strictObject({ kubeconfig: Kubeconfig }),
  output: named('KubeconfigContexts', {
    contexts: z.array(
      z.object({
        name: z.string(),
        server: z.string(),
        signsInBy: z.string(),
        isCurrent: z.boolean(),
        refused: z.string().nullable(),
      }),
    ),
  }),
})

export const connectionsTest = operation(ROUTES.connectionsTest, {
  title: 'Test a connection',
  description:
    'Starts testing a connection step by step: network, certificate, credentials, each permission, GPUs, metrics, clocks. Changes nothing in the cluster; fetch the result with the returned ID.',
  input: z.strictObject(ConnectionWish),
  output: named('ConnectionTestBegun', { id: z.string() }),
})

const StepView = z.object({
  id: z.enum(CONNECTION_STEPS),
  state: z.enum(['running', 'passed', 'noticed', 'failed', 'skipped']),
  said: z.string(),
  works: z.string().nullable().describe('what still works'),
  todo: z.string().nullable(),
  items: z.array(z.object({ name: z.string(), state: z.enum(['passed', 'failed', 'noticed']), said: z.string() })),
  manifest: z.string().nullable().describe('YAML that grants what is missing'),
})

export const connectionsTested = operation(ROUTES.connectionsTested, {
  title: 'Result of a connection test',
  description: 'The steps of a running or finished test. Kept for ten minutes.',
  input: z.strictObject({ id: z.string().describe('test ID') }),
  output: named('ConnectionTest', { done: z.boolean(), steps: z.array(StepView) }),
})

export const connectionsAdd = operation(ROUTES.connectionsAdd, {
  title: 'Add a cluster',
  description: 'Stores the connection with encrypted credentials and starts watching the cluster right away.',
  input: z.strictObject({ name: Name, ...ConnectionWish }),
  output: named('ConnectionAdded', {
    connection: ConnectionView,
    continues: z.boolean().describe('whether it continues usage that was stored earlier'),
    agentToken: AgentToken.nullable().describe('the token of its agent, shown once; null: it has none'),
  }),
})

export const connectionsRotate = operation(ROUTES.connectionsRotate, {
  title: 'Replace the token of an agent',
  description:
    'Makes a new token for the agent of a cluster. The one before ends immediately; what its agent has read and not sent yet stays on its disk until it is started with the new one.',
  input: z.strictObject({ id: z.string() }),
  output: named('AgentTokenMade', { connection: ConnectionView, agentToken: AgentToken }),
})

export const connectionsRename = operation(ROUTES.connectionsRename, {
  title: 'Rename a cluster',
  description: 'Changes the display name. The ID, and with it links and stored usage, stays the same.',
  input: z.strictObject({ id: z.string(), name: Name }),
  output: ConnectionView,
})

export const connectionsMetrics = operation(ROUTES.connectionsMetrics, {
  title: 'Change where the metrics of a cluster are',
  description:
    'Replaces the source of metrics; without an address the cluster has none. What is secret, and any certificate, is kept while the address stays the same if you leave it out, and removed if it is empty. The cluster reconnects, which takes a few seconds.',
  input: z.strictObject({ id: z.string(), ...MetricsWish }),
  output: ConnectionView,
})

export const connectionsActor = operation(ROUTES.connectionsActor, {
  title: 'Let Septet change a cluster, or only read it',
  description:
    'Stores credentials for acting, encrypted and separate from the ones used for reading, or removes them. What Septet may do with them depends on that account’s permissions and on the cluster’s policy. The cluster reconnects, which takes a few seconds.',
  input: z.strictObject({
    id: z.string(),
    kubeconfig: Kubeconfig.nullable().describe('the actor’s kubeconfig as text; null: Septet only reads from now on'),
    context: ContextName.optional(),
    namespace: Namespace.default('septet').describe('where the actor keeps its Lease and looks for the stop ConfigMap'),
  }),
  output: ConnectionView,
})

export const connectionsRemove = operation(ROUTES.connectionsRemove, {
  title: 'Remove a cluster',
  description:
    'Stops watching a cluster and deletes its credentials, inventory, findings and recommendations. Stored usage stays until retention drops it, unless you ask to delete it too. Nothing in the cluster changes.',
  input: z.strictObject({
    id: z.string(),
    confirm: z.string().describe('the cluster’s name, as a confirmation'),
    deleteUsage: z.boolean().default(false).describe('whether to delete its stored usage and waits too'),
  }),
  output: named('ConnectionRemoved', { removed: z.string(), usageDeleted: z.boolean() }),
})
