import type { Engine } from '../copilot.ts'

/** Answers the questions that it knows, from typed operations; says so of every other. */
export const answerByRules: Engine = async ({ question }, { now, id }) => ({
  id,
  at: new Date(now).toISOString(),
  question,
  engine: { kind: 'rules', name: 'rules' },
  verdict: 'cannot',
  sentences: [{ text: 'I can’t answer that.', cites: [] }],
  blocks: [],
  citations: [],
  next: [],
  intent: null,
  dropped: 0,
})
