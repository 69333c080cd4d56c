import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { extractText, getDocumentProxy } from 'unpdf'

import { FROZEN } from './frozen-septet.mjs'
import { node24 } from '../../scripts/parts/node24.mjs'

const RANGES = [
  '7d',
  '30d',
  'last-week',
  'last-month',
  'month@Europe/Berlin',
  '2026-10-20T00:00:00Z/2026-10-22T06:00:00Z',
]
/** A demo cluster is known by its seed. */
const SEED = process.argv[process.argv.indexOf('--seed') + 1]
const CLUSTER = process.argv.includes('--seed') && SEED !== '7' ? `demo-small-${SEED}` : 'demo'
/** Streams have no end. */
const ENDLESS = new Set(['events.follow', 'copilot.stream', 'audit.export'])
/** Whose ids the path of an item takes. */
const IDS = { '/api/v1/fleet/{gpu}': 'gpu', '/api/v1/recommendations/{id}': 'recommendation' }
const at = (hours) => new Date(FROZEN + hours * 3_600_000).toISOString().replace(/\.000Z$/u, 'Z')

/** Asks a running Septet everything that it answers, and hands each answer to `keep`. */
export async function askEverything(septet, { checkout, keep }) {
  const { paths } = await (await fetch(`${septet.url}/api/openapi.json`)).json()
  const operations = Object.entries(paths)
    .flatMap(([path, said]) =>
      Object.entries(said).map(([method, one]) => ({ ...one, path, method: method.toUpperCase() })),
    )
    .filter(({ operationId }) => !ENDLESS.has(operationId))
  const all = { ...septet, checkout, keep, operations, reads: operations.filter(({ method }) => method === 'GET') }
  all.callers = await signUp(all)
  for (const name of Object.keys(all.callers)) all.callers[name].known = await whatThereIs(all, all.callers[name])
  // `SEPTET_ANSWERS_OF=asEachCaller,byCommand` asks those alone.
  const wanted = process.env.SEPTET_ANSWERS_OF?.split(',')
  for (const step of [asEachCaller, filesOf, asAgents, inWords, byCommand, settings, unprepared])
    if (wanted?.includes(step.name) ?? true) await step(all)
}

async function request(all, { headers }, { method = 'GET', path, body }) {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'DELETE'
  const answer = await fetch(all.url + path, {
    method,
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(body) }),
  })
  const [{ status }, type, bytes] = [answer, answer.headers.get('content-type') ?? '', await answer.arrayBuffer()]
  if (type === 'application/pdf')
    return { status, answer: (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text }
  const text = new TextDecoder().decode(bytes)
  return { status, answer: type.includes('json') ? JSON.parse(text) : text }
}

/** Asks one operation and keeps what it answers; undefined where this checkout has no such operation. */
async function record(all, name, asked) {
  const operation = asked.operation ?? all.operations.find(({ operationId }) => operationId === asked.ask)
  if (operation === undefined) return undefined
  const { face = 'rest', query = {}, ids = {}, body } = asked
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, key) => encodeURIComponent(ids[key] ?? 'nothing'))
  const said = String(new URLSearchParams(query))
  const { method, operationId } = operation
  const got = await request(all, all.callers[name], { method, path: said === '' ? path : `${path}?${said}`, body })
  const question = [
    name,
    ...(asked.label ? [asked.label] : Object.values(ids)),
    said,
    Object.keys(body ?? {}).length > 0 ? JSON.stringify(body) : '',
  ]
  all.keep({ face, subject: operationId, question: question.filter((part) => part !== '').join(' '), ...got })
  return got.answer
}

