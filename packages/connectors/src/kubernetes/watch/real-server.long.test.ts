import { afterAll, describe } from 'vitest'
import { openRealApiServer } from '../../../../../test/real-api-server/real-api-server.ts'
import { writerContract } from '../write/cluster-writer.contract.ts'
import { kubernetesContract } from './kubernetes-reader.contract.ts'

// The demo cluster is held to the same contract in `npm test`.
const server = await openRealApiServer()
const open = () => Promise.resolve({ url: server?.url ?? '', token: server?.token })
afterAll(() => server?.stop())

describe.skipIf(server === undefined)('an API server of Kubernetes', () => {
  kubernetesContract('kube-apiserver 1.20', open)
  writerContract('kube-apiserver 1.20', { open, older: true })
})
