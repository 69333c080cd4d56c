/** What end-to-end tests compare pages with. Nothing else may import it. */
export { AGENTIC_LINES } from './site/content/agentic.ts'
export { COPILOT_EXAMPLES } from './site/content/copilot.ts'
export { answerFixture } from './dashboard/copilot/answer.fixture.ts'
