import { expect, test } from 'vitest'

import { readConfig } from './config.ts'

const PUBLIC = {
  SEPTET_PUBLIC_URL: 'https://septet.example.com',
  SEPTET_AUTHORIZED_EMAIL: 'ops@example.com',
  SEPTET_SETUP_SECRET: 'of sixteen and more',
}
const read = (accounts: string, more: Record<string, string> = PUBLIC) =>
  readConfig({ ...more, ...(accounts === '' ? {} : { SEPTET_SERVICE_ACCOUNTS: accounts }) }, '/srv').auth
    .serviceAccounts

test('no service account comes in unless it is named', () => expect(read('')).toEqual([]))

test('without a role it is a viewer of its own namespace; with one of all, or of those that are named', () => {
  const agent = { cluster: 'prod', namespace: 'ml', name: 'agent' }
  expect(read('prod/ml/agent')).toEqual([{ ...agent, role: 'viewer', namespaces: ['ml'] }])
  expect(read('prod/ml/agent=viewer')).toEqual([{ ...agent, role: 'viewer', namespaces: undefined }])
  expect(read(' prod/ml/agent=operator:ml+speech, lab/ml/agent')).toEqual([
    { ...agent, role: 'operator', namespaces: ['ml', 'speech'] },
    { ...agent, cluster: 'lab', role: 'viewer', namespaces: ['ml'] },
  ])
})

test.each([
  'agent',
  'ml/agent',
  'prod/ml/*',
  'prod/ml/agent=admin',
  'prod/ml/agent=viewer:',
  'a/b/c/d',
  'prod/ml/agent=',
])('"%s" is refused with what it should be', (entry) =>
  expect(() => read(entry)).toThrow(`SEPTET_SERVICE_ACCOUNTS holds "${entry}", which is not CLUSTER/NAMESPACE`),
)

test('an account that is named twice, and a Septet without an address, are refused', () => {
  expect(() => read('prod/ml/agent,prod/ml/agent=operator')).toThrow('names prod/ml/agent twice')
  expect(() => read('prod/ml/agent', {})).toThrow('SEPTET_SERVICE_ACCOUNTS is set without SEPTET_PUBLIC_URL')
})

test('who only answers may have a kubeconfig, to review tokens by', () => {
  const answer = {
    ...PUBLIC,
    SEPTET_ROLE: 'answer',
    DATABASE_URL: 'postgres://septet@127.0.0.1:5432/septet',
    SEPTET_KUBECONFIG: 'in-cluster',
    SEPTET_CLUSTER_NAME: 'prod',
  }
  expect(read('prod/ml/agent', answer)).toHaveLength(1)
  expect(() => read('', answer)).toThrow('SEPTET_ROLE is answer with SEPTET_KUBECONFIG')
})