async function signUp(all) {
  const post = (path, body) => request(all, {}, { method: 'POST', path: `/auth/v1/${path}`, body })
  const person = async (email) => {
    const who = { email, password: 'a long enough password' }
    await post('signup', who)
    return {
      headers: { authorization: `Bearer ${(await post('token?grant_type=password', who)).answer.access_token}` },
    }
  }
  const admin = await person('admin@septet.local')
  const callers = { visitor: {}, viewer: {}, restricted: {}, operator: {} }
  for (const name of ['viewer', 'restricted', 'operator']) callers[name] = await person(`${name}@example.com`)
  const { workloads } = (await request(all, admin, { path: `/api/v1/workloads?cluster=${CLUSTER}&sort=cost` })).answer
  const limits = {
    operator: { role: 'operator' },
    restricted: { role: 'viewer', namespaces: [workloads[0].namespace] },
  }
  for (const [name, body] of Object.entries(limits))
    await request(all, admin, { method: 'PUT', path: `/api/v1/members/${name}@example.com`, body })
  const tokens = {
    token: { name: 'program', role: 'operator', clusters: [CLUSTER] },
    terminal: { name: 'terminal', role: 'admin' },
  }
  for (const [name, body] of Object.entries(tokens)) {
    const { secret } = (await request(all, admin, { method: 'POST', path: '/api/v1/tokens', body })).answer
    callers[name] = { headers: { authorization: `Bearer ${secret}` }, secret }
  }
  return { ...callers, admin }
}

/** Some of many, first and last among them. */
const spread = (list, most) =>
  list.length <= most
    ? list
    : Array.from({ length: most }, (_, n) => list[Math.round((n * (list.length - 1)) / (most - 1 || 1))])

/** Names of things that this caller sees, taken from lists. */
async function whatThereIs(all, caller) {
  const list = async (path) => (await request(all, caller, { path: `/api/v1/${path}` })).answer
  const { workloads } = await list(`workloads?cluster=${CLUSTER}&limit=2000&sort=name`)
  const { nodes } = await list(`partitions?cluster=${CLUSTER}&limit=500`)
  const { recommendations } = await list(`recommendations?cluster=${CLUSTER}&limit=200`)
  const gpus = nodes.flatMap((node) => node.gpus)
  const profiles = gpus.flatMap(({ blocks }) => blocks.flatMap(({ profile }) => profile ?? []))
  const ofState = (wanted) => workloads.filter(({ status }) => status === wanted).map(({ id }) => id)
  return {
    id: ['running', 'queued', 'ended'].flatMap((status) => spread(ofState(status), 4)),
    queued: spread(ofState('queued'), 3),
    workload: ofState('queued').slice(0, 1),
    gpu: spread(
      gpus.map(({ id }) => id),
      6,
    ),
    profile: spread(
      [...new Set(profiles)].toSorted((a, b) => a.localeCompare(b)),
      3,
    ),
    node: spread(
      nodes.map(({ node, name }) => node ?? name),
      3,
    ),
    recommendation: recommendations.map(({ id }) => id).toSorted(),
    namespace: [workloads[0].namespace],
    query: ['gpu', workloads[0].name.slice(0, 5)],
    range: RANGES,
    limit: [3],
    days: [14],
    zone: ['America/New_York'],
    manifest: readdirSync(join(all.checkout, 'docs/examples')).map((name) =>
      readFileSync(join(all.checkout, 'docs/examples', name), 'utf8'),
    ),
  }
}

/** A question with no more than it needs, then with each other thing that it can be told, one at a time. */
function variantsOf(properties, required, known) {
  const base = { ...(properties.cluster && { cluster: CLUSTER }) }
  for (const name of required) base[name] = known[name]?.[0] ?? 'x'
  const valuesOf = ([name, { enum: choices, type }]) =>
    known[name] ?? choices ?? (type === 'boolean' ? [true, false] : [])
  const others = Object.entries(properties).flatMap((each) =>
    valuesOf(each).map((value) => ({ ...base, [each[0]]: value })),
  )
  return [base, ...others]
}

function queriesOf({ parameters = [] }, known) {
  const asked = parameters.filter((each) => each.in === 'query')
  const needed = asked.flatMap(({ name, required }) => (required ? [name] : []))
  return variantsOf(Object.fromEntries(asked.map(({ name, schema }) => [name, schema])), needed, known)
}

async function asEachCaller(all) {
  for (const [name, { known }] of Object.entries(all.callers)) {
    for (const operation of all.reads) await everyWay(all, { name, known, operation })
    await withBodies(all, name, known)
  }
}

