export { openHighs } from './open-highs.ts'
