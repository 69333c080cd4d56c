import { describe } from 'vitest'
import { realApiServer } from '../../../../../test/system-tools.ts'
import { writerContract } from '../write/cluster-writer.contract.ts'
import { kubernetesContract } from './kubernetes-reader.contract.ts'

const server = realApiServer()

// The demo cluster is held to the same contract always; a real API server where one is named.
describe.skipIf(server === undefined)('a real API server, where SEPTET_TEST_KUBE_URL names one', () => {
  const open = () => Promise.resolve({ url: server?.url ?? '', token: server?.token })
  kubernetesContract(server?.url ?? '', open)
  writerContract(server?.url ?? '', open)
})
