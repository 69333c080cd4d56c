import type { CopilotAnswer, OperationKey } from '@septet/contract'
import { instant, type Store } from '@septet/domain'
import { DRAWN_AT } from '@septet/domain/testing'
import { factsOf, standingAsk } from '@septet/server/testing'

import { drawnModel } from './copilot-clusters.ts'
import { countsOf } from './copilot-counts.ts'
import { questionsOf, type Asked } from './copilot-questions.ts'

export const SEEDS = [1, 2, 3, 4, 5]
/** When questions are asked: two hours after the clusters were drawn. */
export const NOW = DRAWN_AT + 7_200_000

/** What somebody sees who is limited to one namespace must say nothing of the others. */
const ONE_NAMESPACE = ['web']
const HIDDEN = /hidden-lab|vision/u

type Asking = ReturnType<ReturnType<typeof standingAsk>>
type Case = { readonly asked: Asked; readonly everything: Asking; readonly oneNamespace: Asking }

/** Each question about a drawn cluster, to be asked by somebody who sees all of it and by somebody who does not. */
export function casesOf(seed: number, store: Store, heard: (key: OperationKey) => void): readonly Case[] {
  const model = drawnModel(seed)
  const name = `cluster-${seed}`
  const record = { id: 'drawn', name, kind: 'cluster' as const, createdAt: instant(0) }
  const facts = [factsOf(model.snapshot, model.samples, record)]
  const asking = standingAsk({ facts, store, now: () => NOW }, heard)
  return [...questionsOf(model, name), ...countsOf(model)].map((asked) => ({
    asked,
    everything: asking(),
    oneNamespace: asking(ONE_NAMESPACE),
  }))
}

/** What an answer tells somebody limited to one namespace of another; undefined: nothing. What was asked comes back, and is no leak. */
export function leakIn(question: string, { sentences, blocks, citations }: CopilotAnswer): string | undefined {
  const said = JSON.stringify([sentences, blocks, citations.map(({ title }) => title)])
  const own = said.replaceAll(/“[^”]*”|hidden-lab\/\S+/gu, (text) =>
    question.includes(text.replaceAll(/[“”]/gu, '')) ? '' : text,
  )
  return HIDDEN.test(own) ? said.slice(0, 300) : undefined
}
