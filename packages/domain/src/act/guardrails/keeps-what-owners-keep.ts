import { type Keep, keepAmong, keepWords } from '../owners/keep.ts'
import { type ActContext, type ActRule, refusing } from './act-context.ts'
import { nameOf } from './words.ts'

/** What its owner wants kept stays as it is: by what live objects say, and by the labels that all pods of a workload carry. */
export const keepsWhatOwnersKeep: ActRule = (context) => {
  for (const { object, keep } of said(context)) {
    const words = keepWords(keep, context.now)
    if (words !== undefined) return refusing('kept', `${nameOf(object)} ${words}. Leave it, or remove that first.`)
  }
  return undefined
}

const said = ({
  objects,
  touched,
  state,
}: ActContext): ReadonlyArray<{ readonly object: string; readonly keep: Keep }> => [
  ...objects,
  ...touched.workloads.map((id) => ({
    object: `workload/${id}`,
    keep: keepAmong(state.workloads.get(id)?.labels ?? {}),
  })),
]
