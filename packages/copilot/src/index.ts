export type { Engine } from './copilot.ts'
export { answerByRules } from './rules/answer-by-rules.ts'
export { ModelFailure, type LanguageModel, type Piece } from './model/language-model.ts'
export { modelEngine } from './model/model-engine.ts'
