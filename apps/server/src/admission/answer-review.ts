import { errorText } from '@septet/domain/words'
import {
  admissionMode,
  decideAdmission,
  instant,
  type AdmissionMode,
  type AdmissionPermission,
  type AdmissionRecord,
  type AdmissionVerdict,
  type AdmissionView,
  type AskingPod,
  type Instant,
  type Log,
  type PromisedInstance,
} from '@septet/domain'

/** What the API server asks, as a connector reads it. */
type Review = { readonly uid: string; readonly isDryRun: boolean; readonly pod: AskingPod | undefined }

export type ReviewParts = {
  /** Throws where it is not a review. */
  readonly read: (raw: unknown, now: Instant) => Review
  /** Undefined where no such cluster is watched, or nothing is known of it yet. */
  readonly viewOf: (cluster: string) => AdmissionView | undefined
  readonly permissionOf: (cluster: string) => AdmissionPermission | undefined
  readonly record: (cluster: string, record: AdmissionRecord) => void
  readonly log: Log
  readonly now: () => number
  /** Milliseconds, for how long something took. */
  readonly clock: () => number
}

/** The answer of a webhook, as the API server reads it. */
export type ReviewAnswer = {
  readonly apiVersion: 'admission.k8s.io/v1'
  readonly kind: 'AdmissionReview'
  readonly response: {
    readonly uid: string
    readonly allowed: true
    readonly warnings?: readonly string[]
    readonly patchType?: 'JSONPatch'
    /** Base64 of a JSON patch. */
    readonly patch?: string
  }
}

/** Half of what the webhook configuration lets an answer take, so that the API server never waits for nothing. */
export const BUDGET_MS = 1000
/** From a decision until a reading shows its pod: creation, scheduling and a turn of the pipeline. */
const PROMISED_MS = 60_000

/** Answers reviews. Every pod is allowed; what goes wrong only leaves it as it is. */
export class ReviewAnswers {
  readonly #parts: ReviewParts
  readonly #promised = new Map<string, readonly PromisedInstance[]>()

  constructor(parts: ReviewParts) {
    this.#parts = parts
  }

  /** `began`: when the question came, by the clock. Throws where it is not a review at all. */
  answer(asked: { cluster: string; mode: AdmissionMode; began: number }, raw: unknown): ReviewAnswer {
    const { read, log, clock } = this.#parts
    const review = read(raw, this.#now())
    try {
      const verdict = review.pod === undefined ? NOTHING : this.#decide(asked, review.pod)
      const took = clock() - asked.began
      if (took > BUDGET_MS) {
        log.warn('an answer about a new pod took too long, so the pod stays as it is', { ...asked, took })
        return allowed(review.uid, NOTHING)
      }
      if (review.pod !== undefined && !review.isDryRun) this.#keep(asked.cluster, review.pod, verdict)
      return allowed(review.uid, verdict)
    } catch (error) {
      log.error('a new pod could not be judged, so it stays as it is', { ...asked, error: errorText(error) })
      return allowed(review.uid, NOTHING)
    }
  }

  #decide({ cluster, mode: ofNamespace }: { cluster: string; mode: AdmissionMode }, pod: AskingPod): AdmissionVerdict {
    const mode = admissionMode(pod.labels, ofNamespace)
    if (mode === undefined) return NOTHING
    const { viewOf, permissionOf } = this.#parts
    const now = this.#now()
    const promised = (this.#promised.get(cluster) ?? []).filter(({ at }) => now - at < PROMISED_MS)
    this.#promised.set(cluster, promised)
    return decideAdmission({
      mode,
      pod,
      view: viewOf(cluster),
      permission: permissionOf(cluster),
      promised,
      now,
    })
  }

  #keep(cluster: string, { namespace, name, owners }: AskingPod, verdict: AdmissionVerdict): void {
    if (verdict.kind === 'silent') return
    if (verdict.kind === 'changed') {
      this.#promised.set(cluster, [...(this.#promised.get(cluster) ?? []), verdict.promise])
    }
    this.#parts.record(cluster, {
      at: this.#now(),
      namespace,
      pod: name,
      workload: owners.at(-1) ?? owners[0],
      kind: verdict.kind,
      suggested: verdict.suggested,
      said: verdict.warnings.join(' '),
    })
  }

  #now = (): Instant => instant(this.#parts.now())
}

const NOTHING: AdmissionVerdict = { kind: 'silent', because: 'nothing was asked' }

function allowed(uid: string, verdict: AdmissionVerdict): ReviewAnswer {
  const { warnings } = verdict.kind === 'silent' ? { warnings: [] } : verdict
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid,
      allowed: true,
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(verdict.kind === 'changed'
        ? { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(verdict.patch)).toString('base64') }
        : {}),
    },
  }
}
