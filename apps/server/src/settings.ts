/** Everything that can be set from outside. `docs/configuration.md` is made to agree with this list by a test. */
export const SETTINGS = {
  SEPTET_HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on.' },
  SEPTET_PORT: { fallback: '7070', meaning: 'Port to listen on; 0 takes a free one.' },
  SEPTET_PUBLIC_URL: {
    fallback: '',
    meaning: 'How people reach Septet, `https://septet.example.com`; the address it listens on when empty.',
  },
  SEPTET_TRUSTED_PROXIES: {
    fallback: '',
    meaning:
      'Proxies whose `x-forwarded-*` headers are believed: addresses, ranges or `loopback`, separated by commas.',
  },
  SEPTET_DATA_DIR: { fallback: '.septet', meaning: 'Folder for the embedded database, the demo kubeconfig and keys.' },
  SEPTET_ROLE: {
    fallback: 'all',
    meaning: '`all` watches clusters and answers; `answer` only answers, from the store of one that watches.',
  },
  SEPTET_PIPELINES: {
    fallback: 'thread',
    meaning: 'Where each cluster is watched: in a `thread` of this process, or in a separate `process`.',
  },
  DATABASE_URL: { fallback: '', meaning: 'A PostgreSQL (15 or newer) to use instead of the embedded one.' },
  SEPTET_AUTHORIZED_EMAIL: {
    fallback: 'admin@septet.local',
    meaning: 'Who may sign up: the admin first, then others, `*@example.com` or `*`, separated by commas.',
  },
  SEPTET_SETUP_SECRET: {
    fallback: '',
    meaning: 'What the first admin must show at sign-up, 16 characters or more; needed where others can reach Septet.',
  },
  SEPTET_SECRET: {
    fallback: '',
    meaning: 'Key material of 32 characters or more; a file in the data directory, made at first start, when empty.',
  },
  SEPTET_CONFIRM_EMAIL: {
    fallback: 'off',
    meaning: 'Whether a new account must first confirm its address by mail: on or off.',
  },
  SEPTET_SMTP_URL: {
    fallback: '',
    meaning: 'Mail server, `smtps://user:password@mail.example.com`; without one admins see mails in the outbox.',
  },
  SEPTET_MAIL_FROM: {
    fallback: '',
    meaning: 'Sender of mails; `septet@` and the host of SEPTET_PUBLIC_URL when empty.',
  },
  SEPTET_MAILS_PER_HOUR: {
    fallback: '30',
    meaning: 'Emails an hour that anyone can cause, to sign up or sign in by mail; recoveries do not count.',
  },
  SEPTET_MAILS_RESERVED: { fallback: '30', meaning: 'Emails an hour kept beside those for invitations.' },
  SEPTET_MAILS_PER_ADDRESS: {
    fallback: '15',
    meaning: 'Emails an hour that one network address can ask for, and as many recoveries.',
  },
  SEPTET_MAILS_PER_RECIPIENT: {
    fallback: '10',
    meaning: 'Emails an hour to one e-mail address; as many recoveries, and as many invitations.',
  },
  SEPTET_RATE_LIMITS: {
    fallback: '',
    meaning: 'Requests of one network address by kind, like `token=600,verify=60`; see "Limits on requests".',
  },
  SEPTET_PUBLIC_DEMO: { fallback: 'on', meaning: 'Whether anyone may view the demo cluster at /demo: on or off.' },
  SEPTET_MCP_ISSUER: {
    fallback: '',
    meaning: 'An OAuth authorization server whose access tokens `/mcp` takes too; see [agents](agents.md).',
  },
  SEPTET_MCP_GROUPS: {
    fallback: '',
    meaning: 'What the groups in its tokens may do at most, like `ml=viewer,platform=operator`.',
  },
  SEPTET_SSO_NAME: {
    fallback: 'single sign-on',
    meaning: 'Name on the sign-in button, after "Continue with".',
  },
  SEPTET_SSO_ISSUER: {
    fallback: '',
    meaning: 'OpenID Connect provider for single sign-on, `https://sso.example.com/realms/main`.',
  },
  SEPTET_SSO_CLIENT_ID: { fallback: '', meaning: 'Client ID of Septet at that provider.' },
  SEPTET_SSO_CLIENT_SECRET_FILE: {
    fallback: '',
    meaning: 'File with the client secret, read at each sign-in; a public client (PKCE only) when empty.',
  },
  SEPTET_SSO_SCOPES: { fallback: 'openid email profile', meaning: 'Scopes to request.' },
  SEPTET_SSO_GROUPS_CLAIM: {
    fallback: 'groups',
    meaning: 'Claim with a person’s groups, or a path to it, `realm_access.roles`.',
  },
  SEPTET_SSO_GROUPS: {
    fallback: '',
    meaning:
      'Role and namespaces by group, `platform=admin,ml=viewer:team-a+team-b`; single sign-on then needs one of these groups.',
  },
  SEPTET_SSO_LINK: {
    fallback: 'off',
    meaning:
      'Whether to link a password account to the single sign-on account with the same verified email address: on or off.',
  },
  SEPTET_SSO_SIGN_OUT: {
    fallback: 'off',
    meaning: 'Whether signing out also signs out at the provider, if it supports that: on or off.',
  },
  SEPTET_SSO_SESSION_HOURS: {
    fallback: '12',
    meaning: 'Hours until people sign in at the provider again, which also refreshes their groups, 1 to 720.',
  },
  SEPTET_SSO_TOKEN_DAYS: {
    fallback: '30',
    meaning: 'Days without a sign-in after which a person’s API tokens lose what groups granted, 1 to 400.',
  },
  SEPTET_SSO_PROXIES: {
    fallback: '',
    meaning:
      'Instead of an issuer: proxies whose headers name the signed-in person; addresses or ranges, separated by commas.',
  },
  SEPTET_SSO_EMAIL_HEADER: { fallback: 'x-auth-request-email', meaning: 'Header with the email address.' },
  SEPTET_SSO_GROUPS_HEADER: {
    fallback: 'x-auth-request-groups',
    meaning: 'Header with the groups, separated by commas.',
  },
  SEPTET_SERVICE_ACCOUNTS: {
    fallback: '',
    meaning:
      'Service accounts that sign in with their own tokens, as CLUSTER/NAMESPACE/NAME with role and namespaces: `prod/ml/agent=operator:ml+speech`; a viewer of its own namespace without a role.',
  },
  SEPTET_SUPABASE_URL: { fallback: '', meaning: 'A Supabase project that holds the accounts instead of Septet.' },
  SEPTET_SUPABASE_ANON_KEY: { fallback: '', meaning: 'Its public (anon or publishable) key.' },
  SEPTET_SUPABASE_JWT_SECRET: { fallback: '', meaning: 'Its JWT secret, where it still signs tokens with HS256.' },
  SEPTET_DEMO: { fallback: 'on', meaning: 'Whether to run the demo cluster: on or off.' },
  SEPTET_DEMO_SCALE: { fallback: 'small', meaning: 'small (about 40 nodes) or large (1,250 nodes, 10,000 GPUs).' },
  SEPTET_DEMO_SEED: { fallback: '7', meaning: 'Seed of the demo cluster; the same seed makes the same cluster.' },
  SEPTET_DEMO_SPEED: { fallback: '1', meaning: 'How much faster than real time the demo clock runs, 1 to 3600.' },
  SEPTET_KUBECONFIG: {
    fallback: '',
    meaning: 'Kubeconfig of a cluster to watch; `in-cluster` uses the service account.',
  },
  SEPTET_KUBE_CONTEXT: { fallback: '', meaning: 'Context in that kubeconfig; its current one when empty.' },
  SEPTET_CLUSTER_NAME: {
    fallback: '',
    meaning: 'Name to show for that cluster; SEPTET_KUBE_CONTEXT when empty, else "cluster".',
  },
  SEPTET_OPERATOR_NAMESPACE: {
    fallback: 'gpu-operator',
    meaning: 'Namespace of the NVIDIA GPU Operator; OpenShift: nvidia-gpu-operator.',
  },
  SEPTET_ACTOR_KUBECONFIG: {
    fallback: '',
    meaning:
      'Kubeconfig by which Septet may change that cluster: another identity than it reads by. Without it, it never does.',
  },
  SEPTET_ACTOR_CONTEXT: { fallback: '', meaning: 'Context in that kubeconfig; its current one when empty.' },
  SEPTET_NAMESPACE: {
    fallback: 'septet',
    meaning: 'Namespace in which Septet keeps its Lease and looks for its stop switch, the ConfigMap septet-stop.',
  },
  SEPTET_ADMISSION_PORT: {
    fallback: '',
    meaning: 'Port on which the API server asks about new pods, over HTTPS; nothing is asked when empty.',
  },
  SEPTET_ADMISSION_CERT_DIR: {
    fallback: '',
    meaning:
      'Folder with `tls.crt` and `tls.key` for it, as a Secret is mounted; made and renewed by Septet when empty.',
  },
  SEPTET_ADMISSION_NAMES: {
    fallback: 'septet-admission.septet.svc',
    meaning: 'Names by which the API server reaches it, separated by commas: what the certificate is made for.',
  },
  SEPTET_CREDENTIAL_PLUGINS: {
    fallback: '',
    meaning:
      'Programs on Septet’s server by which a kubeconfig from Settings may sign in, separated by commas: `aws`, `gke-gcloud-auth-plugin`, `kubelogin`.',
  },
  SEPTET_PROMETHEUS_URL: {
    fallback: '',
    meaning: 'Prometheus-compatible API that holds the DCGM metrics of that cluster.',
  },
  SEPTET_PROMETHEUS_TOKEN: { fallback: '', meaning: 'Bearer token for it.' },
  SEPTET_PROMETHEUS_TENANT: { fallback: '', meaning: 'Value of the X-Scope-OrgID header (Mimir, Cortex).' },
  SEPTET_PROMETHEUS_HEADERS: {
    fallback: '',
    meaning: 'Headers to send with every request, one a line: `X-Team: gpu`.',
  },
  SEPTET_PROMETHEUS_MATCHERS: {
    fallback: '',
    meaning: 'Label matchers that the series of this cluster meet, where it holds several: `cluster="prod"`.',
  },
  SEPTET_PROMETHEUS_USER: { fallback: '', meaning: 'User name for it, where it asks for a password.' },
  SEPTET_PROMETHEUS_PASSWORD: { fallback: '', meaning: 'Password of that user.' },
  SEPTET_PROMETHEUS_AWS_REGION: {
    fallback: '',
    meaning: 'Region of Amazon Managed Service for Prometheus: requests are signed (SigV4).',
  },
  SEPTET_PROMETHEUS_AWS_KEY_ID: { fallback: '', meaning: 'Access key ID that requests are signed with.' },
  SEPTET_PROMETHEUS_AWS_SECRET: { fallback: '', meaning: 'Secret access key of that ID.' },
  SEPTET_PROMETHEUS_CA: {
    fallback: '',
    meaning: 'Certificates to trust for it besides the well-known ones, as PEM text.',
  },
  SEPTET_PROMETHEUS_CERT: { fallback: '', meaning: 'Client certificate to show to it (mTLS), as PEM text.' },
  SEPTET_PROMETHEUS_KEY: { fallback: '', meaning: 'Private key of the client certificate, as PEM text.' },
  SEPTET_PROMETHEUS_QUERIES: {
    fallback: '',
    meaning: 'Most queries to it at the same time, 1 to 100; no limit when empty.',
  },
  SEPTET_PROMETHEUS_SECONDS: {
    fallback: '',
    meaning: 'Most seconds that queries to it may take in a minute, 1 to 3000; no limit when empty.',
  },
  SEPTET_EXPORTER_TARGETS: { fallback: '', meaning: 'dcgm-exporter URLs to scrape directly, separated by commas.' },
  SEPTET_POLL_SECONDS: { fallback: '15', meaning: 'Seconds between two readings of telemetry, 1 to 300.' },
  SEPTET_STORE_SECONDS: {
    fallback: '30',
    meaning: 'Seconds between two writings of measured usage, which is what a crash can lose, 1 to 300.',
  },
  SEPTET_RECOMMEND_SECONDS: {
    fallback: '60',
    meaning: 'Seconds between two makings of recommendations, 1 to 3600.',
  },
  SEPTET_HISTORY_DAYS: {
    fallback: '210',
    meaning: 'Days of past usage to read from a metrics engine on first contact, 8 to 400.',
  },
  SEPTET_WEBHOOK_LOOPBACK: {
    fallback: 'off',
    meaning: 'Whether alerts may be sent to webhooks on this very machine: on or off.',
  },
  SEPTET_COPILOT_URL: {
    fallback: '',
    meaning:
      'OpenAI-compatible API of a language model for the co-pilot, like `http://127.0.0.1:11434/v1`; rules answer when empty.',
  },
  SEPTET_COPILOT_MODEL: { fallback: '', meaning: 'Name of the model there.' },
  SEPTET_COPILOT_KEY: { fallback: '', meaning: 'Key for it.' },
  SEPTET_COPILOT_KEY_FILE: { fallback: '', meaning: 'File that holds the key, read at each question.' },
  SEPTET_COPILOT_MASK: {
    fallback: 'on',
    meaning: 'Whether names of clusters, namespaces, nodes and pods are hidden from the model: on or off.',
  },
  SEPTET_COPILOT_STEPS: { fallback: '6', meaning: 'Times it may call tools before it must answer, 1 to 20.' },
  SEPTET_COPILOT_SECONDS: { fallback: '60', meaning: 'Seconds an answer may take; then rules answer, 1 to 600.' },
  SEPTET_COPILOT_ANSWER_TOKENS: { fallback: '60000', meaning: 'Tokens, in and out, that one answer may use.' },
  SEPTET_COPILOT_PERSON_TOKENS: {
    fallback: '500000',
    meaning: 'Tokens that one person or API token may use in a day (UTC).',
  },
  SEPTET_COPILOT_DAY_TOKENS: { fallback: '5000000', meaning: 'Tokens that all users together may use in a day (UTC).' },
  SEPTET_LOG: { fallback: 'warn', meaning: 'Least level to log: debug, info, warn or error.' },
} as const

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

/** Whether only this machine can reach an address that is listened on. */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/u.test(host)

/** The parts of a list separated by commas. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** An address as it may be shown. */
export const withoutPassword = (address: string): string => address.replace(/\/\/[^@/]*@/u, '//(hidden)@')
