export * from './open-highs.ts'
