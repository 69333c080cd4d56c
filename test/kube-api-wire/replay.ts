import { startDemoCluster, type DemoCluster } from '@septet/simulator'

import { askDemo } from './ask-demo.ts'
import { FAULTS, MEANWHILE, OUTSIDE, RIGHTS, TOKENS, WAITS, isUnsent } from './outside.ts'
import {
  at,
  fieldsAt,
  isFields,
  isList,
  parseValue,
  listAt,
  textAt,
  targetOf,
  type Answer,
  type RecordedRequest,
  type Step,
  type Value,
} from './recording.ts'
import { seenOf, type Versions } from './seen.ts'
import { openTranslation } from './translation.ts'
import { unusedBecause } from './used.ts'

/** A recorded step, and what the demo said to it. */
export type Replayed = {
  readonly index: number
  readonly step: Step
  readonly recorded: ReturnType<typeof seenOf>
  readonly answered: ReturnType<typeof seenOf>
  readonly message: string
}

// Nothing happens by itself while the time stands still: as in the record, no kubelet takes away what leaves.
const BEGIN = Date.UTC(2026, 10, 28, 15, 0, 0)

/** Sends the steps of a file to a demo cluster of their own, one after the other. */
export async function replay(file: string, steps: readonly Step[], folder: string): Promise<readonly Replayed[]> {
  let now = BEGIN
  const demo = await startDemoCluster({
    seed: 7,
    scale: 'small',
    dataDir: folder,
    turnMs: 3_600_000,
    bookmarkMs: 40,
    clock: () => now,
  })
  try {
    return await replayOn(demo, { file, steps, wait: (seconds) => (now += seconds * 1000) })
  } finally {
    await demo.close()
  }
}

type Recorded = { readonly file: string; readonly steps: readonly Step[]; readonly wait: (seconds: number) => void }

// oxlint-disable-next-line complexity -- one step after the other
async function replayOn(demo: DemoCluster, { file, steps, wait }: Recorded): Promise<readonly Replayed[]> {
  const translation = openTranslation()
  const [before, after]: [Versions, Versions] = [new Map(), new Map()]
  const ask = (request: RecordedRequest, token: string | undefined = demo.token): Promise<Answer> =>
    askDemo(demo.apiUrl, request, { token })
  const there = new Set<string>()
  const tokens = new Map<string, string>()
  const text = JSON.stringify(steps)
  const done: Replayed[] = []
  // The record has none of it, and one of its own by that name.
  for (const plural of ['policies', 'policybindings'])
    await ask({ method: 'DELETE', path: `${POLICIES}${plural}/septet-actor`, headers: {} })
  for (const [index, step] of steps.entries()) {
    demo.grantActor(undefined)
    wait(WAITS[file]?.[index] ?? 0)
    const prepare = async (requests: readonly RecordedRequest[]): Promise<void> => {
      for (const request of requests) {
        const { status, body } = await ask(request)
        if (request.path.endsWith('/token')) tokens.set('outside', textAt(body, 'status', 'token'))
        if (status > 201) throw new Error(`${file} ${index}: ${request.path}: ${textAt(body, 'message')}`)
        const { path } = targetOf(request.path)
        there.add(request.method === 'POST' ? `${path}/${textAt(request.body, 'metadata', 'name')}` : path)
      }
    }
    await prepare(OUTSIDE[file]?.[index] ?? [])
    const { request, response } = step
    if (request === undefined || response === undefined || isUnsent(file, index)) continue
    grant(demo, step)
    const fault = FAULTS[file]?.[index]
    if (fault !== undefined) demo.faults.add(fault)
    const { path } = targetOf(request.path)
    const seed = seedFor(steps, index, there)
    for (const each of seed?.requests ?? []) await ask(asSent(each, undefined))
    if (seed !== undefined)
      translation.learn({ metadata: { uid: seed.uid, resourceVersion: seed.version } }, (await ask(seed.get)).body)
    const meanwhile = MEANWHILE[file]?.[index]
    const answer = await askDemo(
      demo.apiUrl,
      translation.request(asActor(asSent(request, tokens.get(TOKENS[file]?.[index] ?? '')))),
      {
        token: tokenOf(demo, step),
        ...(meanwhile === undefined ? {} : { meanwhile: () => prepare(meanwhile) }),
      },
    )
    tokens.set(step.name, textAt(answer.body, 'status', 'token'))
    const narrow = unusedBecause(step) !== undefined
    translation.learn(response.body, answer.body)
    done.push({
      index,
      step,
      recorded: seenOf(response, { versions: before, narrow }),
      answered: seenOf(known(answer, text), { versions: after, narrow }),
      message: textAt(answer.body, 'message'),
    })
    if (request.method === 'POST' && response.status === 201)
      there.add(`${path}/${textAt(response.body, 'metadata', 'name')}`)
  }
  return done
}

const ACTOR = 'system:serviceaccount:septet:septet-actor'
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmission'

