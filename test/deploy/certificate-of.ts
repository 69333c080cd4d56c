import { readFileSync } from 'node:fs'

import type { DemoCluster } from '@septet/simulator'

/** What signs for the demo cluster's API server, as PEM. */
export function certificateOf({ kubeconfigPath }: Pick<DemoCluster, 'kubeconfigPath'>): string {
  const data = /certificate-authority-data: (\S+)/u.exec(readFileSync(kubeconfigPath, 'utf8'))?.[1] ?? ''
  return Buffer.from(data, 'base64').toString('utf8')
}
