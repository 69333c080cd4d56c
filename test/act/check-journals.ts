import { journalLines, type JournalEvidence, type Store } from '@septet/domain'

/** Throws where nothing speaks for a sentence of any run of a store, or it points at a step or a write that is not there. */
export async function checkJournals({ actions }: Pick<Store, 'actions'>): Promise<void> {
  const runs = await actions.list({ limit: 1000 })
  const flaws = runs.map(async (run) => {
    const recorded = await actions.writes(run.id)
    const { transitions, writes } = journalLines(run, recorded)
    const { writes: rehearsals } = journalLines(run, await actions.rehearsals(run.id))
    const isThere = ({ kind, id }: JournalEvidence): boolean => {
      if (kind === 'step') return run.plan.steps.some(({ number }) => String(number) === id)
      return kind !== 'write' || recorded.some(({ number }) => String(number) === id)
    }
    const sentences = [
      ...transitions.map(({ state, because, evidence }) => ({ said: `${state}: ${because}`, evidence })),
      ...[...rehearsals, ...writes].map(({ says, evidence }) => ({ said: says, evidence })),
    ]
    return sentences.flatMap(({ said, evidence }) => (evidence.length > 0 && evidence.every(isThere) ? [] : said))
  })
  const all = (await Promise.all(flaws)).flat()
  if (all.length > 0) throw new Error(`Nothing speaks for: ${all.join(' | ')}`)
}
