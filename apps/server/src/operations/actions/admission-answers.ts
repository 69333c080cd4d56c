import { instant, type AdmissionStore, type Instant, DAY_MS } from '@septet/domain'

import type { AnswersOf } from '../answering/answering.ts'
import { answeredFrom } from '../answering/source.ts'
import { isoOf } from '../answering/view.ts'

/** How the API server of a cluster reaches Septet. */
type AdmissionSetup = {
  (cluster: string): { readonly path: string; readonly caBundle: string | undefined; readonly manifest: string }
}

/** What answers about new pods, in this process. */
export type AdmissionFace = {
  readonly setup: AdmissionSetup
  /** How many answers about a cluster's pods it could not write down since it began. */
  unrecorded(cluster: string): number
  /** When it last stopped answering by itself; undefined: never since it was started. */
  interruption(): Interruption | undefined
}

export type Interruption = {
  readonly at: Instant
  /** Undefined while it does not answer. */
  readonly until: Instant | undefined
  /** What it failed of, in a sentence. */
  readonly because: string
}

type Needs = {
  readonly store: { readonly admissions: Pick<AdmissionStore, 'list' | 'count'> }
  /** Undefined where this process does not listen. */
  readonly admission?: AdmissionFace | undefined
  readonly now: () => number
}

const NOT_LISTENING = 'The admission webhook is off. Set SEPTET_ADMISSION_PORT and restart Septet.'

const COUNTED_MS = 30 * DAY_MS

/** What was answered about new pods, and how to let the API server ask. */
export const admissionAnswers = ({
  store: { admissions: store },
  admission: face,
  now,
}: Needs): AnswersOf<'admission'> => ({
  async admissionList(facts, { limit }, { caller: { namespaces } }) {
    const query = { cluster: facts.record.id, ...(namespaces === undefined ? {} : { namespaces }) }
    const since = instant(now() - COUNTED_MS)
    const [counts, answers] = await Promise.all([store.count({ ...query, since }), store.list({ ...query, limit })])
    return {
      ...answeredFrom(facts, undefined),
      listening: face !== undefined,
      since: isoOf(since),
      ...counts,
      // Of which namespaces they were is not known any more.
      unrecorded: namespaces === undefined ? (face?.unrecorded(facts.record.id) ?? null) : null,
      interruption: interruptionView(face?.interruption()),
      answers: answers.map(({ at, suggested, ...record }) => ({
        ...record,
        at: isoOf(at),
        suggested: suggested ?? null,
      })),
    }
  },
  admissionSetup(facts) {
    const known = face?.setup(facts.record.id)
    return {
      ...answeredFrom(facts, undefined),
      path: known?.path ?? null,
      caBundle: known?.caBundle ?? null,
      manifest: known?.manifest ?? null,
      missing: known === undefined ? NOT_LISTENING : null,
    }
  },
})

const interruptionView = (found: Interruption | undefined) =>
  found === undefined
    ? null
    : {
        at: isoOf(found.at),
        until: found.until === undefined ? null : isoOf(found.until),
        because: found.because,
      }
