import { errorText, listed, plural } from '@septet/domain/words'
import { DAY_MS, type ConnectionStep } from '@septet/domain'
import { z } from 'zod'
import { openApiClient, type ApiClient } from '../connect/api-client.ts'
import { ApiError } from '../connect/api-error.ts'
import { toContactFailure } from '../connect/connection.ts'
import { ConnectError } from '../connect/connect-error.ts'
import { loadCredentials, type ClusterAddress, type Credentials } from '../connect/credentials.ts'
import { discover, type KnownApis } from '../connect/discovery.ts'
import { listPages } from '../connect/list-pages.ts'
import { greet, type Greeting } from '../connect/greet.ts'
import { reviewAll } from '../connect/review-all.ts'
import { productLabel, productProfile } from '../read/node-labels.ts'
import { DEFAULT_TIMING } from '../connect/timing.ts'

export type CheckClusterOptions = {
  readonly kubeconfig: ClusterAddress
  readonly operatorNamespace: string
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Called with each step as it begins, while it goes on, and as it ends. */
  readonly tell: (step: ConnectionStep) => void
}

/** What the test found out that a test of the metrics needs: names of the cluster's GPU nodes; undefined when unknown. */
export type CheckedCluster = { readonly gpuNodes: ReadonlySet<string> | undefined }

/** An answer must come within this, milliseconds: whoever tests is waiting. */
const RESPONSE_MS = 10_000
/** More than this makes "now" mean different things on both sides, milliseconds. */
const SKEW_MS = 30_000

/**
 * Tries a connection step by step, changing nothing: the credentials, the way to the API server, its certificate, who it
 * takes us for, each permission, the GPUs, the clocks. What cannot be tried any more is told as skipped. Never throws.
 */
export async function checkCluster(options: CheckClusterOptions): Promise<CheckedCluster> {
  const { tell } = options
  const credentials = attemptCredentials(options)
  if (credentials === undefined) return skipped(tell, ['reach', 'certificate', 'sign-in', ...READING])
  const greeting = await meet(credentials, options)
  if (greeting === undefined) return skipped(tell, ['sign-in', ...READING])
  const client = openApiClient({
    load: () => credentials,
    timing: { response: RESPONSE_MS, silence: DEFAULT_TIMING.silence },
    heard: () => undefined,
  })
  try {
    const apis = await signIn(client, greeting, options)
    if (apis === undefined) return skipped(tell, READING)
    await reviewAll(client, apis, options)
    const gpuNodes = await gpus(client, options)
    clock(greeting, options)
    return { gpuNodes }
  } finally {
    client.close()
  }
}

const READING = ['permissions', 'gpus', 'clock'] as const

function skipped(tell: CheckClusterOptions['tell'], ids: readonly ConnectionStep['id'][]): CheckedCluster {
  for (const id of ids) tell({ id, state: 'skipped', said: 'Skipped: an earlier step failed.' })
  return { gpuNodes: undefined }
}

function attemptCredentials({ kubeconfig, tell }: CheckClusterOptions): Credentials | undefined {
  try {
    const credentials = loadCredentials(kubeconfig)
    const { server, unverified } = credentials
    tell({ id: 'credentials', state: 'passed', said: `The API server is ${server.origin}.` })
    if (unverified) {
      tell({
        id: 'credentials',
        state: 'noticed',
        said: `The API server is ${server.origin}. The kubeconfig says not to check its certificate (insecure-skip-tls-verify).`,
        works: 'Everything, but anyone in between can read the token and answer in its place.',
        todo: 'Give the certificate authority of the cluster instead (certificate-authority-data).',
      })
    }
    return credentials
  } catch (error) {
    tell({ id: 'credentials', state: 'failed', said: errorText(error), todo: 'Correct the kubeconfig and test again.' })
    return undefined
  }
}

/** The way to the server and its certificate: one exchange tells both. */
async function meet(
  credentials: Credentials,
  { tell, signal, clock: now }: CheckClusterOptions,
): Promise<Greeting | undefined> {
  const { server, proxied } = credentials
  tell({ id: 'reach', state: 'running', said: `Asking ${server.host}.` })
  try {
    const greeting = await greet(credentials, { timeoutMs: RESPONSE_MS, signal, clock: now })
    tell({
      id: 'reach',
      state: 'passed',
      said: `${server.host} answered in ${greeting.tookMs} ms${proxied ? ', through the proxy that the kubeconfig names' : ''}.`,
    })
    tell(certificateStep(credentials, greeting, now()))
    return greeting
  } catch (error) {
    const refused = error instanceof ConnectError && error.code === 'certificate-refused'
    if (refused) {
      tell({ id: 'reach', state: 'passed', said: `${server.host} answers.` })
      tell({
        id: 'certificate',
        state: 'failed',
        said: errorText(error),
        works: 'Nothing is sent to a server that cannot prove who it is.',
        todo: 'Put the cluster’s authority into certificate-authority-data; "kubectl config view --raw --flatten --minify" writes it.',
      })
      return undefined
    }
    tell({
      id: 'reach',
      state: 'failed',
      said: errorText(error),
      todo: 'Check that this address can be reached from where Septet runs: network policies, firewalls, a private endpoint.',
    })
    tell({ id: 'certificate', state: 'skipped', said: 'Skipped: the server was not reached.' })
    return undefined
  }
}

const EXPIRES_SOON_MS = 14 * DAY_MS

