import { sameText } from '@septet/auth'
import { stateOf, type ActionRun, DAY_MS } from '@septet/domain'

/** Where an owner who was warned says that the work stays. */
export const KEEP_PATH = '/keep'

/** Keyed hash that only this installation can make. */
export type SealText = (text: string) => string

/** For how long work stays that its owner keeps by a link, milliseconds. */
export const KEEP_MS = 30 * DAY_MS

/** The address by which whoever was warned of a run keeps its work, until it is stopped; undefined: nobody is warned now. */
export function keepPath(run: ActionRun, seal: SealText): string | undefined {
  const { state, number, until } = stateOf(run)
  if (state !== 'warned' || until === undefined) return undefined
  const text = `${run.id}.${number}.${until}`
  return `${KEEP_PATH}/${text}.${seal(text)}`
}

/** Which warning a link is of. It is for this one and nothing else, and ends with it; undefined: no such link was made. */
export function warningOfLink(
  token: string,
  { seal, now }: { readonly seal: SealText; readonly now: number },
): { readonly run: string; readonly number: number } | undefined {
  const [, run = '', number = '', until = '', sealed = ''] =
    /^([\w-]{1,100})\.(\d{1,6})\.(\d{1,15})\.([0-9a-f]{64})$/u.exec(token) ?? []
  if (run === '' || !sameText(sealed, seal(`${run}.${number}.${until}`))) return undefined
  return now < Number(until) ? { run, number: Number(number) } : undefined
}
