export type { Engine } from './engine.ts'
export { answerFixed } from './fixed/answer-fixed.ts'
export { ModelFailure, type LanguageModel, type StreamPiece } from './model/language-model.ts'
export { modelEngine } from './model/model-engine.ts'
