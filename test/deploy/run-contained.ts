import { spawn, spawnSync, type ChildProcess } from 'node:child_process'

import { tellNotRun } from '../system-tools.ts'
import type { Image } from './build-image.ts'

/** Whether this machine lets a test mount for itself; it says so where not. */
export function canContain(): boolean {
  const can = spawnSync('unshare', ['--mount', 'true']).status === 0
  if (!can) tellNotRun('the image with a read-only root of its own (be root and allow mount namespaces)')
  return can
}

export type Contained = {
  readonly image: Image
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Folders of this machine, by where they are seen. */
  readonly mounts: Readonly<Record<string, string>>
}

/**
 * Runs a command in an image as a container would: its files are the root, which is read-only, as its user. Programs and
 * libraries of a base image are this machine's. The network is this machine's, too.
 */
export function runContained({ image, command, env, mounts }: Contained): ChildProcess {
  const given = { PATH: '/usr/local/bin:/usr/bin:/bin', ...image.env, ...env }
  const script = [
    'set -e',
    `mount --bind '${image.root}' '${image.root}'`,
    `cd '${image.root}'`,
    ...['usr/bin', 'usr/lib', 'usr/lib64', 'dev', 'proc'].map((at) => `mkdir -p ${at}; mount --rbind /${at} ${at}`),
    'ln -sfn usr/bin bin; ln -sfn usr/lib lib; ln -sfn usr/lib64 lib64',
    ...Object.entries(mounts).map(([at, from]) => `mkdir -p '.${at}'; mount --bind '${from}' '.${at}'`),
    'mount -o remount,bind,ro .',
    `exec /usr/sbin/chroot --userspec=${image.user} . /bin/sh -c 'cd ${image.workdir}; exec "$@"' sh "$@"`,
  ]
  return spawn('unshare', ['--mount', 'sh', '-c', script.join('\n'), 'sh', ...command], {
    env: given,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