/** An answer without what only the demo has, as a record knows nothing of. */
function known(answer: Answer, text: string): Answer {
  const isKnown = (object: Value): boolean => text.includes(`"${textAt(object, 'metadata', 'name')}"`)
  // Every cluster has another issuer of tokens.
  const said = JSON.stringify(answer.body ?? null).replaceAll(
    'kubernetes.default.svc.cluster.local',
    'kubernetes.default.svc',
  )
  const body = answer.body === undefined ? undefined : parseValue(said)
  if (isList(body)) return { ...answer, body: body.filter((event) => isKnown(at(event, 'object'))) }
  if (!isFields(body) || !isList(body['items'])) return { ...answer, body }
  return { ...answer, body: { ...body, items: listAt(body, 'items').filter(isKnown) } }
}

/** A request as it is sent: with a token of the demo, with the long texts that a record only names, and past the scheduler. */
function asSent(request: RecordedRequest, token: string | undefined): RecordedRequest {
  const { method, path, body } = request
  const { resource, name } = targetOf(path)
  if (typeof body === 'string' && body.includes('letters x')) return { ...request, body: longBody(body) }
  if (token !== undefined && isFields(body))
    return { ...request, body: { ...body, spec: { ...fieldsAt(body, 'spec'), token } } }
  // The record had no scheduler: one of that name is nowhere.
  if (method !== 'POST' || resource !== 'pods' || name !== '' || !isFields(body)) return request
  return { ...request, body: { ...body, spec: { ...fieldsAt(body, 'spec'), schedulerName: 'none' } } }
}

/** The demo has one who acts, whose name stands in its policies for that in the record. */
const asActor = ({ body, ...request }: RecordedRequest): RecordedRequest =>
  body === undefined
    ? request
    : { ...request, body: parseValue(JSON.stringify(body).replace("== 'septet-actor'", `== '${ACTOR}'`)) }

/** `ConfigMap "big" with data.a of 3,200,000 letters x` */
function longBody(text: string): Value {
  const [, kind = '', name = '', field = '', count = ''] =
    /^(\w+) "(\w+)" with (\S+) .*?([\d,]+) letters x$/u.exec(text.replace('annotation a of', 'annotation of')) ?? []
  const long = 'x'.repeat(Number(count.replaceAll(',', '')))
  if (kind === 'NodeClaim')
    return { apiVersion: 'karpenter.sh/v1', kind, metadata: { name }, spec: { taints: [{ a: long }] } }
  const inside =
    field === 'annotation'
      ? { metadata: { name, annotations: { a: long } } }
      : { metadata: { name }, data: { a: long } }
  return { apiVersion: 'v1', kind, ...inside }
}

/** The rights of who asks, as the record's roles give them. */
function grant(demo: DemoCluster, { as = 'admin' }: Step): void {
  demo.grantActor(RIGHTS[as])
}

const tokenOf = (demo: DemoCluster, { as = 'admin' }: Step): string | undefined =>
  as === 'anonymous' || as === 'basic'
    ? undefined
    : /invalid|foreign|expired|audience/u.test(as)
      ? 'nobody'
      : as === 'admin'
        ? demo.token
        : demo.actorToken

/** Puts an object there that a step names and none has made, as the first answer that has it shows it. */
// oxlint-disable-next-line complexity -- what an answer shows, field by field
function seedFor(steps: readonly Step[], index: number, there: Set<string>) {
  const { request, response } = steps[index] ?? {}
  if (request === undefined || response === undefined) return undefined
  const target = targetOf(request.path)
  const isGone =
    response.status === 404 || response.status === 201 || response.status === 403 || response.status === 401
  if (target.name === '' || there.has(target.path) || isGone) return undefined
  there.add(target.path)
  const shown = steps.slice(index).find((each) => {
    const { path, subresource, name } = targetOf(each.request?.path ?? '/')
    const body = each.response?.body
    const main = subresource === '' || subresource === 'status'
    return path === target.path && main && isFields(body) && textAt(body, 'metadata', 'name') === name
  })?.response?.body
  if (!isFields(shown) || shown['kind'] === 'Status' || shown['kind'] === 'Table') return undefined
  const { name, namespace, labels, annotations, finalizers, uid } = fieldsAt(shown, 'metadata')
  const { status, metadata: _, ...rest } = shown
  const metadata = { name, namespace, labels, annotations, finalizers }
  const json = { 'content-type': 'application/json', accept: 'application/json' }
  const merge = { ...json, 'content-type': 'application/merge-patch+json' }
  const collection = target.path.slice(0, target.path.lastIndexOf('/'))
  const requests: readonly RecordedRequest[] = [
    { method: 'POST', path: collection, headers: json, body: { ...rest, metadata } },
    ...(status === undefined
      ? []
      : [{ method: 'PATCH', path: `${target.path}/status`, headers: merge, body: { status } }]),
  ]
  return {
    requests,
    uid,
    version: textAt(shown, 'metadata', 'resourceVersion'),
    get: { method: 'GET', path: target.path, headers: json },
  }
}