function certificateStep({ unverified }: Credentials, { certificateUntil }: Greeting, now: number): ConnectionStep {
  const id = 'certificate'
  if (certificateUntil === undefined) {
    return { id, state: 'noticed', said: 'Septet connects over plain HTTP, without a certificate.' }
  }
  const until = new Date(certificateUntil).toISOString().slice(0, 10)
  if (unverified) return { id, state: 'noticed', said: `Not verified; it claims to be valid until ${until}.` }
  if (certificateUntil - now < EXPIRES_SOON_MS) {
    return {
      id,
      state: 'noticed',
      said: `Valid, but expires soon, on ${until}.`,
      works: 'Everything until then.',
      todo: 'Renew the API server’s certificate.',
    }
  }
  return { id, state: 'passed', said: `Signed by the kubeconfig’s CA, valid until ${until}.` }
}

/** What the API server makes of the credentials, and which APIs it has. */
async function signIn(
  client: ApiClient,
  { version }: Greeting,
  { tell }: CheckClusterOptions,
): Promise<KnownApis | undefined> {
  tell({ id: 'sign-in', state: 'running', said: 'Presenting the credentials.' })
  try {
    const apis = await discover(client)
    // Discovery may be open to everybody; only a question about ourselves shows whether we are known.
    await client.post(REVIEWS, accessReview('nodes', 'list'))
    tell({ id: 'sign-in', state: 'passed', said: `Signed in to Kubernetes ${version || '(version unknown)'}.` })
    return apis
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      tell({
        id: 'sign-in',
        state: 'failed',
        said: 'The API server accepts the credentials but does not let them check their own permissions (403 for SelfSubjectAccessReview).',
        todo: 'Give them the ClusterRole system:basic-user, which every signed-in user has by default.',
      })
      return undefined
    }
    tell({
      id: 'sign-in',
      state: 'failed',
      said: errorText(toContactFailure(error)),
      todo: 'Renew the token, and check that the kubeconfig belongs to this cluster.',
    })
    return undefined
  }
}

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const accessReview = (resource: string, verb: string): object => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { group: '', resource, verb } },
})

const NodeSchema = z.object({
  metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).catch({}) }),
  status: z.object({ capacity: z.record(z.string(), z.string()).catch({}) }).catch({ capacity: {} }),
})

async function gpus(
  client: ApiClient,
  { tell, signal }: CheckClusterOptions,
): Promise<ReadonlySet<string> | undefined> {
  const id = 'gpus'
  let nodes = 0
  let whole = 0
  let cut = 0
  const found = new Set<string>()
  tell({ id, state: 'running', said: 'Reading the nodes.' })
  try {
    const onItem = (raw: unknown): void => {
      const node = NodeSchema.safeParse(raw).data
      if (node === undefined) return
      nodes += 1
      const held = gpuCount(node.status.capacity, node.metadata.labels)
      whole += held.whole
      cut += held.cut
      const labeled = node.metadata.labels['nvidia.com/gpu.present'] === 'true'
      if (held.any || labeled) found.add(node.metadata.name)
    }
    await listPages({ client, path: '/api/v1/nodes', query: {}, signal, onItem })
  } catch (error) {
    const forbidden = error instanceof ApiError && error.status === 403
    const said = forbidden ? 'Listing nodes is not permitted; see the permissions.' : errorText(toContactFailure(error))
    tell({ id, state: 'failed', said })
    return undefined
  }
  tell(gpuStep({ nodes, withGpus: found.size, whole, cut }))
  return found
}

function gpuStep(counted: {
  readonly nodes: number
  readonly withGpus: number
  readonly whole: number
  readonly cut: number
}): ConnectionStep {
  const { nodes, withGpus, whole, cut } = counted
  if (withGpus > 0) {
    const offered = [
      ...(whole === 0 ? [] : [`${plural(whole, 'whole GPU')} or replicas of GPUs`]),
      ...(cut === 0 ? [] : [plural(cut, 'MIG device')]),
    ]
    return {
      id: 'gpus',
      state: 'passed',
      said: `${withGpus} of ${plural(nodes, 'node has', 'nodes have')} GPUs.${offered.length === 0 ? '' : ` They offer ${listed(offered)}.`}`,
    }
  }
  return {
    id: 'gpus',
    state: 'noticed',
    said: `${plural(nodes, 'node')}, and none offers nvidia.com GPUs.`,
    works: 'The connection; the cluster is shown as empty.',
    todo: 'See whether the NVIDIA device plugin or GPU Operator runs, and whether GPU nodes are scaled to zero now.',
  }
}

type Offered = { readonly whole: number; readonly cut: number; readonly any: boolean }

/** Under the single strategy MIG devices are offered as GPUs, and the product label alone says so. */
function gpuCount(capacity: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): Offered {
  const offered = Object.entries(capacity).filter(
    ([name, count]) => name.startsWith('nvidia.com/') && Number(count) > 0,
  )
  const isCut = productProfile(productLabel(labels)) !== undefined
  const countOf = (pattern: RegExp): number =>
    offered.reduce((sum, [name, count]) => sum + (pattern.test(name) ? Number(count) : 0), 0)
  const asGpus = countOf(/^nvidia\.com\/gpu(\.shared)?$/u)
  return {
    whole: isCut ? 0 : asGpus,
    cut: countOf(/^nvidia\.com\/mig-/u) + (isCut ? asGpus : 0),
    any: offered.length > 0,
  }
}

function clock({ aheadMs }: Greeting, { tell }: CheckClusterOptions): void {
  const id = 'clock'
  if (aheadMs === undefined) return tell({ id, state: 'skipped', said: 'The API server does not report its time.' })
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (Math.abs(aheadMs) <= SKEW_MS) {
    const apart = seconds <= 1 ? 'to the second' : `within ${seconds} s`
    return tell({ id, state: 'passed', said: `The clocks agree ${apart}.` })
  }
  return tell({
    id,
    state: 'noticed',
    said: `The API server’s clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this one.`,
    works: 'Reading; times of pods and samples are off by that much, and tokens may be refused.',
    todo: 'Set both by NTP.',
  })
}