/** An admin and a limited viewer ask in all variants, others in one. */
async function everyWay(all, { name, known, operation }) {
  const most = ['admin', 'restricted'].includes(name) ? Infinity : 1
  const [base, ...others] = queriesOf(operation, known)
  const key = /\{(\w+)\}/u.exec(operation.path)?.[1]
  for (const id of (known[IDS[operation.path]] ?? []).slice(0, most))
    await record(all, name, { operation, query: base, ids: { [key]: id } })
  if (key !== undefined) return
  // A report is made of the other answers; its further ranges are asked for as files.
  const variants = operation.operationId === 'report.get' ? [base] : [base, ...others].slice(0, most)
  for (const query of variants) await record(all, name, { operation, query })
  if (name === 'visitor' && base.cluster) await record(all, name, { operation, query: { ...base, cluster: 'sample' } })
}

const podOf = (gpus) =>
  `{kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: ${gpus}}}}]}}`

/** Questions that are too long for an address: nothing of them is kept. */
async function withBodies(all, name, { manifest, profile, node, gpu }) {
  const ask = (operationId, body) => record(all, name, { ask: operationId, body: { cluster: CLUSTER, ...body } })
  for (const text of [...manifest, podOf(1), podOf(3), podOf(8), podOf(64)])
    await ask('starts.check', { manifest: text })
  const plan = (kind, goal = {}, limits = {}) => ask('plans.make', { goal: { kind, ...goal }, wait: 60, ...limits })
  for (const kind of ['fit', 'cost', 'free-node']) await plan(kind)
  for (const each of profile) await plan('room-for', { profile: each })
  await plan('room-for', { profile: profile[0], node: node[1] }, { mayWait: true })
  for (const each of spread(gpu, 3)) await plan('layout', { targets: [{ gpu: each, mig: false, instances: [] }] })
  await plan('appointment', { gpus: 8, at: at(24), hours: 4 })
  await plan('appointment', { gpus: 16, perNode: 8, at: at(72), hours: 8, longestHours: 48 })
  await plan('appointment', { gpus: 4, profile: profile[0], at: at(12), hours: 2 }, { maxDisplaced: 0 })
}

/** The report as every kind of file, and the pages that machines read. */
async function filesOf(all) {
  const files = '/api/v1/report/files'
  const { todo } = (await request(all, all.callers.admin, { path: `${files}/nothing` })).answer
  const kinds = /: (.*)\./u.exec(todo)[1].split(', ')
  const wanted = [
    ...kinds.map((kind) => [kind, 'admin', '7d']),
    ...['last-month', 'month@Europe/Berlin'].map((range) => ['focus', 'admin', range]),
    ...['visitor', 'restricted'].flatMap((name) => ['pdf', 'json', 'focus'].map((kind) => [kind, name, 'last-month'])),
  ]
  for (const [kind, name, range] of wanted) {
    const path = `${files}/${kind}?cluster=${CLUSTER}&range=${encodeURIComponent(range)}`
    const got = await request(all, all.callers[name], { path })
    all.keep({ face: 'files', subject: kind, question: `${name} ${range}`, ...got })
  }
  for (const path of ['/metrics', '/readyz', '/healthz', '/auth/sign-in.json', '/api/openapi.json'])
    all.keep({
      face: 'files',
      subject: path.replaceAll('/', '.'),
      question: 'admin',
      ...(await request(all, all.callers.admin, { path })),
    })
}

/** By the Model Context Protocol: every list, and every tool that reads, in all its variants. */
async function asAgents(all) {
  for (const name of ['visitor', 'restricted', 'token']) {
    const { known } = all.callers[name]
    const call = (subject, question, asked) => callMcp(all, name, { subject, question, ...asked })
    for (const method of ['prompts/list', 'resources/templates/list']) await call('lists', method, { method })
    for (const { uri } of (await call('lists', 'resources', { method: 'resources/list' })).resources)
      await call('resources', uri, { method: 'resources/read', params: { uri } })
    const { tools } = await call('lists', 'tools', { method: 'tools/list' })
    const asked = tools
      .filter(({ annotations }) => annotations.readOnlyHint)
      .flatMap((tool) =>
        variantsOf(tool.inputSchema.properties, tool.inputSchema.required ?? [], known).map((given) => [
          tool.name,
          given,
        ]),
      )
    for (const [tool, given] of asked)
      await call(tool, JSON.stringify(given), { method: 'tools/call', params: { name: tool, arguments: given } })
  }
}

