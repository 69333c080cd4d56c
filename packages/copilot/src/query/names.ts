import type { Ask } from '@septet/tools'

import type { FieldName } from './vocabulary.ts'

/** Something of the cluster that has a name. */
export type Named = { readonly field: FieldName; readonly name: string }

/** What the names of a cluster are, as far as the asker may know them. */
export type Names = {
  /** What a word of a line names; several where it names more than one thing. Case does not matter. */
  of(word: string): Promise<readonly Named[]>
  /** What a word may be the beginning or a part of. */
  like(word: string, most: number): Promise<readonly Named[]>
}

const GROUPS = ['namespace', 'tenant', 'model', 'pool'] as const
/** What people call a cluster's things by is what used GPUs of late. */
const RANGE = '7d'
const MOST_FOUND = 8
/** No line that asks for something has more words that may be names; the rest of one that does is not looked up. */
const MOST_SEARCHED = 24

/** Names are asked as whoever asks the question: what they may not see has none. */
export function namesOf(ask: Ask, cluster: string | undefined): Names {
  let kept: Promise<readonly Named[]> | undefined
  const groups = (): Promise<readonly Named[]> =>
    (kept ??= Promise.all(
      GROUPS.map(async (by) => {
        const { groups: all } = await ask('costBreakdown', { cluster, range: RANGE, by })
        return all
          .filter(({ kind, key }) => kind === 'named' && key !== '')
          .map(({ key }) => ({ field: by, name: key }))
      }),
    ).then((found) => found.flat()))
  const searched = new Map<string, Promise<readonly Named[]>>()
  const search = (word: string): Promise<readonly Named[]> => {
    const known = searched.get(word)
    if (known !== undefined || searched.size >= MOST_SEARCHED) return known ?? Promise.resolve([])
    const found = ask('searchFind', { cluster, query: word, limit: MOST_FOUND }).then((answer) =>
      answer.found.flatMap(({ kind, id }) => (kind === 'gpu' ? [] : [{ field: kind, name: id }])),
    )
    searched.set(word, found)
    return found
  }
  const all = async (word: string): Promise<readonly Named[]> => {
    const [some, others] = await Promise.all([groups(), search(word)])
    const seen = new Set(some.map(({ field, name }) => `${field} ${name}`))
    return [...some, ...others.filter(({ field, name }) => !seen.has(`${field} ${name}`))]
  }
  return {
    async of(word) {
      const wanted = word.toLowerCase()
      const found = await all(word)
      const exact = found.filter(({ name }) => name.toLowerCase() === wanted)
      if (exact.length > 0) return exact
      const byShortName = found.filter(({ field, name }) => field === 'workload' && shortOf(name) === wanted)
      if (byShortName.length > 0) return byShortName
      // "H100" and "A100-80GB" name every model that has all of their parts.
      return found.filter(({ field, name }) => field === 'model' && isModel(name, wanted))
    },
    async like(word, most) {
      const wanted = word.toLowerCase()
      const found = (await all(word)).filter(({ name }) => name.toLowerCase().includes(wanted))
      return found.toSorted((a, b) => Number(startsAs(b, wanted)) - Number(startsAs(a, wanted))).slice(0, most)
    },
  }
}

const shortOf = (workload: string): string => workload.slice(workload.lastIndexOf('/') + 1).toLowerCase()
const startsAs = ({ name }: Named, wanted: string): boolean =>
  name.toLowerCase().startsWith(wanted) || shortOf(name).startsWith(wanted)

const partsOf = (model: string): readonly string[] => model.toLowerCase().split(/[-\s]+/u)
function isModel(model: string, wanted: string): boolean {
  const parts = partsOf(model)
  return partsOf(wanted).every((part) => /\d/u.test(part) && parts.includes(part))
}
