export * from './serve/start-demo-cluster.ts'
