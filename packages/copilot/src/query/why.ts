import { plural } from '@septet/domain/words'

import type { Piece } from './line.ts'
import type { Names } from './names.ts'

const BEGIN = String.raw`^\s*(?:(?:can|could)\s+you\s+)?(?:please\s+)?(?:tell\s+me\s+|explain\s+)?`
const ASKED = String.raw`(?:why(?:'s)?|(?:the\s+)?reason(?:\s+why)?|what(?:'s|\s+is)(?=\s.*waiting\s+for))\s+`
const DOES = String.raw`(?:(?:is|are|does|do|did|has)\s+)?`
const DOES_NOT = String.raw`(?:isn't|aren't|doesn't|didn't|hasn't|can't|won't)\s+`
const NAME = String.raw`(?:the\s+)?(?<name>[^\s,;?!]+)(?:\s+(?:deployment|job|workload|statefulset|pod))?(?:\s+in\s+(?<namespace>[^\s,;?!]+))?\s+`
const STILL = String.raw`(?:(?:is|been|still|have\s+to|has\s+to)\s+)*`
const STARTS = String.raw`(?:running|run|starting|start|started|scheduled|get(?:ting)?)`
const WAITS = String.raw`(?:waiting|waits?|pending|queued|stuck|(?:not\s+(?:yet\s+)?)${STARTS})`
const END = String.raw`(?:\s+(?:a|any|its|for|gpus?|in|the|queue|yet|so|long))*\s*\??\s*$`
/** That it waits, or that it does not start: "why is it running" and "why isn't it waiting" ask something else. */
const WHY = [DOES + NAME + STILL + WAITS, DOES_NOT + NAME + STILL + STARTS].map(
  (asked) => new RegExp(BEGIN + ASKED + asked + END, 'iu'),
)
const WAITS_WHY =
  /^\s*(?<name>[^\s,;?!]+)\s+(?:is\s+)?(?:still\s+)?(?:waiting|waits|pending|queued|stuck)[\s,;:.]+why\s*\??\s*$/iu

const MOST_CHOICES = 4

/** A whole line that asks why a workload waits, as one piece; undefined where it asks something else. */
export async function readWhy(line: string, names: Names): Promise<Piece | undefined> {
  const match = [...WHY, WAITS_WHY].map((pattern) => pattern.exec(line)).find((found) => found !== null)
  if (match === undefined) return undefined
  const { name: text = '', namespace = '' } = match.groups ?? {}
  const called = (await names.of(text)).filter(({ field }) => field === 'workload').map(({ name }) => name)
  const found = called.filter((name) => namespace === '' || name.startsWith(`${namespace}/`))
  const [workload] = found
  const piece = { from: 0, to: line.length }
  if (workload === undefined) {
    const like = (await names.like(text, MOST_CHOICES)).filter(({ field }) => field === 'workload')
    const choices = like.map(({ name }) => again(name))
    return {
      ...piece,
      choices,
      meaning: { kind: 'unknown' },
      says: line.trim(),
      problem: `No workload is called “${text}”.`,
    }
  }
  const says = `why ${workload} waits`
  if (found.length === 1) return { ...piece, choices: [], meaning: { kind: 'why', workload }, says }
  const problem = `${plural(found.length, 'workload')} are called “${text}”.`
  return { ...piece, choices: found.map(again), meaning: { kind: 'why', workload }, says, problem }
}

const again = (name: string): string => `why is ${name} waiting`
