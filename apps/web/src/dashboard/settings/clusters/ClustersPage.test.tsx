import { invalidInput } from '@septet/contract'
import { screen, within } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'

import { parameters, shows, wordsOf } from '../../../read-page.fake.ts'
import { actingFixture } from '../../acting/actions.fixture.ts'
import { at } from '../../figures.fixture.ts'
import { clusters } from '../../healthy.fixture.ts'
import { openDashboard } from '../../open-dashboard.fake.tsx'
import type { Answer, Answers } from '../../septet.fake.ts'

type Cluster = Answer<'clustersList'>['clusters'][number]
type Connection = Answer<'connectionsList'>['connections'][number]
type Step = Answer<'connectionsTested'>['steps'][number]

const [DEMO] = clusters
if (DEMO === undefined) throw new Error('the fixture has none')
const problem = (number: number) => ({
  code: 'stale-target',
  message: `The exporter on node ${number} does not answer.`,
  object: `node/gpu-${number}`,
})
const PROD: Cluster = {
  ...DEMO,
  id: 'prod',
  name: 'Production',
  kind: 'cluster',
  state: 'disconnected',
  lastContact: null,
  serverVersion: null,
  nodes: null,
  gpus: null,
  problems: Array.from({ length: 10 }, (_, number) => problem(number)),
}
const CONNECTION: Connection = {
  id: 'prod',
  name: 'Production',
  origin: 'settings',
  server: 'https://10.0.0.1',
  signsInBy: 'token',
  operatorNamespace: 'gpu-operator',
  prometheusUrl: 'https://mimir.example',
  prometheusTenant: 'gpu',
  prometheusMatchers: null,
  prometheusUser: null,
  prometheusAwsRegion: null,
  prometheusAwsKeyId: null,
  prometheusQueries: null,
  prometheusQuerySeconds: null,
  prometheusSecrets: ['prometheusToken', 'prometheusCert', 'prometheusKey'],
  exporterTargets: [],
  addedAt: at(3600),
  addedBy: 'ada@example.com',
  actor: null,
  agent: null,
}
const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: prod
clusters: [{ name: prod, cluster: { server: https://10.0.0.1 } }]
users: [{ name: ada, user: { token: t } }]
contexts: [{ name: prod, context: { cluster: prod, user: ada } }]`

const visit = (query = '', answers: Answers = {}, role: 'viewer' | 'admin' = 'admin') =>
  openDashboard(`/dashboard/settings/clusters${query}`, {
    answers: {
      ...actingFixture({ role }).answers,
      clustersList: () => ({ clusters: [...clusters, PROD] }),
      connectionsList: () => ({ connections: [CONNECTION], inCluster: false }),
      ...answers,
    },
  })
const card = (): Promise<HTMLElement> => screen.findByRole('dialog', { name: 'Production' })

describe('the clusters', () => {
  test('are listed with how each is; what is not known of one is not 0, and sample data is none of them', async () => {
    await visit()
    const table = await screen.findByRole('region', { name: 'Clusters and their state' })
    const rows = within(table).getAllByRole('row').slice(1).map(wordsOf)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toContain('Nodes 40 GPUs 196 Last contact just now Problems none')
    expect(rows[1]).toContain(
      'State disconnected Version unknown Nodes unknown GPUs unknown Last contact never Problems 10',
    )
  })

  test('are none yet on a new installation, which says what to do', async () => {
    await visit('', { clustersList: () => ({ clusters: [] }) })
    await shows('No clusters yet. Add one to see its GPUs.')
    await screen.findByRole('button', { name: 'Add a cluster' })
  })

  test('are only read by a viewer, who sees problems and no connection', async () => {
    const { user } = await visit('', {}, 'viewer')
    await shows('Only admins can add, rename or remove clusters.')
    expect(screen.queryByRole('button', { name: 'Add a cluster' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Open Production' }))
    await shows('Connection details are visible to admins.', await card())
    expect((await card()).textContent).not.toContain('10.0.0.1')
  })
})

describe('the card of a cluster', () => {
  test('says what is wrong with it, the first eight things, and how it is reached', async () => {
    await visit('?open=prod')
    const shown = await card()
    await shows('The exporter on node 7 does not answer.', shown)
    await shows('and 2 more', shown)
    expect(shown.textContent).not.toContain('node 8')
    const facts = wordsOf(await within(shown).findByRole('region', { name: 'Connection' }))
    expect(facts).toContain('Metrics https://mimir.example, tenant gpu, with a token and a client certificate')
    expect(facts).toContain('API server https://10.0.0.1')
  })

  test('says of one without metrics that utilization is not measured', async () => {
    const connection = { ...CONNECTION, prometheusUrl: null, prometheusTenant: null, prometheusSecrets: [] }
    await visit('?open=prod', { connectionsList: () => ({ connections: [connection], inCluster: false }) })
    await shows('none: utilization is not measured', await card())
  })

  test('says of one that the environment names where it is changed, and offers no change', async () => {
    const connection = { ...CONNECTION, origin: 'environment' as const }
    await visit('?open=prod', { connectionsList: () => ({ connections: [connection], inCluster: false }) })
    await shows('Set by environment variables', await card())
    expect(within(await card()).queryByRole('button', { name: /^(?:Rename|Remove|Change)/u })).toBeNull()
  })

  test('renames it; a name that the server refuses stays in the field', async () => {
    const { septet, user } = await visit('?open=prod', {
      connectionsRename: () => invalidInput('Another cluster has that name.', 'Choose another.'),
    })
    const shown = within(await card())
    await user.click(shown.getByRole('button', { name: 'Rename' }))
    const field = shown.getByLabelText<HTMLInputElement>('Name')
    await user.clear(field)
    await user.type(field, 'Demo cluster{Enter}')
    expect(septet.told).toEqual([{ operation: 'connectionsRename', input: { id: 'prod', name: 'Demo cluster' } }])
    await shows('Another cluster has that name. Choose another.', await card())
    expect(field.value).toBe('Demo cluster')
  })

  test('removes it only once its name was typed, and says what goes with its usage', async () => {
    const { septet, user } = await visit('?open=prod', {
      connectionsRemove: () => ({ removed: 'prod', usageDeleted: true }),
    })
    const shown = within(await card())
    await user.click(shown.getByRole('button', { name: 'Remove this cluster…' }))
    const part = shown.getByRole('region', { name: 'Remove this cluster' })
    await shows('its usage, until data retention drops it', part)
    await user.click(within(part).getByLabelText(/^Also delete its usage data/u))
    await shows('and what was said no to, and its usage', part)
    const field = within(part).getByLabelText('Type Production to confirm')
    const remove = within(part).getByRole('button', { name: 'Remove' })
    await user.type(field, 'production')
    await user.click(remove)
    expect([remove.getAttribute('aria-disabled'), septet.told]).toEqual(['true', []])
    await user.clear(field)
    await user.type(field, 'Production')
    await user.click(remove)
    expect(septet.told.map(({ input }) => input)).toEqual([{ id: 'prod', confirm: 'Production', deleteUsage: true }])
    expect([screen.queryByRole('dialog'), parameters()['open']]).toEqual([null, undefined])
  })
})

/** A step that went well, unless it is told otherwise. */
const step = (id: Step['id'], change: Partial<Step>): Step => ({
  id,
  state: 'passed',
  said: '',
  works: null,
  todo: null,
  items: [],
  manifest: null,
  ...change,
})

describe('a cluster is added', () => {
  test('by a kubeconfig, which is asked for before anything is tested or added', async () => {
    const { septet, user } = await visit('?add=cluster')
    await user.click(await screen.findByRole('button', { name: 'Test connection' }))
    await user.type(screen.getByLabelText('Name'), 'Production')
    await user.click(screen.getByRole('button', { name: 'Add the cluster' }))
    expect(septet.told).toEqual([])
    expect(screen.getAllByText('Paste a kubeconfig first.').length).toBeGreaterThan(0)
  })

  test('after a test that says step by step what works, what does not, and what to do about it', async () => {
    const NOT_TRIED = 'Not tried: signing in failed.'
    const { septet, user } = await visit('?add=cluster', {
      connectionsTest: () => ({ id: 'test-1' }),
      connectionsTested: () => ({
        done: true,
        steps: [
          step('reach', { said: 'It answered in 12 ms.' }),
          step('sign-in', { state: 'failed', said: 'The token is expired.', todo: 'Make another.', works: 'Nothing.' }),
          step('permissions', { state: 'skipped', said: NOT_TRIED }),
          step('gpus', { state: 'skipped', said: NOT_TRIED }),
          step('metrics', { state: 'noticed', said: 'Two exporters answer late.' }),
        ],
      }),
    })
    await user.click(await screen.findByRole('textbox', { name: /^Kubeconfig/u }))
    await user.paste(KUBECONFIG)
    await user.click(screen.getByRole('button', { name: 'Test connection' }))
    await shows('1 step failed, 1 to know about.')
    expect(septet.told.at(-1)).toMatchObject({ operation: 'connectionsTest', input: { kind: 'kubeconfig' } })
    const steps = within(await screen.findByRole('list', { name: 'Steps of the test' })).getAllByRole('listitem')
    // What was not tried for one reason is one row, which says the reason once.
    expect(steps.map(wordsOf)).toEqual([
      'Reach the API server works It answered in 12 ms.',
      'Sign in failed The token is expired. Still works : Nothing. What to do : Make another.',
      '– Permissions, Find GPU nodes Not tried: signing in failed.',
      'Reach the metrics to know about Two exporters answer late.',
    ])
    // What was tested is not what stands there any more.
    await user.clear(screen.getByLabelText('Namespace of the GPU Operator'))
    expect(screen.queryByRole('list', { name: 'Steps of the test' })).toBeNull()
    await shows('Not tested with these settings.')
  })

  test('by an agent, whose token is shown once with how to start it', async () => {
    const { septet, user } = await visit('?add=cluster', {
      connectionsAdd: ({ name }) => ({
        connection: { ...CONNECTION, name },
        continues: false,
        agentToken: 'septet_agent_0123456789',
      }),
    })
    await user.click(await screen.findByRole('radio', { name: 'An agent inside it' }))
    expect(screen.queryByRole('button', { name: 'Test connection' })).toBeNull()
    await user.type(screen.getByLabelText('Name'), 'Edge')
    await user.click(screen.getByRole('button', { name: 'Add the cluster' }))
    expect(septet.told.map(({ input }) => input)).toEqual([{ name: 'Edge', kind: 'agent' }])
    await shows('septet_agent_0123456789')
    expect(parameters()['add']).toBeUndefined()
  })
})
