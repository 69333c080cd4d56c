import { describe } from 'vitest'
import { kubernetesContract } from './kubernetes-contract.suite.ts'

const url = process.env['SEPTET_TEST_KUBE_URL'] ?? ''
const token = process.env['SEPTET_TEST_KUBE_TOKEN']

// The demo cluster is held to the same contract always; a real API server where one is named.
describe.skipIf(url === '')('a real API server, where SEPTET_TEST_KUBE_URL names one', () => {
  kubernetesContract(url, () => Promise.resolve({ url, token }))
})
