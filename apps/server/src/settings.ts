import { areLabelMatchers, LABEL_MATCHERS_WORDS } from '@septet/domain'
import { z } from 'zod'

import {
  CREDENTIAL_PLUGINS,
  type Expected,
  DEMO_SCALE,
  HEADER_NAME,
  HTTP_URL,
  listOf,
  LOG_LEVEL,
  numberWithin,
  ON_OFF,
  ORIGIN,
  PIPELINES,
  PORT,
  ROLE,
  TOKENS,
  wholeWithin,
  within,
  withoutPassword,
} from './setting-values.ts'

type Rules = {
  readonly is?: Expected
  /** The setting without which this one would be silently ignored, and what to do about that. */
  readonly needs?: readonly [name: string, todo: string]
}

/** `fallback` is the value where none is given; empty: none, whatever the rules say of a value. */
const setting = (fallback: string, meaning: string, more: Rules = {}) => ({ fallback, meaning, ...more })

/** Everything that can be set from outside. `docs/configuration.md` is made to agree with this list by a test. */
export const SETTINGS = {
  SEPTET_HOST: setting('127.0.0.1', 'Address to listen on.'),
  SEPTET_PORT: setting('7070', 'Port to listen on; 0 takes a free one.', { is: PORT }),
  SEPTET_PUBLIC_URL: setting(
    '',
    'How people reach Septet, `https://septet.example.com`; the address it listens on when empty.',
    {
      is: {
        schema: ORIGIN,
        expected: 'an http:// or https:// address without a path, like https://septet.example.com',
      },
    },
  ),
  SEPTET_TRUSTED_PROXIES: setting(
    '',
    'Proxies whose `x-forwarded-*` headers are believed: addresses, ranges or `loopback`, separated by commas.',
  ),
  SEPTET_DATA_DIR: setting('.septet', 'Folder for the embedded database, the demo kubeconfig and keys.'),
  SEPTET_ROLE: setting(
    'all',
    '`all` watches clusters and answers; `answer` only answers, from the store of one that watches.',
    { is: ROLE },
  ),
  SEPTET_PIPELINES: setting(
    'thread',
    'Where each cluster is watched: in a `thread` of this process, or in a separate `process`.',
    { is: PIPELINES },
  ),
  DATABASE_URL: setting('', 'A PostgreSQL (15 or newer) to use instead of the embedded one.', {
    is: { schema: z.url({ protocol: /^postgres(ql)?$/u }), expected: 'a postgres:// URL' },
  }),
  SEPTET_AUTHORIZED_EMAIL: setting(
    'admin@septet.local',
    'Who may sign up: the admin first, then others, `*@example.com` or `*`, separated by commas.',
  ),
  SEPTET_SETUP_SECRET: setting(
    '',
    'What the first admin must show at sign-up, 16 characters or more; needed where others can reach Septet.',
    { is: { schema: z.string().min(16), expected: '16 characters or more', secret: true } },
  ),
  SEPTET_SECRET: setting(
    '',
    'Key material of 32 characters or more; a file in the data directory, made at first start, when empty.',
    { is: { schema: z.string().min(32), expected: '32 characters or more', secret: true } },
  ),
  SEPTET_CONFIRM_EMAIL: setting('off', 'Whether a new account must first confirm its address by mail: on or off.', {
    is: ON_OFF,
  }),
  SEPTET_SMTP_URL: setting(
    '',
    'Mail server, `smtps://user:password@mail.example.com`; without one admins see mails in the outbox.',
    {
      is: { schema: z.url({ protocol: /^smtps?$/u }), expected: 'an smtp:// or smtps:// address', secret: true },
      needs: ['SEPTET_PUBLIC_URL', 'links in mails need an address that leads here'],
    },
  ),
  SEPTET_MAIL_FROM: setting('', 'Sender of mails; `septet@` and the host of SEPTET_PUBLIC_URL when empty.', {
    needs: ['SEPTET_SMTP_URL', 'name the server that is to send'],
  }),
  SEPTET_MAILS_PER_HOUR: setting(
    '30',
    'Emails an hour that anyone can cause, to sign up or sign in by mail; recoveries do not count.',
  ),
  SEPTET_MAILS_RESERVED: setting('30', 'Emails an hour kept beside those for invitations.'),
  SEPTET_MAILS_PER_ADDRESS: setting(
    '15',
    'Emails an hour that one network address can ask for, and as many recoveries.',
  ),
  SEPTET_MAILS_PER_RECIPIENT: setting(
    '10',
    'Emails an hour to one e-mail address; as many recoveries, and as many invitations.',
  ),
  SEPTET_RATE_LIMITS: setting(
    '',
    'Requests of one network address by kind, like `token=600,verify=60`; see "Limits on requests".',
  ),
  SEPTET_PUBLIC_DEMO: setting('on', 'Whether anyone may view the demo cluster at /demo: on or off.', { is: ON_OFF }),
  SEPTET_MCP_ISSUER: setting(
    '',
    'An OAuth authorization server whose access tokens `/mcp` takes too; see [agents](agents.md).',
  ),
  SEPTET_MCP_GROUPS: setting('', 'What the groups in its tokens may do at most, like `ml=viewer,platform=operator`.', {
    needs: ['SEPTET_MCP_ISSUER', 'name the server that puts people in groups'],
  }),
  SEPTET_SSO_NAME: setting('single sign-on', 'Name on the sign-in button, after "Continue with".', {
    is: { schema: z.string().max(40), expected: '40 characters or fewer' },
  }),
  SEPTET_SSO_ISSUER: setting('', 'OpenID Connect provider for single sign-on, `https://sso.example.com/realms/main`.', {
    needs: ['SEPTET_SSO_CLIENT_ID', 'register Septet there, and name what it is called'],
  }),
  SEPTET_SSO_CLIENT_ID: setting('', 'Client ID of Septet at that provider.', {
    needs: ['SEPTET_SSO_ISSUER', 'name the provider that calls Septet so'],
  }),
  SEPTET_SSO_CLIENT_SECRET_FILE: setting(
    '',
    'File with the client secret, read at each sign-in; a public client (PKCE only) when empty.',
    { needs: ['SEPTET_SSO_ISSUER', 'name the provider that it is for'] },
  ),
  SEPTET_SSO_SCOPES: setting('openid email profile', 'Scopes to request.', {
    is: { schema: z.string().regex(/(^|\s)openid(\s|$)/u), expected: 'a list of scopes with openid among them' },
  }),
  SEPTET_SSO_GROUPS_CLAIM: setting('groups', 'Claim with a person’s groups, or a path to it, `realm_access.roles`.'),
  SEPTET_SSO_GROUPS: setting(
    '',
    'Role and namespaces by group, `platform=admin,ml=viewer:team-a+team-b`; single sign-on then needs one of these groups.',
  ),
  SEPTET_SSO_LINK: setting(
    'off',
    'Whether to link a password account to the single sign-on account with the same verified email address: on or off.',
    { is: ON_OFF },
  ),
  SEPTET_SSO_SIGN_OUT: setting(
    'off',
    'Whether signing out also signs out at the provider, if it supports that: on or off.',
    { is: ON_OFF },
  ),
  SEPTET_SSO_SESSION_HOURS: setting(
    '12',
    'Hours until people sign in at the provider again, which also refreshes their groups, 1 to 720.',
    { is: wholeWithin(1, 720, 'a whole number of hours') },
  ),
  SEPTET_SSO_TOKEN_DAYS: setting(
    '30',
    'Days without a sign-in after which a person’s API tokens lose what groups granted, 1 to 400.',
    { is: wholeWithin(1, 400, 'a whole number of days') },
  ),
  SEPTET_SSO_PROXIES: setting(
    '',
    'Instead of an issuer: proxies whose headers name the signed-in person; addresses or ranges, separated by commas.',
  ),
  SEPTET_SSO_EMAIL_HEADER: setting('x-auth-request-email', 'Header with the email address.', { is: HEADER_NAME }),
  SEPTET_SSO_GROUPS_HEADER: setting('x-auth-request-groups', 'Header with the groups, separated by commas.', {
    is: HEADER_NAME,
  }),
  SEPTET_SERVICE_ACCOUNTS: setting(
    '',
    'Service accounts that sign in with their own tokens, as CLUSTER/NAMESPACE/NAME with role and namespaces: `prod/ml/agent=operator:ml+speech`; a viewer of its own namespace without a role.',
  ),
  SEPTET_SUPABASE_URL: setting('', 'A Supabase project that holds the accounts instead of Septet.', {
    is: { schema: ORIGIN, expected: 'an http:// or https:// address without a path' },
    needs: ['SEPTET_SUPABASE_ANON_KEY', 'the page needs its public key to sign in'],
  }),
  SEPTET_SUPABASE_ANON_KEY: setting('', 'Its public (anon or publishable) key.', {
    needs: ['SEPTET_SUPABASE_URL', 'name the project that it is for'],
  }),
  SEPTET_SUPABASE_JWT_SECRET: setting('', 'Its JWT secret, where it still signs tokens with HS256.', {
    needs: ['SEPTET_SUPABASE_URL', 'name the project that it is for'],
  }),
  SEPTET_DEMO: setting('on', 'Whether to run the demo cluster: on or off.', { is: ON_OFF }),
  SEPTET_DEMO_SCALE: setting('small', 'small (about 40 nodes) or large (1,250 nodes, 10,000 GPUs).', {
    is: DEMO_SCALE,
  }),
  SEPTET_DEMO_SEED: setting('7', 'Seed of the demo cluster; the same seed makes the same cluster.', {
    is: { schema: within(0, 2 ** 31).int(), expected: 'a whole number' },
  }),
  SEPTET_DEMO_SPEED: setting('1', 'How much faster than real time the demo clock runs, 1 to 3600.', {
    is: numberWithin(1, 3600, 'a number'),
  }),
  SEPTET_KUBECONFIG: setting('', 'Kubeconfig of a cluster to watch; `in-cluster` uses the service account.'),
  SEPTET_KUBE_CONTEXT: setting('', 'Context in that kubeconfig; its current one when empty.', {
    needs: ['SEPTET_KUBECONFIG', 'name the kubeconfig that the context is in'],
  }),
  SEPTET_CLUSTER_NAME: setting('', 'Name to show for that cluster; SEPTET_KUBE_CONTEXT when empty, else "cluster".', {
    needs: ['SEPTET_KUBECONFIG', 'name the cluster that is to be shown by that name'],
  }),
  SEPTET_OPERATOR_NAMESPACE: setting(
    'gpu-operator',
    'Namespace of the NVIDIA GPU Operator; OpenShift: nvidia-gpu-operator.',
  ),
  SEPTET_ACTOR_KUBECONFIG: setting(
    '',
    'Kubeconfig by which Septet may change that cluster: another identity than it reads by. Without it, it never does.',
    { needs: ['SEPTET_KUBECONFIG', 'name the cluster that it may change'] },
  ),
  SEPTET_ACTOR_CONTEXT: setting('', 'Context in that kubeconfig; its current one when empty.', {
    needs: ['SEPTET_ACTOR_KUBECONFIG', 'name the kubeconfig that the context is in'],
  }),
  SEPTET_NAMESPACE: setting(
    'septet',
    'Namespace in which Septet keeps its Lease and looks for its stop switch, the ConfigMap septet-stop.',
  ),
  SEPTET_ADMISSION_PORT: setting(
    '',
    'Port on which the API server asks about new pods, over HTTPS; nothing is asked when empty.',
    { is: PORT },
  ),
  SEPTET_ADMISSION_CERT_DIR: setting(
    '',
    'Folder with `tls.crt` and `tls.key` for it, as a Secret is mounted; made and renewed by Septet when empty.',
    { needs: ['SEPTET_ADMISSION_PORT', 'set the port that it is for'] },
  ),
  SEPTET_ADMISSION_NAMES: setting(
    'septet-admission.septet.svc',
    'Names by which the API server reaches it, separated by commas: what the certificate is made for.',
  ),
  SEPTET_CREDENTIAL_PLUGINS: setting(
    '',
    'Programs on Septet’s server by which a kubeconfig from Settings may sign in, separated by commas: `aws`, `gke-gcloud-auth-plugin`, `kubelogin`.',
    {
      is: {
        schema: z.string().refine((text) => listOf(text).every((name) => CREDENTIAL_PLUGINS.has(name))),
        expected: 'a list of aws, gke-gcloud-auth-plugin and kubelogin',
      },
    },
  ),
  SEPTET_PROMETHEUS_URL: setting('', 'Prometheus-compatible API that holds the DCGM metrics of that cluster.', {
    is: HTTP_URL,
    needs: ['SEPTET_KUBECONFIG', 'name the cluster whose metrics it holds'],
  }),
  SEPTET_PROMETHEUS_TOKEN: setting('', 'Bearer token for it.', {
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  }),
  SEPTET_PROMETHEUS_TENANT: setting('', 'Value of the X-Scope-OrgID header (Mimir, Cortex).', {
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  }),
  SEPTET_PROMETHEUS_HEADERS: setting('', 'Headers to send with every request, one a line: `X-Team: gpu`.', {
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that they are for'],
  }),
  SEPTET_PROMETHEUS_MATCHERS: setting(
    '',
    'Label matchers that the series of this cluster meet, where it holds several: `cluster="prod"`.',
    {
      is: { schema: z.string().refine(areLabelMatchers), expected: LABEL_MATCHERS_WORDS },
      needs: ['SEPTET_PROMETHEUS_URL', 'name the address whose series they choose'],
    },
  ),
  SEPTET_PROMETHEUS_USER: setting('', 'User name for it, where it asks for a password.', {
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  }),
  SEPTET_PROMETHEUS_PASSWORD: setting('', 'Password of that user.', {
    needs: ['SEPTET_PROMETHEUS_USER', 'name the user whose password it is'],
  }),
  SEPTET_PROMETHEUS_AWS_REGION: setting(
    '',
    'Region of Amazon Managed Service for Prometheus: requests are signed (SigV4).',
  ),
  SEPTET_PROMETHEUS_AWS_KEY_ID: setting('', 'Access key ID that requests are signed with.', {
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  }),
  SEPTET_PROMETHEUS_AWS_SECRET: setting('', 'Secret access key of that ID.'),
  SEPTET_PROMETHEUS_CA: setting('', 'Certificates to trust for it besides the well-known ones, as PEM text.', {
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  }),
  SEPTET_PROMETHEUS_CERT: setting('', 'Client certificate to show to it (mTLS), as PEM text.', {
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it is for'],
  }),
  SEPTET_PROMETHEUS_KEY: setting('', 'Private key of the client certificate, as PEM text.'),
  SEPTET_PROMETHEUS_QUERIES: setting('', 'Most queries to it at the same time, 1 to 100; no limit when empty.', {
    is: wholeWithin(1, 100, 'a whole number'),
    needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it limits'],
  }),
  SEPTET_PROMETHEUS_SECONDS: setting(
    '',
    'Most seconds that queries to it may take in a minute, 1 to 3000; no limit when empty.',
    { is: wholeWithin(1, 3000, 'a whole number'), needs: ['SEPTET_PROMETHEUS_URL', 'name the address that it limits'] },
  ),
  SEPTET_EXPORTER_TARGETS: setting('', 'dcgm-exporter URLs to scrape directly, separated by commas.', {
    needs: ['SEPTET_KUBECONFIG', 'name the cluster whose nodes they run on'],
  }),
  SEPTET_POLL_SECONDS: setting('15', 'Seconds between two readings of telemetry, 1 to 300.', {
    is: numberWithin(1, 300, 'a number of seconds'),
  }),
  SEPTET_STORE_SECONDS: setting(
    '30',
    'Seconds between two writings of measured usage, which is what a crash can lose, 1 to 300.',
    { is: numberWithin(1, 300, 'a number of seconds') },
  ),
  SEPTET_RECOMMEND_SECONDS: setting('60', 'Seconds between two makings of recommendations, 1 to 3600.', {
    is: numberWithin(1, 3600, 'a number of seconds'),
  }),
  SEPTET_HISTORY_DAYS: setting('210', 'Days of past usage to read from a metrics engine on first contact, 1 to 400.', {
    is: wholeWithin(1, 400, 'a whole number of days'),
  }),
  SEPTET_WEBHOOK_LOOPBACK: setting('off', 'Whether alerts may be sent to webhooks on this very machine: on or off.', {
    is: ON_OFF,
  }),
  SEPTET_COPILOT_URL: setting(
    '',
    'OpenAI-compatible API of a language model for the co-pilot, like `http://127.0.0.1:11434/v1`; when empty, it answers only its fixed questions.',
    { is: HTTP_URL, needs: ['SEPTET_COPILOT_MODEL', 'name the model to ask there'] },
  ),
  SEPTET_COPILOT_MODEL: setting('', 'Name of the model there.', {
    needs: ['SEPTET_COPILOT_URL', 'name the address where it is asked'],
  }),
  SEPTET_COPILOT_KEY: setting('', 'Key for it.', { needs: ['SEPTET_COPILOT_URL', 'name the address that it is for'] }),
  SEPTET_COPILOT_KEY_FILE: setting('', 'File that holds the key, read at each question.', {
    needs: ['SEPTET_COPILOT_URL', 'name the address that it is for'],
  }),
  SEPTET_COPILOT_MASK: setting(
    'on',
    'Whether names of clusters, namespaces, nodes and pods are hidden from the model: on or off.',
    { is: ON_OFF },
  ),
  SEPTET_COPILOT_STEPS: setting('6', 'Times it may call tools before it must answer, 1 to 20.', {
    is: wholeWithin(1, 20, 'a whole number'),
  }),
  SEPTET_COPILOT_SECONDS: setting('60', 'Seconds an answer may take, 1 to 600.', {
    is: wholeWithin(1, 600, 'a whole number of seconds'),
  }),
  SEPTET_COPILOT_ANSWER_TOKENS: setting('60000', 'Tokens, in and out, that one answer may use.', { is: TOKENS }),
  SEPTET_COPILOT_PERSON_TOKENS: setting('500000', 'Tokens that one person or API token may use in a day (UTC).', {
    is: TOKENS,
  }),
  SEPTET_COPILOT_DAY_TOKENS: setting('5000000', 'Tokens that all users together may use in a day (UTC).', {
    is: TOKENS,
  }),
  SEPTET_LOG: setting('warn', 'Least level to log: debug, info, warn or error.', {
    is: LOG_LEVEL,
  }),
}

