import { type Refusal, invalidInput } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { shows } from '../../read-page.fake.ts'
import { at } from '../figures.fixture.ts'
import { openDashboard } from '../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../septet.fake.ts'

const ADMIN: Answer<'sessionMe'> = {
  kind: 'account',
  name: 'ada@example.com',
  role: 'admin',
  namespaces: null,
  clusters: null,
  mode: 'embedded',
  session: 'one',
  secondFactor: false,
  expiresAt: null,
}
const POLICIES: Answer<'policiesGet'>['policies'] = {
  idle: { threshold: 0.05, minimumSeconds: 1800 },
  rightSize: { memoryMargin: 0.2, targetUtilization: 0.7, minimumHistorySeconds: 86_400 },
  utilizationTarget: 0.6,
  plans: { maxDisplaced: 20, protectedNamespaces: ['kube-system'] },
}
const RULE: Answer<'alertRulesGet'>['rules']['xid'] = {
  enabled: true,
  threshold: 8,
  forMinutes: 5,
  scope: { clusters: [], namespaces: ['ml'], tenants: [] },
  severity: 'warning',
  channels: [],
}
const RULES: Answer<'alertRulesGet'>['rules'] = {
  'idle-held': RULE,
  budget: RULE,
  efficiency: RULE,
  'pending-with-free': RULE,
  'mig-change-failed': RULE,
  xid: RULE,
  'telemetry-missing': RULE,
  'spend-change': RULE,
  'mixed-namespaces': RULE,
}
const SPAN: Answer<'retentionGet'>['stored']['1h'] = {
  rows: 100,
  bytes: 2048,
  first: at(0),
  last: at(4),
  parts: [{ from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:00Z', rows: 70, bytes: 1024 }],
}
const DAYS = { '5m': 7, '1h': 400, '1d': 3660 }
const CONNECTION: Answer<'connectionsList'>['connections'][number] = {
  id: 'demo',
  name: 'Demo cluster',
  origin: 'settings',
  server: 'https://10.0.0.1',
  signsInBy: 'token',
  operatorNamespace: 'gpu-operator',
  prometheusUrl: 'http://prometheus:9090',
  prometheusTenant: 'gpu',
  prometheusMatchers: null,
  prometheusUser: null,
  prometheusAwsRegion: null,
  prometheusAwsKeyId: null,
  prometheusQueries: null,
  prometheusQuerySeconds: null,
  prometheusSecrets: ['prometheusToken', 'prometheusCert', 'prometheusKey'],
  exporterTargets: [],
  addedAt: at(0),
  addedBy: 'ada@example.com',
  actor: null,
  agent: null,
}
const refused = (): Refusal => invalidInput('That was not kept.', 'Correct it and save again.')

const ANSWERS: Answers = {
  sessionMe: () => ADMIN,
  policiesGet: () => ({ policies: POLICIES, defaults: POLICIES, changedAt: null, changedBy: null }),
  policiesPut: ({ edited: _edited, ...policies }) => ({
    policies,
    defaults: POLICIES,
    changedAt: at(4),
    changedBy: 'ada@example.com',
  }),
  tokensList: () => ({ tokens: [] }),
  tokensCreate: refused,
  membersList: () => ({
    authorized: ['ada@example.com', '*@example.com'],
    invitations: { letters: 'sent', address: 'https://septet.example.com' },
    members: [],
    unlisted: 0,
  }),
  membersPut: refused,
  channelsList: () => ({
    channels: [
      { id: 'ops', kind: 'slack', target: 'hooks.example.com', signed: false, changedAt: at(0), changedBy: 'ada' },
    ],
    keepsMails: true,
  }),
  channelsPut: refused,
  alertRulesGet: () => ({ rules: RULES }),
  alertRulesPut: refused,
  alertsPrometheusRule: () => ({ yaml: 'groups: []' }),
  deliveriesList: () => ({ deliveries: [] }),
  reportSchedulesList: () => ({ schedules: [], mail: 'sent' }),
  reportSchedulesPut: refused,
  retentionGet: () => ({
    days: DAYS,
    defaults: DAYS,
    stored: { '5m': { ...SPAN, parts: [] }, '1h': SPAN, '1d': { ...SPAN, parts: [] } },
    databaseBytes: null,
  }),
  retentionPut: refused,
  connectionsList: () => ({ connections: [CONNECTION], inCluster: false }),
  connectionsMetrics: refused,
  tenantsGet: () => ({ tenants: [{ name: 'vision', namespaces: ['vision-*'], labels: { team: 'vision' } }] }),
  tenantsPut: refused,
  tenantsPreview: () => ({ tenants: [], none: { workloads: 0, namespaces: [] } }),
}

async function visit(section: string) {
  const { septet, user } = await openDashboard(`/dashboard/settings/${section}`, { answers: ANSWERS })
  const press = async (name: string | RegExp): Promise<void> => user.click(await screen.findByRole('button', { name }))
  const fill = async (label: string, text: string, part = document.body): Promise<void> => {
    const field = await within(part).findByLabelText(label)
    await user.clear(field)
    await user.type(field, text)
  }
  return { user, press, fill, told: () => septet.told }
}

describe('a page of Settings', () => {
  test('policies: says what is not saved yet, saves it, and a prefix protects namespaces', async () => {
    const { press, fill, told } = await visit('policies')
    await shows('Stored idle time keeps the limit it was measured with.')
    await fill('Busy at most', '12.5')
    await fill('Measured history needed', '36')
    await fill('Protected namespaces', 'team-*, kube-system')
    const changes = within(screen.getByRole('list', { name: 'Changes' })).getAllByRole('listitem')
    expect(changes.map(({ textContent }) => textContent?.replace(/ →becomes /u, ' → '))).toEqual([
      'Busy at most: 5% → 12.5%',
      'Measured history needed: 24 h → 36 h',
      'Protected namespaces: kube-system → team-*, kube-system',
    ])
    await press('Save policies')
    expect(told()).toMatchObject([
      {
        operation: 'policiesPut',
        input: {
          ...POLICIES,
          idle: { threshold: 0.125, minimumSeconds: 1800 },
          rightSize: { ...POLICIES.rightSize, minimumHistorySeconds: 129_600 },
          plans: { maxDisplaced: 20, protectedNamespaces: ['team-*', 'kube-system'] },
          edited: null,
        },
      },
    ])
    await shows('Policies saved. They apply within seconds.')
  })

  test('retention: says what a shorter time deletes, and deletes it only once that was confirmed', async () => {
    const { press, fill, told } = await visit('retention')
    await shows('9 to 400; 400 by default.')
    await fill('Hourly rows', '30')
    await shows('This deletes about 70 of 100 hourly rows')
    await press('Save')
    expect(told()).toEqual([])
    await press('Keep')
    await press('Save')
    await press('Delete and save')
    expect(told().map(({ input }) => input)).toEqual([{ ...DAYS, '1h': 30, confirmed: true }])
    await shows('That was not kept.')
  })

  test('tokens: end after 90 days unless something else is chosen, and see only what was typed', async () => {
    const { user, press, fill, told } = await visit('tokens')
    await fill('Name', 'Grafana')
    await press('Create token')
    await shows('Grafana must be lowercase letters, digits and ._-.')
    await fill('Name', 'grafana')
    await user.selectOptions(screen.getByLabelText('Role'), 'operator')
    await user.selectOptions(screen.getByLabelText('Expires after'), 'never')
    await fill('Only these namespaces', 'ml, etl')
    await press('Create token')
    expect(told().map(({ input }) => input)).toEqual([
      { name: 'grafana', role: 'operator', expiresInDays: null, namespaces: ['ml', 'etl'] },
    ])
    await shows('That was not kept.')
  })

  test('members: an address gets a role', async () => {
    const { user, press, told } = await visit('members')
    const [, email] = await screen.findAllByLabelText('Email')
    await user.type(email ?? document.body, 'bo@example.com')
    await user.selectOptions(screen.getByLabelText('Role'), 'admin')
    await press('Save role')
    expect(told().map(({ input }) => input)).toEqual([{ email: 'bo@example.com', role: 'admin' }])
  })

  test('notifications: a channel by email says where emails stay, and a rule tells the channels that are checked', async () => {
    const { user, press, fill, told } = await visit('notifications')
    await user.selectOptions(await screen.findByLabelText('Kind'), 'email')
    await shows('No mail server is configured: emails stay in the outbox.')
    await fill('Name', 'night')
    await fill('E-mail address', 'bo@example.com')
    await press('Add the channel')
    const rule = screen.getByRole('form', { name: 'Rule Idle-held GPUs', hidden: true })
    await fill('Threshold, hours', '0', rule)
    await user.click(within(rule).getByRole('button', { name: 'Save rule', hidden: true }))
    await shows('Must be more than 0.', rule)
    await fill('Threshold, hours', '4.5', rule)
    await fill('Only these namespaces', 'ml, etl', rule)
    await user.click(within(rule).getByLabelText('ops'))
    await user.click(within(rule).getByRole('button', { name: 'Save rule', hidden: true }))
    expect(told().map(({ input }) => input)).toEqual([
      { id: 'night', kind: 'email', target: 'bo@example.com' },
      {
        rules: {
          ...RULES,
          'idle-held': {
            ...RULE,
            threshold: 4.5,
            channels: ['ops'],
            scope: { clusters: [], namespaces: ['ml', 'etl'], tenants: [] },
          },
        },
      },
    ])
  })

  test('reports: weeks begin in the time zone of the email', async () => {
    const { user, press, fill, told } = await visit('reports')
    await fill('Name', 'weekly-cost')
    await fill('To', 'bo@example.com, ada@example.com')
    await fill('Time zone', 'Europe/Berlin')
    await user.selectOptions(screen.getByLabelText('How often'), 'month-15')
    await user.click(screen.getByLabelText(/^Report/u))
    await press('Schedule')
    await shows('Choose at least one file.')
    await user.click(screen.getByLabelText(/^Report/u))
    await press('Schedule')
    expect(told()).toMatchObject([
      {
        input: {
          id: 'weekly-cost',
          recipients: ['bo@example.com', 'ada@example.com'],
          range: 'last-week@Europe/Berlin',
          rhythm: { every: 'month', day: 15 },
          time: '08:00',
          zone: 'Europe/Berlin',
          files: ['pdf'],
        },
      },
    ])
  })

  test('clusters: a stored secret stays while nothing is typed, and a certificate goes with its key', async () => {
    const { user, press, fill, told } = await visit('clusters?open=demo')
    await press('Change metrics source')
    expect(screen.getByText('Certificates').closest('details')?.open).toBe(true)
    expect(screen.getByText('Headers', { selector: 'summary' }).closest('details')?.open).toBe(false)
    await press(/^Remove ?the stored token$/u)
    await press(/^Keep ?the stored token$/u)
    await press(/^Remove ?the stored client certificate$/u)
    await fill('Tenant', 'a b')
    await press('Save')
    await shows("a b must be letters, digits and _.!*'()-.")
    await fill('Tenant', 'gpu-2')
    await fill('Queries at the same time', '8')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(told().map(({ input }) => input)).toEqual([
      {
        id: 'demo',
        prometheusUrl: 'http://prometheus:9090',
        prometheusTenant: 'gpu-2',
        prometheusCert: '',
        prometheusKey: '',
        prometheusQueries: 8,
      },
    ])
  })

  test('tenants: a rule that is not whole is not sent, and what was typed is matched as it is', async () => {
    const { user, press, told } = await visit('tenants')
    await screen.findByText('No changes.')
    await press('Add a rule')
    await press('Move rule 2 up')
    const [names, namespaces] = [screen.getAllByLabelText('Tenant'), screen.getAllByLabelText('Namespaces')]
    await user.type(namespaces[0] ?? document.body, 'speech-*, Talk')
    await press('Save rules')
    await shows('Fill this in.')
    await user.type(names[0] ?? document.body, 'speech')
    await press('Save rules')
    await shows('Talk must be a namespace, a prefix ending in *, or *.')
    await user.type(namespaces[0] ?? document.body, '{Backspace>4/}etl')
    await press('Save rules')
    const tenants = [
      { name: 'speech', namespaces: ['speech-*', 'etl'], labels: {} },
      { name: 'vision', namespaces: ['vision-*'], labels: { team: 'vision' } },
    ]
    expect(told().filter(({ operation }) => operation === 'tenantsPut')).toMatchObject([{ input: { tenants } }])
    expect(told().findLast(({ operation }) => operation === 'tenantsPreview')).toMatchObject({ input: { tenants } })
  })
})
