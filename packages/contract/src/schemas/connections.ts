import { CONNECTION_STEPS } from '@septet/domain'
import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Kubeconfig = z
  .string()
  .min(1)
  .max(200_000)
  .describe('a kubeconfig as text, with everything inside: no files, no plugins')
const ContextName = z.string().min(1).max(253).describe('context of the kubeconfig; its current one when left out')

/** A namespace is a DNS label (RFC 1123). */
const Namespace = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/u)

/** Passwords have fields of their own: an address is shown to whoever may see the connection. */
const Address = z
  .url({ protocol: /^https?$/u })
  .max(2000)
  .refine((text) => !/^https?:\/\/[^/]*@/u.test(text), 'must not hold a password; give a token instead')

/** How a cluster is reached and where its metrics are. */
const ConnectionWish = {
  kind: z
    .enum(['kubeconfig', 'in-cluster'])
    .describe('by a kubeconfig, or by the service account of the pod that Septet runs in'),
  kubeconfig: Kubeconfig.optional(),
  context: ContextName.optional(),
  operatorNamespace: Namespace.default('gpu-operator').describe('namespace of the NVIDIA GPU Operator'),
  prometheusUrl: Address.optional().describe('Prometheus-compatible API that holds the DCGM metrics of the cluster'),
  prometheusToken: z.string().max(10_000).optional().describe('bearer token for it'),
  prometheusTenant: z
    .string()
    .regex(/^[\w.!*'()-]{1,150}$/u)
    .optional()
    .describe('value of the X-Scope-OrgID header'),
  exporterTargets: z
    .array(Address)
    .max(500)
    .optional()
    .describe('metrics addresses of dcgm-exporter, scraped directly; they win over Prometheus'),
} as const

const Name = z
  .string()
  .trim()
  .min(1)
  .max(63)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'begins with a letter or digit; letters, digits, spaces, dots, dashes')
  .describe('name to show')

const ConnectionView = named('Connection', {
  id: z.string(),
  name: z.string(),
  origin: z.enum(['environment', 'settings', 'demo']).describe('who decided: environment settings, an admin here'),
  server: z.string().nullable().describe('address of the API server; null where a file or the pod says it'),
  signsInBy: z.string(),
  operatorNamespace: z.string(),
  prometheusUrl: z.string().nullable(),
  prometheusTenant: z.string().nullable(),
  hasPrometheusToken: z.boolean(),
  exporterTargets: z.number().int().describe('how many exporters are scraped directly'),
  addedAt: InstantText.nullable(),
  addedBy: z.string().nullable(),
  actor: z
    .object({ signsInBy: z.string(), namespace: z.string() })
    .nullable()
    .describe('by what Septet may change the cluster; null: by nothing, it only reads'),
})

export const connectionsList = operation(ROUTES.connectionsList, {
  title: 'Connections',
  description: 'How each cluster is reached and where its metrics are. Credentials are kept sealed and never told.',
  input: z.strictObject({}),
  output: named('ConnectionList', {
    connections: z.array(ConnectionView),
    inCluster: z.boolean().describe('whether Septet runs in a pod, so that its own cluster can be added'),
  }),
})

export const connectionsContexts = operation(ROUTES.connectionsContexts, {
  title: 'Contexts of a kubeconfig',
  description:
    'Which contexts a kubeconfig holds, and for each whether it can be used here or why not. Nothing is kept.',
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
    'Begins to try a connection step by step: the way, the certificate, the credentials, each permission, GPUs, metrics, clocks. Changes nothing in the cluster; ask for the result by the id.',
  input: z.strictObject(ConnectionWish),
  output: named('ConnectionTestBegun', { id: z.string() }),
})

const StepView = z.object({
  id: z.enum(CONNECTION_STEPS),
  state: z.enum(['running', 'passed', 'noticed', 'failed', 'skipped']),
  said: z.string(),
  works: z.string().nullable().describe('what works all the same'),
  todo: z.string().nullable(),
  items: z.array(z.object({ name: z.string(), state: z.enum(['passed', 'failed', 'noticed']), said: z.string() })),
  manifest: z.string().nullable().describe('YAML that gives what is missing'),
})

export const connectionsTested = operation(ROUTES.connectionsTested, {
  title: 'Result of a connection test',
  description: 'The steps of a test that was begun, as far as they have come. It is forgotten after ten minutes.',
  input: z.strictObject({ id: z.string().describe('id of the test') }),
  output: named('ConnectionTest', { done: z.boolean(), steps: z.array(StepView) }),
})

export const connectionsAdd = operation(ROUTES.connectionsAdd, {
  title: 'Add a cluster',
  description: 'Keeps a connection, its credentials sealed, and begins to watch the cluster at once.',
  input: z.strictObject({ name: Name, ...ConnectionWish }),
  output: named('ConnectionAdded', {
    connection: ConnectionView,
    continues: z.boolean().describe('whether usage stored earlier goes on'),
  }),
})

export const connectionsRename = operation(ROUTES.connectionsRename, {
  title: 'Rename a cluster',
  description: 'Changes the name that is shown; the id, and with it links and stored usage, stays.',
  input: z.strictObject({ id: z.string(), name: Name }),
  output: ConnectionView,
})

export const connectionsActor = operation(ROUTES.connectionsActor, {
  title: 'Let Septet change a cluster, or only read it',
  description:
    'Keeps credentials of an actor, sealed, beside those that Septet reads by, or takes them away. What it may do with them is decided by the rights of that account and by what Septet may do on the cluster. The cluster is connected anew, which takes some seconds.',
  input: z.strictObject({
    id: z.string(),
    kubeconfig: Kubeconfig.nullable().describe('kubeconfig of the actor as text; null: Septet only reads from now on'),
    context: ContextName.optional(),
    namespace: Namespace.default('septet').describe('where the actor keeps its Lease and looks for the stop switch'),
  }),
  output: ConnectionView,
})

export const connectionsRemove = operation(ROUTES.connectionsRemove, {
  title: 'Remove a cluster',
  description:
    'Stops watching a cluster and forgets its credentials, inventory, findings and recommendations. Its usage stays until retention drops it, unless that is to be deleted too. Nothing in the cluster changes.',
  input: z.strictObject({
    id: z.string(),
    confirm: z.string().describe('the name of the cluster, to show that it is meant'),
    deleteUsage: z.boolean().default(false).describe('whether its stored usage and waits are deleted too'),
  }),
  output: named('ConnectionRemoved', { removed: z.string(), usageDeleted: z.boolean() }),
})
