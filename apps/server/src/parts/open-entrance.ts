import { instant, type Log, type Store } from '@septet/domain'

import { openAuth, type Auth } from '../auth/auth-service.ts'
import { openGate, type Gate } from '../auth/gate.ts'
import type { Config } from '../config.ts'
import type { Facts } from '../facts.ts'
import { SAMPLE_ID } from '../operations/sample-source.ts'

export type Entrance = {
  readonly auth: Auth
  readonly gate: Gate
  /** Tells where people can reach Septet, once it listens. */
  listensAt(url: string): void
}

type EntranceNeeds = {
  readonly config: Pick<Config, 'auth' | 'dataDir'>
  readonly store: Store
  readonly facts: Facts
  readonly log: Log
}

/** How people sign in, and who they are when they ask. */
export async function openEntrance({ config, store, facts, log }: EntranceNeeds): Promise<Entrance> {
  let listened = 'http://127.0.0.1'
  const now = () => instant(Date.now())
  const auth = await openAuth({
    config: config.auth,
    store,
    dataDir: config.dataDir,
    now,
    log,
    siteUrl: () => config.auth.publicUrl ?? listened,
  })
  const gate = openGate({
    auth,
    access: auth.context.access,
    config: config.auth,
    hashToken: (secret) => auth.context.secrets.keyedHash('api-token', secret),
    publicClusters: () => [...demoClusters(facts), SAMPLE_ID],
    now,
  })
  return { auth, gate, listensAt: (url) => (listened = url) }
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
