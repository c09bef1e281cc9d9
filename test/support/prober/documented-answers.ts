import { operationAt } from './operations.ts';

/**
 * Holds an answer of the service to the committed OpenAPI documents.
 *
 * @throws Error where a body does not fit the schema that its operation has for this status
 */
export function holdToDocument(
  { method, path }: { readonly method: string; readonly path: string },
  { status, body }: { readonly status: number; readonly body?: unknown },
): void {
  const misfit = body === undefined ? undefined : operationAt(method, path)?.misfit(status, body);
  if (misfit === undefined) return;
  throw new Error(
    `${method} ${path.split('?', 1)[0]} answered ${status} with what the document does not allow: ${misfit}`,
  );
}
