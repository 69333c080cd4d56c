import { Refusal, type CopilotAnswer } from '@septet/contract'
import { MOST_CHARACTERS, runTool, TOOLS, type Ask, type Tool } from '@septet/tools'
import { z } from 'zod'

import { readSentence } from '../cite/read-sentence.ts'
import { withNamedColumns, type ToolResult } from '../cite/results.ts'
import type { ModelTool } from './language-model.ts'
import type { NameMask } from './mask.ts'

type Citation = CopilotAnswer['citations'][number]
type Sentence = CopilotAnswer['sentences'][number]

/** A sentence that is not shown, and why. */
type Left = { readonly text: string; readonly because: string }

/** One answer of a model as it comes: the tools it may call, what they said, and the sentences that cite it. */
export type ModelTurn = {
  readonly tools: readonly ModelTool[]
  readonly citations: readonly Citation[]
  readonly sentences: readonly Sentence[]
  readonly left: readonly Left[]
  /** Reads a sentence; gives it as it is shown, where it is shown and new. */
  offer(sentence: string): string | undefined
  /** What was left out so far was said before tools were called, and was not an answer yet. */
  called(): void
}

/** Also those of one step beside each other: more is not a question but a crawl. */
const MOST_CALLS = 24

/** `ask` is whoever asks: a tool tells a model nothing that they may not know. There is none that changes anything. */
export function openTurn(ask: Ask, mask: NameMask | undefined): ModelTurn {
  const results: ToolResult[] = []
  const citations: Citation[] = []
  const sentences: Sentence[] = []
  let left: readonly Left[] = []
  let calls = 0
  const run = async (tool: Tool, given: unknown): Promise<string> => {
    calls += 1
    if (calls > MOST_CALLS) return 'No more tools in this answer. Answer from what you have.'
    try {
      const input = mask === undefined ? given : mask.showIn(given)
      const answer = await runTool(tool, input, { ask, base: '' })
      const number = results.length + 1
      const text = `r${number}: ${JSON.stringify(mask === undefined ? withoutSources(answer) : mask.hide(answer))}`
      if (text.length > MOST_CHARACTERS)
        return 'The answer is too long. Ask for fewer rows (limit), or narrow it by a filter.'
      results.push({ number, answer: withNamedColumns(answer), asked: tool.input.parse(input ?? {}) })
      citations.push(citationOf(number, tool, answer))
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
    get left() {
      return left
    },
    offer(text) {
      const read = readSentence(text, results)
      if (!read.isShown) left = [...left, { text, because: read.because }]
      else if (!sentences.some((said) => said.text === read.sentence.text)) {
        sentences.push(read.sentence)
        return read.sentence.text
      }
      return undefined
    },
    called: () => (left = []),
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
