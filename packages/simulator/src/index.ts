export { selfSigned } from './serve/certificate.ts'
export { startDemoCluster, type DemoCluster } from './serve/start-demo-cluster.ts'