async function callMcp(all, name, { subject, question, method, params = {} }) {
  const { headers = {} } = all.callers[name]
  const answer = await fetch(`${all.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result = {}, ...rest } = JSON.parse(/^(?:data: )?(\{.*)$/mu.exec(await answer.text())[1])
  all.keep({
    face: 'mcp',
    subject,
    question: `${name} ${question}`,
    status: answer.status,
    answer: { ...rest, result },
  })
  return result
}

/** The questions that the co-pilot offers, to be found in its own answers. */
async function inWords(all) {
  for (const name of ['visitor', 'restricted', 'admin']) {
    const questions = new Set(['help', 'What have we saved, and what is next?'])
    for (const question of questions) {
      const body = { cluster: CLUSTER, question }
      const answer = await record(all, name, { face: 'co-pilot', ask: 'copilot.ask', body })
      const next = (answer?.next ?? []).flatMap((one) => one.question ?? [])
      for (const one of next.slice(0, 60 - questions.size)) questions.add(one)
    }
  }
}

const kebab = (text) => text.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)

/** From a terminal: what the command line does by itself, with the plans that it writes, and every operation that reads. */
async function byCommand(all) {
  const { url, folder, checkout, callers } = all
  const { secret, known } = callers.terminal
  writeFileSync(join(folder, 'job.yaml'), known.manifest[0])
  const spoken = all.reads.flatMap((operation) => {
    const { id, ...given } = queriesOf(operation, known)[0]
    if (operation.path.includes('{') && IDS[operation.path] === undefined) return []
    const [subject, verb] = operation.operationId.split('.').map(kebab)
    const flags = Object.entries(given).flatMap(([key, value]) => [`--${key}`, value])
    return [
      [
        verb,
        subject,
        ...((id ?? known[IDS[operation.path]]?.[0]) ? [id ?? known[IDS[operation.path]][0]] : []),
        ...flags,
        '--server',
        url,
      ],
    ]
  })
  const cluster = `--kubeconfig ${all.kubeconfig} --prometheus ${all.prometheus}`
  const own = [
    ...['', 'report', 'plan', 'plan appointment', 'ask', 'doctor', 'actions', 'prices', 'agent'].map(
      (word) => `${word} --help`,
    ),
    ...['text', 'json'].map((format) => `report ${cluster} --format ${format}`),
    ...['fit', 'cost', 'free-node'].map((goal) => `plan ${cluster} --goal ${goal} --out plan-${goal}`),
    ...known.profile.map((profile) => `plan ${cluster} --goal room-for --profile ${profile} --out plan-${profile}`),
    ...[...known.queued, known.gpu[0]].map((name) => `plan ${cluster} --explain ${name}`),
    `plan ${cluster} --goal cost --json`,
    `plan appointment ${cluster} --gpus 8 --at ${at(24)} --for 4h --out plan-appointment`,
    ...[cluster, `--server ${url} --output json`].map((source) => `ask -f job.yaml ${source}`),
    ...[`--server ${url}`, `${cluster} --json`].map((source) => `doctor ${source}`),
    ...['json', 'yaml', 'csv'].map((form) => `list recommendations --server ${url} -o ${form}`),
    ...['list', 'savings', 'shadow --days 7', 'shadow --json'].map((words) => `actions ${words} --server ${url}`),
  ].map((line) => line.trim().split(' '))
  const env = { ...all.env, SEPTET_TOKEN: secret, NO_COLOR: '1' }
  const run = (words) =>
    new Promise((done) => {
      const options = { cwd: folder, env, maxBuffer: 1e8 }
      execFile(node24(), [join(checkout, 'apps/cli/src/septet.mjs'), ...words], options, (error, answer, complaint) =>
        done({ status: error?.code ?? 0, answer, complaint }),
      )
    })
  const waiting = [...own, ...spoken]
  const work = async () => {
    for (let words = waiting.shift(); words !== undefined; words = waiting.shift())
      all.keep({
        face: 'command-line',
        subject: words.slice(0, 2).join(' '),
        question: words.join(' '),
        ...(await run(words)),
      })
  }
  await Promise.all([work(), work()])
  keepPlanFiles(all)
}

function keepPlanFiles({ folder, keep }) {
  for (const plan of readdirSync(folder).filter((name) => name.startsWith('plan-')))
    for (const file of readdirSync(join(folder, plan), { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name)
      if (!file.isFile()) continue
      keep({
        face: 'plan-files',
        subject: plan,
        question: path.slice(folder.length),
        answer: readFileSync(path, 'utf8'),
      })
    }
}

/** What an admin sets, what is proposed, and how all reads answer then. */
async function settings(all) {
  const { admin, restricted } = all.callers
  const [namespace] = admin.known.namespace
  const tell = (ask, body, ids = {}) => record(all, 'admin', { face: 'settings', ask, body, ids })
  const now = async (path) => (await request(all, admin, { path: `/api/v1/${path}` })).answer
  const { policy } = await now(`act-policy?cluster=${CLUSTER}`)
  const modes = Object.fromEntries(Object.keys(policy.modes).map((kind) => [kind, 'approve']))
  const tenants = [namespace, '*'].map((name) => ({ name, namespaces: [name], labels: {} }))
  const schedule = {
    range: 'last-week',
    files: ['pdf', 'focus'],
    recipients: ['ops@example.com'],
    rhythm: { every: 'week', weekday: 1 },
  }
  const scenario = { from: 'now', changes: [], boards: 'same', sizes: 'fit' }
  await tell('actPolicies.put', { cluster: CLUSTER, policy: { ...policy, modes } })
  await tell('policies.put', (await now('policies')).policies)
  await tell('alertRules.put', await now('alert-rules'))
  await tell('agents.put', { toolsets: (await now('agents')).toolsets })
  await tell('retention.put', (await now('retention')).days)
  await tell('tenants.preview', { tenants })
  await tell('tenants.put', { tenants })
  await tell('budgets.put', { cluster: CLUSTER, scope: 'cluster', usdPerMonth: 100_000 }, { id: 'all' })
  await tell('budgets.put', { cluster: CLUSTER, scope: 'namespace', name: namespace, usdPerMonth: 500 }, { id: 'one' })
  await tell('channels.put', { kind: 'email', target: 'ops@example.com' }, { id: 'mail' })
  await tell('reportSchedules.put', { cluster: CLUSTER, time: '08:00', ...schedule }, { id: 'weekly' })
  for (const { id } of spread((await now(`alerts?cluster=${CLUSTER}`)).firing, 2))
    await tell('alerts.acknowledge', { cluster: CLUSTER, reason: 'known' }, { id })
  await tell('scenarios.start', { cluster: CLUSTER, scenario })
  await tell('recommendations.dismiss', { cluster: CLUSTER, reason: 'not now' }, { id: admin.known.recommendation[0] })
  const { recommendations } = await now(`recommendations?cluster=${CLUSTER}&limit=200`)
  recommendations.sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const [, [{ id: recommendation }]] of Map.groupBy(recommendations, ({ kind }) => kind)) {
    const { id } = await tell('actions.propose', { cluster: CLUSTER, recommendation })
    for (const ask of id === undefined ? [] : ['actions.get', 'actions.files'])
      await record(all, 'admin', {
        face: 'settings',
        ask,
        query: { cluster: CLUSTER },
        ids: { id },
        label: recommendation,
      })
  }
  await all.settled()
  for (const [name, { known }] of Object.entries({ admin, restricted }))
    for (const operation of all.reads.filter(({ path }) => !path.includes('{')))
      await record(all, name, { face: 'settings', operation, query: queriesOf(operation, known)[0] })
}

/** Every operation without what it needs: who may ask it, and how it refuses. The last, as some change what there is. */
async function unprepared(all) {
  for (const name of Object.keys(all.callers))
    for (const operation of all.operations) await record(all, name, { face: 'unprepared', operation, body: {} })
}
