export { startDemoCluster, type DemoCluster } from './serve/start-demo-cluster.ts'
