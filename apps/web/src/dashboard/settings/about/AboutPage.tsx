import { duration } from '@septet/domain/words'
import { lazy } from 'react'

import type { Answer } from '../../../api.ts'

import { LoadedLater } from '../../../ui/LoadedLater.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { bytesWords } from '../bytes-words.ts'
import { Fact, FactList } from '../../panel/Facts.tsx'

const Licences = lazy(async () => ({ default: (await import('./Licences.tsx')).Licences }))

/** What runs here, and what it is made of. */
export function AboutPage() {
  const about = useAnswer('aboutGet', {})
  return (
    <div className="grid gap-4">
      <Panel title="Septet">
        <Answered answer={about}>{(data) => <AboutFacts about={data} />}</Answered>
        <p className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-13">
          <a href="/docs" className={LINK}>
            Documentation
          </a>
          <a href="/api" className={LINK}>
            API
          </a>
          <a href="/receipts" className={LINK}>
            Receipts for every claim
          </a>
        </p>
      </Panel>
      <LoadedLater name="The list of licenses">
        <Licences />
      </LoadedLater>
    </div>
  )
}

const LINK = 'rounded-control text-accent-ink underline underline-offset-4'

function AboutFacts({ about }: { readonly about: Answer<'aboutGet'> }) {
  const now = useNow()
  const { version, node, platform, startedAt, database, dataDirBytes, memoryBytes } = about
  return (
    <FactList>
      <Fact name="Version">{version}</Fact>
      <Fact name="License">Apache-2.0</Fact>
      <Fact name="Node.js">{node === null ? 'unknown' : `${node}, ${platform ?? ''}`}</Fact>
      {startedAt !== null && (
        <Fact name="Running">
          {duration((now - Date.parse(startedAt)) / 1000)}, since {dayTime(startedAt)}
        </Fact>
      )}
      {database !== null && (
        <Fact name="Database">
          PostgreSQL {database.version ?? '(version unknown)'}, {DATABASE_WORDS[database.kind]}
          {database.bytes !== null && `, ${bytesWords(database.bytes)}`}
        </Fact>
      )}
      <Fact name="Data directory">{dataDirBytes === null ? 'not counted yet' : bytesWords(dataDirBytes)}</Fact>
      {memoryBytes !== null && <Fact name="Server memory">{bytesWords(memoryBytes)}</Fact>}
    </FactList>
  )
}

const DATABASE_WORDS = { embedded: 'Septet’s own', external: 'yours (DATABASE_URL)' } as const
