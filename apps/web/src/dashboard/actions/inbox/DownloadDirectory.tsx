import { ask } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import type { ActionDetail } from '../../acting/action-words.ts'
import { useSending } from '../../client/use-sending.ts'
import { Problem } from '../../form/Problem.tsx'
import { saveFile } from '../../panel/save-file.ts'
import { tarArchive } from '../../recommendation/tar-archive.ts'

/** The exact change as a directory, for whoever applies it by hand or keeps the object in git. */
export function DownloadDirectory({ detail }: { readonly detail: ActionDetail }) {
  const { action, source } = detail
  const { busy, problem, run } = useSending()
  const download = (): Promise<void> =>
    run(async () => {
      const { files } = await ask('actionsFiles', { cluster: source.id, id: action.id })
      saveFile(new Blob([tarArchive(files, new Date())]), `septet-${action.id}.tar`)
      return undefined
    })
  const isHandedOver = action.state === 'handed-over'
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button look={isHandedOver ? 'strong' : 'outline'} aria-disabled={busy} onClick={() => void download()}>
          {busy ? 'Writing…' : 'Download files'}
        </Button>
        <p className="min-w-0 flex-1 basis-44 text-12 text-ink-soft">
          {isHandedOver
            ? 'branch/ has the change for git, with instructions. Septet detects when it is applied.'
            : 'The exact change and its rollback as files.'}
        </p>
      </div>
      <Problem words={problem} />
    </div>
  )
}
