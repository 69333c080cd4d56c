import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { describe, expect, test } from 'vitest'

import { ConfigError, readConfig } from './config.ts'
import { SETTINGS } from './settings.ts'

const read = (environment: Record<string, string>) => readConfig(environment, '/srv')

describe('configuration', () => {
  test('nothing set: loopback, port 7070, demo on, data beside the working folder', () => {
    expect(read({})).toEqual({
      host: '127.0.0.1',
      port: 7070,
      dataDir: '/srv/.septet',
      databaseUrl: undefined,
      demo: { scale: 'small', seed: 7, speed: 1 },
      cluster: undefined,
      credentialPlugins: [],
      pace: { pollSeconds: 15, storeSeconds: 30, recommendSeconds: 60, historyDays: 210 },
      pipelines: 'thread',
      role: 'all',
      logLevel: 'warn',
      webhookLoopback: false,
      admission: undefined,
      copilot: undefined,
      auth: {
        mode: { kind: 'embedded' },
        authorized: { admin: 'admin@septet.local', others: [], anyone: false },
        setupSecret: undefined,
        masterSecret: undefined,
        publicUrl: undefined,
        confirmEmail: false,
        smtp: undefined,
        trustedProxies: [],
        serviceAccounts: [],
        publicDemo: true,
        mcpIssuer: undefined,
        limits: {
          requests: {},
          letters: { hourly: 30, reserved: 30, perAddress: 15, perRecipient: 10 },
        },
      },
    })
  })

  test('a language model needs an address and a name, and has budgets', () => {
    const url = 'https://models.example.com/v1/'
    expect(
      read({ SEPTET_COPILOT_URL: url, SEPTET_COPILOT_MODEL: 'm', SEPTET_COPILOT_KEY_FILE: 'key' }).copilot,
    ).toEqual({
      url: 'https://models.example.com/v1',
      model: 'm',
      key: { file: '/srv/key' },
      mask: true,
      steps: 6,
      seconds: 60,
      tokens: { answer: 60_000, person: 500_000, day: 5_000_000 },
    })
    expect(() => read({ SEPTET_COPILOT_URL: url })).toThrow('SEPTET_COPILOT_URL is set without SEPTET_COPILOT_MODEL')
    expect(() => read({ SEPTET_COPILOT_KEY: 'k' })).toThrow('SEPTET_COPILOT_KEY is set without SEPTET_COPILOT_URL')
    expect(() => read({ SEPTET_COPILOT_STEPS: '0', SEPTET_COPILOT_MASK: 'maybe' })).toThrow(
      /SEPTET_COPILOT_MASK is "maybe".*SEPTET_COPILOT_STEPS is "0"/u,
    )
  })

  test.each([
    { SEPTET_PROMETHEUS_CERT: 'a certificate', SEPTET_PROMETHEUS_KEY: 'its key' },
    { SEPTET_PROMETHEUS_KEY: 'a key whose certificate is given to the one that watches' },
    { SEPTET_PROMETHEUS_TOKEN: 'a token', SEPTET_PROMETHEUS_PASSWORD: 'a password' },
    { SEPTET_PROMETHEUS_URL: 'http://prometheus:9090', SEPTET_EXPORTER_TARGETS: 'http://10.0.0.7:9400/metrics' },
  ])('who only answers starts with the Secret of the one that watches: %o', (engine) => {
    const answer = { SEPTET_ROLE: 'answer', DATABASE_URL: 'postgres://septet@127.0.0.1:5432/septet' }
    expect(read({ ...answer, ...engine })).toMatchObject({ role: 'answer', cluster: undefined })
    const reviews = {
      SEPTET_SERVICE_ACCOUNTS: 'prod/ml/agent',
      SEPTET_PUBLIC_URL: 'http://127.0.0.1:7070',
      SEPTET_KUBECONFIG: '/k',
    }
    const { cluster } = read({ ...answer, ...engine, ...reviews })
    expect(cluster).toMatchObject({ kubeconfig: '/k', prometheus: undefined, exporterTargets: [], actor: undefined })
  })

  test('who only answers has neither a demo nor a cluster, and needs the store of one that watches', () => {
    const store = 'postgres://septet@db/septet'
    expect(read({ SEPTET_ROLE: 'answer', DATABASE_URL: store })).toMatchObject({ role: 'answer', demo: undefined })
    expect(() => read({ SEPTET_ROLE: 'answer' })).toThrow('SEPTET_ROLE is answer without DATABASE_URL')
    expect(() => read({ SEPTET_ROLE: 'answer', DATABASE_URL: store, SEPTET_KUBECONFIG: '/k' })).toThrow(
      'SEPTET_ROLE is answer with SEPTET_KUBECONFIG',
    )
    expect(() => read({ SEPTET_ROLE: 'watch' })).toThrow('SEPTET_ROLE is "watch" but must be all or answer')
  })

  test('every wrong setting is named at once, with what it should be', () => {
    const environment = {
      SEPTET_PORT: '70000',
      SEPTET_DEMO: 'maybe',
      SEPTET_DEMO_SPEED: 'fast',
      DATABASE_URL: 'mysql://db',
      SEPTET_PROMETHEUS_URL: 'prometheus:9090',
      SEPTET_EXPORTER_TARGETS: 'http://ok:9400, node7:9400',
      SEPTET_PROT: '1',
      SEPTET_HOST: '0.0.0.0',
    }
    const wrong = () => read(environment)
    expect(wrong).toThrow(ConfigError)
    for (const words of [
      'SEPTET_PORT is "70000" but must be a port number',
      'SEPTET_DEMO is "maybe" but must be on or off',
      'SEPTET_DEMO_SPEED is "fast"',
      'DATABASE_URL is "mysql://db" but must be a postgres:// URL',
      'SEPTET_PROMETHEUS_URL is "prometheus:9090"',
      'SEPTET_EXPORTER_TARGETS holds "node7:9400"',
      'SEPTET_PROT is not a setting of Septet',
      'SEPTET_HOST is "0.0.0.0", which others can reach, without SEPTET_AUTHORIZED_EMAIL and SEPTET_SETUP_SECRET',
    ]) {
      expect(wrong).toThrow(words)
    }
  })

  test('a wrong address is shown without its password', () => {
    const address = 'mysql://septet:hunter2@db/septet'
    expect(() => read({ DATABASE_URL: address })).toThrow('"mysql://(hidden)@db/septet"')
    expect(() => read({ DATABASE_URL: address })).not.toThrow('hunter2')
  })

  test('a cluster takes its name from the context, and its engine and targets with it', () => {
    const { cluster } = read({
      SEPTET_KUBECONFIG: '/etc/kube',
      SEPTET_KUBE_CONTEXT: 'prod-eu',
      SEPTET_PROMETHEUS_URL: 'http://127.0.0.1:9090/select/0',
      SEPTET_PROMETHEUS_TENANT: 'team-a',
      SEPTET_PROMETHEUS_MATCHERS: 'cluster="lab"',
      SEPTET_PROMETHEUS_USER: 'septet',
      SEPTET_EXPORTER_TARGETS: 'http://10.0.0.7:9400/metrics',
    })
    expect(cluster).toEqual({
      name: 'prod-eu',
      kubeconfig: '/etc/kube',
      context: 'prod-eu',
      operatorNamespace: 'gpu-operator',
      prometheus: {
        url: 'http://127.0.0.1:9090/select/0',
        tenant: 'team-a',
        matchers: 'cluster="lab"',
        basic: { username: 'septet', password: '' },
      },
      exporterTargets: ['http://10.0.0.7:9400/metrics'],
    })
  })

  test('an engine without a cluster is refused, because its samples would belong to nobody', () => {
    expect(() => read({ SEPTET_PROMETHEUS_URL: 'http://127.0.0.1:9090' })).toThrow('without SEPTET_KUBECONFIG')
  })

  test.each([
    ['SEPTET_KUBE_CONTEXT', 'prod', 'SEPTET_KUBECONFIG'],
    ['SEPTET_CLUSTER_NAME', 'prod', 'SEPTET_KUBECONFIG'],
    ['SEPTET_EXPORTER_TARGETS', 'http://10.0.0.7:9400/metrics', 'SEPTET_KUBECONFIG'],
    ['SEPTET_PROMETHEUS_TOKEN', 'secret', 'SEPTET_PROMETHEUS_URL'],
    ['SEPTET_PROMETHEUS_TENANT', 'team-a', 'SEPTET_PROMETHEUS_URL'],
  ])('%s alone is refused instead of ignored, and its value is not repeated', (name, value, needed) => {
    const alone = () => read({ [name]: value })
    expect(alone).toThrow(`${name} is set without ${needed}`)
    expect(alone).not.toThrow(value)
  })

  test('docs/configuration.md lists exactly the settings there are, with their defaults', () => {
    const page = readFileSync(join(resolve(import.meta.dirname, '../../..'), 'docs/configuration.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (?:`([^`]*)`)? *\| (?:\S.+?) +\|$/gmu)]
    const documented = Object.fromEntries(rows.map(([, name, fallback = '']) => [name, fallback]))
    expect(documented).toEqual(
      Object.fromEntries(Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback])),
    )
  })
})
