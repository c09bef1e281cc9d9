import { addressReader, readOperations } from './fuzz-document.ts';

type Misfit = (method: string, path: string, status: number, body: unknown) => string | undefined;

/** Both documents are read with the first answer: many test files ask for none. */
let documented: Misfit | undefined;

/**
 * Holds an answer of the service to the committed OpenAPI documents.
 *
 * @throws Error where a body does not fit the schema that its operation has for this status
 */
export function holdToDocument(
  { method, path }: { readonly method: string; readonly path: string },
  { status, body }: { readonly status: number; readonly body?: unknown },
): void {
  if (body === undefined) return;
  documented ??= misfitsOfDocuments();
  const misfit = documented(method, path, status, body);
  if (misfit === undefined) return;
  throw new Error(
    `${method} ${path.split('?', 1)[0]} answered ${status} with what the document does not allow: ${misfit}`,
  );
}

function misfitsOfDocuments(): Misfit {
  const operations = readOperations();
  const leadsTo = addressReader(operations);
  return (method, path, status, body) => {
    const found = leadsTo(path).map(({ index }) => operations[index]);
    return found.find((operation) => operation?.method === method)?.misfit(status, body);
  };
}
