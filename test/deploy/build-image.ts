import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, matchesGlob } from 'node:path'

import { z } from 'zod'

/** What a Dockerfile makes, in plain folders. */
export type Image = {
  /** The folder that stands for the image’s `/`. */
  readonly root: string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly entrypoint: readonly string[]
}

type Stage = { root: string; workdir: string; env: Record<string, string>; user: string; entrypoint: string[] }
type Build = {
  readonly context: string
  readonly into: string
  readonly stages: Map<string, Stage>
  readonly args: Env
}
type Env = Record<string, string>

/**
 * Carries out a Dockerfile without a container engine: each stage is a folder, of which a command sees what it names by
 * relative paths. What stands in the base image is this machine’s. Throws at an instruction that it does not know.
 */
export function buildImage(repository: string, dockerfile: string, into: string): Image {
  const context = join(into, 'context')
  copyContext(repository, context)
  const build: Build = { context, into, stages: new Map(), args: {} }
  const instructions = readFileSync(join(repository, dockerfile), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  let stage: Stage | undefined
  for (const line of instructions) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/u.exec(line) ?? []
    if (name === 'FROM') stage = from(rest, build)
    else if (stage === undefined) Object.assign(build.args, assignments(rest))
    else inStage(name, rest, { stage, build })
  }
  if (stage === undefined) throw new Error(`${dockerfile} has no stage`)
  return stage
}

function from(rest: string, { into, stages, args }: Build): Stage {
  const [, base = '', name = 'image'] = /^(?:--platform=\S+ )?(\S+)(?: AS (\S+))?$/u.exec(rest) ?? []
  if (!Object.keys(args).some((arg) => base === `\${${arg}}`)) throw new Error(`FROM ${rest} is not understood`)
  const stage = { root: join(into, name), workdir: '/', env: {}, user: '0:0', entrypoint: [] }
  stages.set(name, stage)
  return stage
}

function inStage(name: string, rest: string, { stage, build }: { stage: Stage; build: Build }): void {
  const here = join(stage.root, stage.workdir)
  if (name === 'WORKDIR') stage.workdir = rest
  else if (name === 'ARG' || name === 'ENV') Object.assign(stage.env, assignments(rest))
  else if (name === 'USER') stage.user = rest
  else if (name === 'ENTRYPOINT') stage.entrypoint = z.array(z.string()).parse(JSON.parse(rest))
  else if (name === 'COPY') copy(rest.split(' '), here, build)
  else if (name === 'RUN') run(rest, here, stage.env)
  else if (name !== 'EXPOSE') throw new Error(`${name} ${rest} is not understood`)
}

const assignments = (rest: string): Env =>
  Object.fromEntries(
    rest.split(' ').map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  )

function copy(words: readonly string[], here: string, { context, stages }: Build): void {
  const stage = words[0]?.startsWith('--from=') === true ? words[0].slice('--from='.length) : undefined
  const origin = stage === undefined ? context : (stages.get(stage)?.root ?? 'no such stage')
  const [target = '', ...paths] = words.slice(stage === undefined ? 0 : 1).toReversed()
  for (const each of paths) linkInto(join(origin, each), join(here, target))
}

/**
 * As docker has it: of a folder the content is copied, a file goes into a folder that is named with a slash. Files are
 * linked, since thousands of them take minutes to write and to remove on a slow disk, and no stage changes one in place.
 */
function linkInto(what: string, target: string): void {
  const isFolder = statSync(what).isDirectory()
  const to = target.endsWith('/') && !isFolder ? join(target, basename(what)) : target
  mkdirSync(isFolder ? to : dirname(to), { recursive: true })
  execFileSync('cp', ['-al', isFolder ? `${what}/.` : what, to])
}

function run(command: string, here: string, env: Env): void {
  mkdirSync(here, { recursive: true })
  const { PATH = '', HOME = '' } = process.env
  // What is in npm's store already is not asked for again.
  const npm = { npm_config_prefer_offline: 'true', npm_config_loglevel: 'error' }
  execFileSync('sh', ['-c', command], {
    cwd: here,
    env: { PATH, HOME, ...npm, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** As docker does: the last pattern that matches a path, or a folder above it, decides. */
function copyContext(repository: string, context: string): void {
  const patterns = readFileSync(join(repository, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isIgnored = (file: string): boolean => {
    const above = file.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/'))
    const last = patterns.findLast((pattern) => above.some((each) => matchesGlob(each, pattern.replace(/^!/u, ''))))
    return last !== undefined && !last.startsWith('!')
  }
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
      const file = join(folder, entry.name)
      const holdsMore = patterns.some((pattern) => pattern.startsWith(`!${file}/`))
      if (isIgnored(file) && !holdsMore) continue
      if (entry.isDirectory()) visit(file)
      else cpSync(join(repository, file), join(context, file))
    }
  }
  visit('')
}
