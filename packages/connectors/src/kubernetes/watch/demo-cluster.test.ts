import { openDemoCluster } from '../demo-cluster.fixture.ts'
import { writerContract } from '../write/cluster-writer.contract.ts'
import { kubernetesContract } from './kubernetes-reader.contract.ts'

kubernetesContract('the demo cluster', openDemoCluster)
writerContract('the demo cluster', { open: openDemoCluster })
