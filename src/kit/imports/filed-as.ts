import type { FileStamp } from './import.types.ts';

/** Which file something was done by, as details of the audit trail say it. */
export function filedAs(file: FileStamp | undefined): { readonly file?: string; readonly digest?: string } {
  return file === undefined ? {} : { file: file.name, digest: file.digest };
}
