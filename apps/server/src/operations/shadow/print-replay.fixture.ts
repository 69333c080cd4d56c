import { shadowMonth } from '@septet/domain'
import { scriptedWork, shadowQuestion } from '@septet/domain/testing'

import { contentDigest } from '../../content-digest.ts'

const HOURS = 120

/** The digest of a scripted replay: printed where this file is run by itself, so that another process can be compared. */
export const scriptedDigest = (): string => {
  const rows = scriptedWork(HOURS, { does: (hour) => (hour >= 40 && hour < 60 ? 'work' : 'idle') })
  return contentDigest(shadowMonth(shadowQuestion(HOURS, rows)))
}

if (process.argv[1] === import.meta.filename) process.stdout.write(scriptedDigest())
