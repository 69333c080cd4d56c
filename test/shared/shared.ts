import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { chromium, type Browser } from 'playwright-core'
import { inject } from 'vitest'
import { z } from 'zod'

import { newDataDir, startSeptet, type SeptetProcess } from '../server-process.ts'

const SeptetSchema = z.object({ url: z.string(), dataDir: z.string(), pid: z.number() })

/** A Septet that other files use at the same time: leave it, its policies and its accounts as they were found. */
export type SharedSeptet = Pick<SeptetProcess, 'url' | 'dataDir' | 'pid'>

/** The one Septet with the demo cluster. An address at `example.com` may sign up. */
export const demoSeptet = async (): Promise<SharedSeptet> => SeptetSchema.parse(await ask('/demo'))

/** The one Septet that watches no cluster, for its site, its sign-in and its settings. */
export const septetWithoutDemo = async (): Promise<SharedSeptet> => SeptetSchema.parse(await ask('/without-demo'))

/** A Septet of a test's own with the demo cluster, whose last day it knows already. The caller stops it. */
export async function ownDemoSeptet(environment: Readonly<Record<string, string>> = {}): Promise<SeptetProcess> {
  const template = z.string().parse(await ask('/template'))
  const dataDir = await newDataDir()
  // Its database belongs to another user where tests run as root, which only this keeps.
  await promisify(execFile)('cp', ['-a', `${template}/.`, dataDir])
  return startSeptet({ dataDir, environment })
}

/** A connection to the one Chromium. Closing it closes what was opened through it. */
export const openBrowser = async (): Promise<Browser> => chromium.connect(z.string().parse(await ask('/browser')))

/** The folder of the built web app, made from its sources as they are. */
export const webFolder = async (): Promise<string> => z.string().parse(await ask('/web'))

/** The folder of the tools that are installed only for those tests that need them. */
export const heavyTools = (): Promise<string> => (tools ??= ask('/tools').then((folder) => z.string().parse(folder)))
let tools: Promise<string> | undefined

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(`${inject('shared')}${path}`)
  if (!answer.ok) throw new Error(`${path} could not be started: ${await answer.text()}`)
  return answer.json()
}
