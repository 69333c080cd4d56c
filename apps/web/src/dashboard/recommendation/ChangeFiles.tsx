import { useId } from 'react'

import type { Answer } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBox } from '../../ui/CodeBox.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { saveFile } from '../panel/save-file.ts'
import { useUrlChoice } from '../address/url-state.ts'
import { Part } from '../panel/Part.tsx'
import { tarArchive } from '@septet/contract/tar-archive'

type Files = Answer<'recommendationsGet'>['files']

/** The change as files to apply by hand, each to read, copy or keep. */
export function ChangeFiles({ files, id }: { readonly files: Files; readonly id: string }) {
  const [wanted, setWanted] = useUrlChoice('file')
  const label = useId()
  const shown = files.find(({ path }) => path === wanted) ?? files[0]
  if (shown === undefined) return undefined
  return (
    <Part title="To apply by hand">
      <p className="text-12 text-ink-soft">The exact change as files to review in a pull request or apply yourself.</p>
      <label htmlFor={label} className="sr-only">
        File
      </label>
      <select
        id={label}
        value={shown.path}
        onChange={(event) => setWanted(event.target.value, { replace: true })}
        className="h-8 w-full min-w-0 rounded-control border border-(--free) bg-surface px-2 font-mono text-12 hover:border-ink-quiet"
      >
        {files.map(({ path }) => (
          <option key={path} dir="auto">
            {path}
          </option>
        ))}
      </select>
      <CodeBox label={`Content of ${shown.path}`} text={shown.text} className="max-h-80" />
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={() => shown.text} label="Copy file" />
        <Button className="text-12" onClick={() => saveFile(new Blob([shown.text]), nameOf(shown.path))}>
          Download
        </Button>
        <Button
          className="text-12"
          onClick={() => saveFile(new Blob([tarArchive(files, new Date())]), `septet-${id}.tar`)}
        >
          All {files.length} as one archive
        </Button>
      </div>
    </Part>
  )
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