export type SettingName = keyof typeof SETTINGS
/** The text of a setting, trimmed, or its fallback; and whether it was given. */
export type Text = { (name: SettingName): string; given(name: SettingName): boolean }

/** Reads settings out of an environment. */
export function settingText(environment: Readonly<Record<string, string | undefined>>): Text {
  const given = (name: SettingName): string => environment[name]?.trim() ?? ''
  return Object.assign((name: SettingName): string => given(name) || SETTINGS[name].fallback, {
    given: (name: SettingName) => given(name) !== '',
  })
}

/** A sentence for every value that is not what its setting is to be, and for every one that lacks its companion. */
export const wrongSettings = (text: Text): string[] =>
  SETTING_NAMES.flatMap((name) => {
    const { is, needs }: Rules = SETTINGS[name]
    const value = text(name)
    if (value === '') return []
    if (is?.schema.safeParse(value).success === false)
      return [
        is.secret
          ? `${name} must be ${is.expected}.`
          : `${name} is "${withoutPassword(value)}" but must be ${is.expected}.`,
      ]
    if (needs === undefined || !isSettingName(needs[0]) || text(needs[0]) !== '') return []
    // Who only answers may be given the Secret of the one that watches, and asks neither metrics engines nor exporters.
    if (text('SEPTET_ROLE') === 'answer' && /^SEPTET_(PROMETHEUS|EXPORTER)_/u.test(name)) return []
    return [`${name} is set without ${needs[0]}: ${needs[1]}.`]
  })

export const isSettingName = (name: string): name is SettingName => name in SETTINGS
const SETTING_NAMES = Object.keys(SETTINGS).filter(isSettingName)
