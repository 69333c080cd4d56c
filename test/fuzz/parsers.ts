import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readClaims } from '@septet/auth/testing/claims'
import { readBills } from '@septet/cli/testing/bills'
import {
  keptKubeconfig,
  offeredContexts,
  openOpenCost,
  readAdmissionReview,
  readConfigs,
  readManifest,
} from '@septet/connectors'
import { foldText } from '@septet/connectors/testing/exporter-text'
import { readEnvelope, readSeries } from '@septet/connectors/testing/prometheus-answer'
import {
  areLabelMatchers,
  csvRecords,
  instant,
  parseProfileName,
  parseRange,
  readBill,
  readQuantity,
} from '@septet/domain'

import { SEEDS } from './seeds.ts'

const ANSWER = { status: 200, contentType: 'application/json', location: '', retryAfter: undefined, cut: undefined }
const NOW = instant(Date.UTC(2026, 10, 30))

/** Readers of what others send, by what they read. Each throws errors for people, or answers. */
export const PARSERS: Readonly<Record<ParserName, (text: string) => unknown>> = {
  manifest: (text) => readManifest(text, 'lab'),
  kubeconfig: (text) => [offeredContexts(text), keptKubeconfig(text)],
  exposition: (text) => foldText([text], NOW),
  'prometheus-answer': (text) => {
    const answer = readEnvelope(text)
    return answer !== undefined && 'data' in answer ? readSeries(answer.data) : answer
  },
  'bill-csv': (text) => readBill([csvRecords([text.slice(0, text.length / 2), text.slice(text.length / 2)])]),
  'bill-parquet': (text) => readBills([fileOf(text)]),
  opencost: (text) =>
    openOpenCost({
      url: 'http://opencost.example',
      get: () => Promise.resolve({ ...ANSWER, body: text }),
    }).figures({ from: instant(NOW - 3_600_000), to: NOW }),
  'gpu-configs': (text) => readConfigs(text),
  'words-and-numbers': (text) =>
    text
      .split('\n')
      .map((line) => [readQuantity(line), parseRange(line), parseProfileName(line), areLabelMatchers(line)]),
  claims: (text) => readClaims(recordOf(text)),
  'admission-review': (text) => readAdmissionReview(jsonOf(text), NOW),
}

export type ParserName =
  | 'manifest'
  | 'kubeconfig'
  | 'exposition'
  | 'prometheus-answer'
  | 'bill-csv'
  | 'bill-parquet'
  | 'opencost'
  | 'gpu-configs'
  | 'words-and-numbers'
  | 'claims'
  | 'admission-review'

export const seedsOf = (name: ParserName): readonly string[] => SEEDS[name]

/** Errors that a reader of text does not mean: it went on with what it should have looked at. */
const UNMEANT = [TypeError, RangeError, ReferenceError, EvalError, URIError]

/** Whether an error says to a person what is wrong with what they sent. */
export const isMeant = (error: unknown): boolean =>
  error instanceof Error && error.message !== '' && !UNMEANT.some((kind) => error instanceof kind)

/** What is no JSON never comes so far. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function recordOf(text: string): Record<string, unknown> {
  const value = jsonOf(text)
  return typeof value === 'object' && value !== null ? { ...value } : { sub: value }
}

let folder: string | undefined

/** Bytes as text, one a character. */
function fileOf(text: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'septet-fuzz-'))
  const path = join(folder, 'bill.parquet')
  writeFileSync(path, Buffer.from(text, 'latin1'))
  return path
}
