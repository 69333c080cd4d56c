import { isDeepStrictEqual } from 'node:util'

import { isAllowed } from './allowed.ts'
import { fieldsAt, isFields, targetOf, textAt, type Value } from './recording.ts'
import type { Replayed } from './replay.ts'
import { unusedBecause } from './used.ts'

/**
 * What a step came to. `refused`: the demo says clearly that it does not do what Septet never asks for. `follows`: it differs
 * for no other reason than that the demo has refused an earlier step of the same object.
 */
export type Verdict = {
  readonly index: number
  readonly kind: 'same' | 'refused' | 'follows' | 'allowed' | 'different'
  readonly says: string
}

const REFUSALS = new Set([403, 405, 406, 415, 422, 501])

export function verdicts(file: string, replayed: readonly Replayed[]): readonly Verdict[] {
  const strayed = new Set<string>()
  // oxlint-disable-next-line complexity -- what a step came to, in the order in which that is asked
  return replayed.map((each) => {
    const { index, step, message } = each
    const { method = '', path = '' } = step.request ?? {}
    const target = targetOf(path)
    const differs = differences(each)
    const unused = unusedBecause(step)
    const status = Number(each.answered['status'])
    const isUnknown = status === 404 && !/" not found/u.test(message)
    const isRefused = unused !== undefined && (isUnknown || REFUSALS.has(status))
    const stray = [...strayed].some((from) => target.path === from || target.path.startsWith(`${from}/`))
    const excused = isAllowed(file, index) ? 'allowed' : 'different'
    const kind = differs.length === 0 ? 'same' : isRefused ? 'refused' : stray ? 'follows' : excused
    if (kind === 'refused' && method !== 'GET' && Number(each.recorded['status']) < 300)
      strayed.add(made(each, target.path))
    const what = unused === undefined ? '' : ` (${unused})`
    const asked = JSON.stringify(step.request?.body ?? '').slice(0, 160)
    return {
      index,
      kind,
      says: `${index}${what} ${step.as === 'admin' ? '' : step.as} ${method} ${path} ${asked}\n    ${differs.join('\n    ')}\n    ${message.slice(0, 120)}`,
    }
  })
}

/** The object that a step makes, or is about. */
const made = ({ step }: Replayed, path: string): string =>
  step.request?.method === 'POST' && targetOf(path).name === ''
    ? `${path}/${textAt(step.response?.body, 'metadata', 'name')}`
    : path

function differences({ recorded, answered, step }: Replayed): readonly string[] {
  const isQuiet = step.request?.method === 'GET' || targetOf(step.request?.path ?? '').query.has('dryRun')
  // What only looks moves nothing: somebody else has moved it meanwhile, whom the demo does not have.
  const ignored = isQuiet && fieldsAt(recorded, 'body')['version'] === 'moved' ? ['.body.version'] : []
  return unlike(recorded, answered, '').filter((text) => !ignored.some((each) => text.startsWith(each)))
}

function unlike(one: Value, other: Value, at: string): readonly string[] {
  if (isDeepStrictEqual(one, other)) return []
  if (isFields(one) && isFields(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    return keys.flatMap((key) => unlike(one[key], other[key], `${at}.${key}`))
  }
  return [
    `${at}: ${JSON.stringify(one)?.slice(0, 200)} in the record, ${JSON.stringify(other)?.slice(0, 200)} in the demo`,
  ]
}
