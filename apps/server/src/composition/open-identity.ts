import { randomBytes } from 'node:crypto'
import { instant, type Instant, type Log, type Store, type SettingStore, type TokenReviewer } from '@septet/domain'
import {
  admits,
  foldEmail,
  isEmail,
  openAuth,
  openGate,
  openLogins,
  openServiceAccountGate,
  type HashCost,
  type Logins,
  TOKEN_PREFIX,
  type AuthContext,
  type Auth,
  type Gate,
  type ServiceAccountGate,
} from '@septet/auth'
import type { Config } from '../config.ts'
import type { Facts } from '../facts.ts'
import type { AccessService } from '../operations/access/access-service.ts'
import { SAMPLE_ID } from '../operations/answering/source.ts'
import { openTokenReviewer, type ClusterAddress } from '@septet/connectors'
import { idOf } from './cluster-sources.ts'
import { clusterAddress } from './connect-cluster.ts'
import { readConnections, connectionSource, type Opening } from './stored-connections.ts'

export type Identity = {
  readonly auth: Auth
  readonly gate: Gate
  readonly service: AccessService
  readonly logins: Logins
  /** Tells where people can reach Septet, once it listens. */
  readonly listensAt: (url: string) => void
}

type IdentityNeeds = {
  readonly config: Pick<Config, 'auth' | 'dataDir' | 'cluster' | 'credentialPlugins'>
  readonly store: Store
  readonly facts: Facts
  /** Kubeconfig of the demo cluster, where it runs. */
  readonly demo?: string | undefined
  readonly log: Log
  /** What a password's hash takes; as in production when left out. */
  readonly hashCost?: HashCost
}

/** How people sign in, and who they are when they ask. */
export async function openIdentity({ config, store, facts, demo, log, hashCost }: IdentityNeeds): Promise<Identity> {
  let listened = 'http://127.0.0.1'
  const auth = await openAuth({
    config: config.auth,
    store,
    dataDir: config.dataDir,
    now,
    log,
    siteUrl: () => config.auth.publicUrl ?? listened,
    hashCost,
  })
  const gate = openGate({
    auth,
    access: auth.context.access,
    config: config.auth,
    hashToken: (secret) => hashToken(auth.context, secret),
    publicClusters: () => [...demoClusters(facts), SAMPLE_ID],
    serviceAccounts: serviceAccountsBy(auth.context, { config, settings: store.settings, demo }),
    now,
  })
  const logins = openLogins(auth.context)
  return { auth, gate, service: serviceOf(auth.context, logins), logins, listensAt: (url) => (listened = url) }
}

/** Undefined where no service account comes in: then no API server is ever asked. */
function serviceAccountsBy(
  context: AuthContext,
  { config, settings, demo }: Pick<IdentityNeeds, 'config' | 'demo'> & { readonly settings: Store['settings'] },
): ServiceAccountGate | undefined {
  const { serviceAccounts: grants, publicUrl } = config.auth
  if (grants.length === 0 || publicUrl === undefined) return undefined
  const { secrets, log } = context
  const { cluster: configured, credentialPlugins: plugins } = config
  return openServiceAccountGate({
    grants,
    publicUrl,
    reviewerOf: openTokenReviews({ configured, demo, settings, secrets, plugins }),
    hashToken: (secret) => secrets.keyedHash('service-account-token', secret),
    now,
    log,
  })
}

const now = (): Instant => instant(Date.now())

const hashToken = ({ secrets }: Pick<AuthContext, 'secrets'>, secret: string): string =>
  secrets.keyedHash('api-token', secret)

/** 256 bits: nobody guesses one, so a keyed hash is enough to keep it by. */
const SECRET_BYTES = 32

function serviceOf(context: AuthContext, logins: Logins): AccessService {
  const { config, access, signingKeys } = context
  const { admin, others, anyone } = config.authorized
  return {
    mode: config.mode.kind,
    keepsMails: config.mode.kind === 'embedded' && config.smtp === undefined,
    siteUrl: () => context.siteUrl(),
    authorized: [admin, ...others, ...(anyone ? ['*'] : [])],
    access,
    readAddress(text) {
      const email = foldEmail(text)
      return isEmail(email) ? email : undefined
    },
    async rotateKeys(options) {
      await signingKeys.rotate(options)
      return (await signingKeys.publicKeys()).map(({ kid }) => kid)
    },
    admits: (email) => admits(config.authorized, email),
    logins: {
      async find(person, code) {
        await context.limits.spendOn('login-code', person)
        return logins.find(code)
      },
      allow: (request, by) => logins.allow(request, by),
      deny: (request) => logins.deny(request),
    },
    makeSecret() {
      const secret = `${TOKEN_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
      return { secret, hash: hashToken(context, secret) }
    },
  }
}

const demoClusters = (facts: Facts): string[] =>
  facts
    .clusters()
    .filter(({ record }) => record.kind === 'demo')
    .map(({ record }) => record.id)

/** How to get in, while the first account is not there yet; undefined once it is, and where accounts live elsewhere. */
export async function signUpHint(
  url: string,
  { config, access }: Pick<Auth['context'], 'config' | 'access'>,
): Promise<string | undefined> {
  if (config.mode.kind === 'hosted') return undefined
  const { admin } = config.authorized
  if ((await access.accounts.byEmail(admin)) !== undefined) return undefined
  const secret = config.setupSecret === undefined ? '' : ' and the setup secret'
  return `Sign up at ${config.publicUrl ?? url}/auth as ${admin}${secret} (SEPTET_AUTHORIZED_EMAIL changes that)`
}

type TokenReviewParts = Opening & {
  readonly configured: Config['cluster']
  /** Kubeconfig of the demo cluster, where it runs. */
  readonly demo: string | undefined
  readonly settings: SettingStore
}

/**
 * Finds who asks the API server of a cluster, by the connection that it has now; undefined where there is none, or an agent
 * reads the cluster. Throws what the store throws, and a `ConnectError` for credentials that cannot be used.
 */
function openTokenReviews(parts: TokenReviewParts): (cluster: string) => Promise<TokenReviewer | undefined> {
  const opened = new Map<string, { readonly by: string; readonly reviewer: TokenReviewer }>()
  return async (cluster) => {
    const address = await addressFor(parts, cluster)
    const by = JSON.stringify(address)
    const known = opened.get(cluster)
    if (known !== undefined && known.by === by) return known.reviewer
    known?.reviewer.close()
    opened.delete(cluster)
    if (address === undefined) return undefined
    const reviewer = openTokenReviewer(address)
    opened.set(cluster, { by, reviewer })
    return reviewer
  }
}

/** Of clusters with one id the configured one is the one that is watched, then the demo cluster. */
async function addressFor(parts: TokenReviewParts, cluster: string): Promise<ClusterAddress | undefined> {
  const { configured, demo, settings } = parts
  if (configured !== undefined && idOf(configured.name) === cluster) return clusterAddress(configured)
  if (demo !== undefined && cluster === 'demo') return { path: demo }
  const { connections } = await readConnections(settings)
  const stored = connections.find(({ id }) => id === cluster)
  const source = stored && connectionSource(parts, stored)
  return source?.kind === 'cluster' ? clusterAddress(source.cluster) : undefined
}
