import { Refusal, type CopilotAnswer } from '@septet/contract'
import { MOST_CHARACTERS, runTool, TOOLS, type Ask, type Tool } from '@septet/tools'
import { z } from 'zod'

import { checkSentence } from '../check/check-sentence.ts'
import { evidenceOf, type CopilotEvidence, type ToolEvidence } from '../check/evidence.ts'
import type { ModelTool } from './language-model.ts'
import type { NameMask } from './mask.ts'

type Citation = CopilotAnswer['citations'][number]
type Sentence = CopilotAnswer['sentences'][number]

/** One answer of a model as it comes: the tools it may call, what they said, and the sentences that this covers. */
export type ModelTurn = {
  readonly tools: readonly ModelTool[]
  readonly citations: readonly Citation[]
  readonly sentences: readonly Sentence[]
  readonly dropped: number
  /** Checks a sentence; gives it with the names that were hidden, where it is covered and new. */
  offer(sentence: string): string | undefined
  /** What was left out so far was said before tools were called, and was not an answer yet. */
  called(): void
}

/** Also those of one step beside each other: more is not a question but a crawl. */
const MOST_CALLS = 24

/** `ask` is whoever asks: a tool tells a model nothing that they may not know. There is none that changes anything. */
export function openTurn(ask: Ask, mask: NameMask | undefined): ModelTurn {
  const results: ToolEvidence[] = []
  const citations: Citation[] = []
  const sentences: Sentence[] = []
  let evidence: CopilotEvidence | undefined
  let dropped = 0
  let calls = 0
  const run = async (tool: Tool, given: unknown): Promise<string> => {
    calls += 1
    if (calls > MOST_CALLS) return 'No more tools in this answer. Answer from what you have.'
    try {
      const answer = await runTool(tool, mask === undefined ? given : mask.showIn(given), { ask, base: '' })
      const text = JSON.stringify(mask === undefined ? withoutSources(answer) : mask.hide(answer))
      if (text.length > MOST_CHARACTERS)
        return 'The answer is too long. Ask for fewer rows (limit), or narrow it by a filter.'
      const number = results.length + 1
      results.push({ number, answer })
      citations.push(citationOf(number, tool, answer))
      evidence = undefined
      return text
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const words = `${error.message} ${error.todo}`
      return mask === undefined ? words : mask.hideText(words)
    }
  }
  return {
    tools: TOOLS.filter(({ toolset }) => toolset !== 'act').map((tool) => ({
      name: tool.name,
      description: tool.description,
      input: z.toJSONSchema(tool.input, { io: 'input' }),
      run: (given) => run(tool, given),
    })),
    citations,
    sentences,
    get dropped() {
      return dropped
    },
    offer(masked) {
      const text = mask === undefined ? masked : mask.show(masked)
      if (sentences.some((said) => said.text === text)) return undefined
      evidence ??= evidenceOf(results)
      const checked = checkSentence(text, evidence)
      if (!checked.isCovered) {
        dropped += 1
        return undefined
      }
      sentences.push({ text, cites: [...checked.cites] })
      return text
    },
    called: () => (dropped = 0),
  }
}

const withoutSources = ({ sources: _asked, page: _page, ...answer }: Readonly<Record<string, unknown>>) => answer

function citationOf(number: number, { title }: Tool, answer: Awaited<ReturnType<typeof runTool>>): Citation {
  const { page, asOf, sources } = answer
  return {
    number,
    title,
    source: sources.join('\n'),
    page: typeof page === 'string' ? page : null,
    asOf: typeof asOf === 'string' ? asOf : null,
  }
}
