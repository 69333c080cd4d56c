/** A view of a screen that has no entry in the navigation, as the palette offers it. */
export type View = {
  readonly name: string
  readonly path: string
  /** What the address says besides. */
  readonly search?: Readonly<Record<string, string>>
  /** The screen it belongs to. */
  readonly detail: string
  /** Other words that people look for it by. */
  readonly words: string
  /** Whether it tells of whole clusters, and so nothing to those who are limited to namespaces. */
  readonly whole?: true
}

export const VIEWS: readonly View[] = [
  {
    name: 'What if',
    path: '/actions/what-if',
    detail: 'Actions',
    words: 'scenario simulate replay another fleet compare scheduling policies',
    whole: true,
  },
  {
    name: 'Reserve GPUs',
    path: '/actions/what-if',
    search: { ask: 'gpus' },
    detail: 'Actions',
    words: 'GPUs by a time reservation appointment',
    whole: true,
  },
  {
    name: 'Savings',
    path: '/actions/savings',
    detail: 'Actions',
    words: 'saved money verified measured ledger',
    whole: true,
  },
  {
    name: 'Will it start?',
    path: '/workloads',
    search: { start: 'yes' },
    detail: 'Workloads',
    words: 'job manifest submit schedule',
  },
  {
    name: 'Waiting workloads',
    path: '/workloads',
    search: { view: 'waiting' },
    detail: 'Workloads',
    words: 'queue pending jobs',
  },
  {
    name: 'What fits',
    path: '/partitions',
    search: { view: 'room' },
    detail: 'Partitions',
    words: 'free capacity room',
  },
  {
    name: 'Budgets and forecast',
    path: '/cost',
    search: { view: 'budgets' },
    detail: 'Cost',
    words: 'month spend outlook limit',
  },
  {
    name: 'What tokens cost',
    path: '/cost',
    search: { view: 'tokens' },
    detail: 'Cost',
    words: 'LLM inference vLLM SGLang NIM million',
  },
  { name: 'Price book', path: '/cost', search: { view: 'prices' }, detail: 'Cost', words: 'rates bill OpenCost' },
  { name: 'Export report', path: '/', search: { report: 'open' }, detail: 'Summary', words: 'download PDF CSV file' },
]

/** Other words for the pages of Settings, by the last part of their address. */
export const SETTINGS_WORDS: Readonly<Record<string, string>> = {
  account: 'password sign out sessions devices two-factor',
  tokens: 'keys',
  clusters: 'connect add kubeconfig Prometheus',
  prices: 'rates',
  tenants: 'teams chargeback',
  policies: 'idle threshold target',
  acting: 'guardrails limits auto approve maintenance windows',
  agents: 'MCP clients skills toolsets',
  retention: 'history storage delete',
  notifications: 'alerts rules channels Slack webhook email',
  reports: 'email weekly monthly',
  members: 'invite people users roles access',
  audit: 'history who',
  outbox: 'emails mail',
  status: 'health loops sources diagnostics wrong failing',
  about: 'version licenses',
}
