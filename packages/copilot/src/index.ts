export type { Engine } from './copilot.ts'
export { answerByRules } from './rules/answer-by-rules.ts'
