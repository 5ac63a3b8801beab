import { NotUtf8 } from '../scenario-folder.js';

/** Why a file cannot be read or written, in the words of someone who named it. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'the file may not be opened: permission denied',
  EISDIR: 'this is a directory, not a file',
  ENOTDIR: 'a part of the path is no directory',
};

/** Undefined for errors that are not the file's. */
export function fileError(error: unknown): string | undefined {
  if (error instanceof NotUtf8) return error.message;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : (reasons[code ?? ''] ?? message);
}
