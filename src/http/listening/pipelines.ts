import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds between two lines of the log about connections with too many requests. */
const PIPELINE_TOLD_MS = 60_000;

export interface PipelineBound {
  /** Requests of one connection that may wait for the one that is under way. */
  readonly most: number;
  /** Answers the first request beyond them, and closes the connection behind that answer. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
  /** Is told of the network address of a client that sent more, not more often than a line of the log is worth. */
  readonly tell: (address: string) => void;
}

/** The requests of one connection that have not been answered. */
interface Pipeline {
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  isBusy: boolean;
  isRefused: boolean;
}

/**
 * Handles the requests of a connection one after the other. A client may send the next ones before it has an answer
 * (pipelining, RFC 9112, section 9.3.2), and Node would begin all of them at once: one connection could then fill every
 * queue that is shared with others. Call it once the server has its handler.
 */
export function boundPipelines(server: Server, { most, refuse, tell }: PipelineBound): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  let toldAt = Number.NEGATIVE_INFINITY;

  const handle = (pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void => {
    pipeline.isBusy = true;
    response.once('close', () => {
      if (pipeline.waiting.length > 0) setImmediate(handleNext, pipeline, request.socket);
      else pipeline.isBusy = false;
    });
    for (const one of handlers) one.call(server, request, response);
  };
  const handleNext = (pipeline: Pipeline, { destroyed, writableEnded }: Socket): void => {
    pipeline.isBusy = false;
    const next = pipeline.waiting.shift();
    // The answer before may have been the last one of its connection.
    if (next !== undefined && !destroyed && !writableEnded) handle(pipeline, ...next);
  };
  const refuseFirst = (pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void => {
    pipeline.isRefused = true;
    readNoMore(request.socket);
    refuse(request, response);
    const now = performance.now();
    if (now - toldAt < PIPELINE_TOLD_MS) return;
    toldAt = now;
    tell(request.socket.remoteAddress ?? '');
  };

  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    const pipeline = pipelines.get(socket) ?? { waiting: [], isBusy: false, isRefused: false };
    pipelines.set(socket, pipeline);
    if (!pipeline.isBusy) handle(pipeline, request, response);
    else if (pipeline.waiting.length < most) pipeline.waiting.push([request, response]);
    else if (!pipeline.isRefused) refuseFirst(pipeline, request, response);
  });
}

/** A connection of Node's HTTP server, with a member that is not documented. */
interface ServedSocket extends Socket {
  readonly parser?: { onIncoming: unknown } | null;
}

/** What Node's parser takes for: the connection becomes another protocol now, so what follows is not HTTP. */
const UPGRADED = 2;

/**
 * Keeps Node from making requests of what a connection has sent. Node reads 64 KB at once, which may be more than 1 000
 * requests; without this they cost 80 connections ten times as much, seconds in which no other client is served.
 */
function readNoMore({ parser }: ServedSocket): void {
  if (parser) parser.onIncoming = () => UPGRADED;
}
