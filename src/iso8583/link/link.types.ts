import type { NetworkManagement } from '../dialects/dialect.types.ts';
import type { Codec, HostHabit, Message, PassedMessage } from '../messages.types.ts';

/** Where a host is, and how the line to it is protected. PEM texts, not paths. */
export interface LineAddress {
  readonly host: string;
  readonly port: number;
  readonly tls:
    | 'none'
    | { readonly ca: string; readonly cert: string; readonly key: string; readonly serverName: string };
}

/** One line to a host, as bytes. */
export interface Line {
  /** Hands bytes over. From then on it is not known whether they arrive. */
  write(bytes: Buffer): void;
  /** Whether what was written before has not left yet. */
  isFull(): boolean;
  /** Ends it once what was written has left. */
  end(): void;
  /** Ends it at once. */
  destroy(): void;
}

/** What happens on a line. After `closed` nothing does. */
export interface LineEvents {
  opened(): void;
  received(bytes: Buffer): void;
  drained(): void;
  /** `cause` is a word for the log, as `ECONNREFUSED` or `CERT_HAS_EXPIRED`; empty where it just ended. */
  closed(cause: string): void;
}

/** Opens a line. It never throws: a line that cannot be opened is closed with the cause. */
export type Dial = (address: LineAddress, events: LineEvents) => Line;

/** A dialect at work on a line, with the messages that lines themselves need. */
export interface Wire extends Codec {
  readonly codes: NetworkManagement;
  isAnswerTo(ask: Message, answer: Message): boolean;
  fitsAsk(ask: Message, answer: Message): boolean;
  isUsable(ask: Message, answer: Message): boolean;
  habitsIn(ask: Message, answer: Message): readonly HostHabit[];
  isRequest(message: Message): boolean;
  isNetwork(message: Message): boolean;
  /** Whether it answers what may have been sent twice. */
  isToAdvice(answer: Message): boolean;
  network(functionCode: string, times: MessageTimes & { readonly stan: string }): Message;
  /** The answer to a request of the host's. */
  answerTo(request: Message, actionCode: string): Message;
}

/** When a message is sent: fields 7 and 12. */
export interface MessageTimes {
  /** UTC, MMDDhhmmss. */
  readonly transmittedAt: string;
  /** In the dialect's time zone, YYMMDDhhmmss. */
  readonly sentAt: string;
}

/** A state of one connection. */
export type ConnectionState = 'Down' | 'Connecting' | 'SigningOn' | 'Ready' | 'Draining';

/**
 * Why a connection is not there, or was lost the last time. `OursRefused`: the host has ended it after it saw our certificate.
 * `Ended`: by the host, without a word. `SignedOff`: after it said so.
 */
export type LineReason =
  | 'NothingListens'
  | 'NameUnknown'
  | 'NoWay'
  | 'NotOpened'
  | 'CertificateExpired'
  | 'CertificateNotYetValid'
  | 'CertificateName'
  | 'CertificateAuthority'
  | 'NoTls'
  | 'OursRefused'
  | 'SignOnRefused'
  | 'OtherHost'
  | 'NotReadable'
  | 'NoEcho'
  | 'SignedOff'
  | 'Ended'
  | 'Unknown';

/** How one connection is now. */
export interface ConnectionStatus {
  /** Where it goes, as in `h2h.example.com:9100`. */
  readonly site: string;
  readonly state: ConnectionState;
  /** Since when it has been signed on; where it is not, since when it has not been. */
  readonly since: Date;
  /** When the host answered an echo last; undefined where none was needed yet. */
  readonly echoedAt: Date | undefined;
  /** Why it is not there; where it is, why it was lost before. Undefined where it never was. */
  readonly reason: LineReason | undefined;
  /** The word of the socket, or what the host said, as `ECONNREFUSED`; empty where there is none. */
  readonly detail: string;
}

/** How an advice is sent once more. */
export interface AdviceRepeat {
  /** Milliseconds without an answer. */
  readonly afterMs: number;
  /**
   * Whether an answer says that the advice was taken. From the repeat on, another one says nothing of the first message, which may have been
   * taken: the answer to that is waited for.
   */
  readonly isTaken: (answer: Message) => boolean;
}

/** One question to the host. */
export interface Ask {
  readonly message: Message;
  /** Milliseconds until a ready connection has taken it: else the host was not asked. */
  readonly sendMs: number;
  /** Milliseconds from then to the answer. */
  readonly answerMs: number;
  /** Of advices: sends it once more on the same line where no answer comes. */
  readonly repeat?: AdviceRepeat;
  /** Ends the wait for a connection. What is under way is waited for. */
  readonly signal?: AbortSignal;
  /** Hears that bytes of it are being handed over. */
  readonly handedOver?: (() => void) | undefined;
  /** Hears that an answer came when it was waited for no more. */
  readonly late?: () => void;
}

/** What became of it. */
export type Asked =
  | {
      readonly outcome: 'Answered';
      readonly answer: Message;
      /** Whether the message had been sent twice by then. */
      readonly wasRepeated: boolean;
      /** The day that the host says has begun, `YYYY-MM-DD`, as far as it is known here. */
      readonly businessDay: string | undefined;
    }
  /** It is not known what the host did: no answer in time, the line broke, or the answer is about something else. */
  | { readonly outcome: 'Silent'; readonly because: 'Time' | 'Broken' | 'Unusable' }
  /** Not one byte was handed to a socket. */
  | {
      readonly outcome: 'NotSent';
      /** `NotWritable`: the dialect has no room for the message. */
      readonly because: 'NoConnection' | 'Full' | 'Closing' | 'Aborted' | 'NotWritable';
    };

/** What came of waiting for an answer on one connection. */
export type Waited =
  | { readonly answer: Message; readonly wasRepeated: boolean }
  | { readonly silent: 'Time' | 'Broken' | 'Unusable' };

/** Why a connection was lost. */
export interface LostConnection extends Pick<ConnectionStatus, 'detail'> {
  readonly reason: LineReason;
}

/** Hears what happens, for the log and for metrics. Nothing of it has a card. */
export interface LinkEvents {
  /** `lost` says why, where it is `Down`, and not by our own will. */
  state(state: ConnectionState, lost?: LostConnection): void;
  answered(actionCode: string, durationMs: number): void;
  silent(because: 'Time' | 'Broken' | 'Unusable'): void;
  /** An answer that no question waits for: late, or the second one. It changes nothing. */
  late(answer: Message): void;
  /** The host did what others may not do; it is told each time. */
  habit(habit: HostHabit): void;
  /** The host did what no host should. */
  fault(fault: LineFault, detail: string): void;
  /** A message of ours was not sent, because the dialect has no room for it. `place` is where the dialect says so. */
  notWritable(place: string): void;
}

/**
 * What a host did wrong; `other host`: it is none of those that are wanted. `other day`: it began a day that cannot be. `card update`: it said
 * that a card was replaced, and not by what.
 */
export type LineFault =
  | 'not readable'
  | 'not usable'
  | 'two answers'
  | 'sign-on refused'
  | 'other host'
  | 'other day'
  | 'card update';

/** The business days that a host says have begun. */
export interface BusinessDays {
  /** It says that this day has begun, YYMMDD or MMDD. False where that cannot be. */
  begin(told: string): boolean;
  /** `YYYY-MM-DD`; undefined where the host has told of none, or that is known elsewhere. */
  current(): string | undefined;
}

/** What a link needs of the context. */
export interface LinkContext {
  readonly address: LineAddress;
  /** The other sites of the same host: any of them takes any message. */
  readonly otherAddresses?: readonly LineAddress[];
  /** How many connections to each address. */
  readonly connections: number;
  /** Milliseconds without a byte before an echo is asked for. */
  readonly echoMs: number;
  /** Milliseconds that answers under way are waited for when the link is closed. */
  readonly drainMs: number;
  readonly wire: Wire;
  readonly dial: Dial;
  readonly events: LinkEvents;
  readonly timesOf: (at: Date) => MessageTimes;
  readonly now: () => Date;
  /** 0 to 1, for the pauses. */
  readonly random: () => number;
  /** Whether the host that names itself so (field 44) is one to ask; without it, every one. */
  readonly accepts?: (hostText: string) => boolean;
  /** Without it, whatever the host says of its days is taken and forgotten. */
  readonly days?: BusinessDays;
  /** Sees each message that passes, with all that is secret in it. Without it nothing is looked at. It must not throw. */
  readonly passed?: (passed: PassedMessage, site: string) => void;
  /** Milliseconds; for tests. */
  readonly limits?: { readonly connectMs?: number; readonly networkMs?: number; readonly firstPauseMs?: number };
}

/** The lines to one acquirer. */
export interface Link {
  ask(ask: Ask): Promise<Asked>;
  /** Connections that take questions. */
  ready(): number;
  /** How each connection is. */
  statuses(): readonly ConnectionStatus[];
  /** What the host says of itself at sign-on (field 44); empty where it has said nothing. */
  hostText(): string;
  /** Sends an echo, and says after how many milliseconds it was answered; undefined where it was not. */
  echo(): Promise<number | undefined>;
  /** No more questions; signs off, waits for what is under way, and closes. */
  close(): Promise<void>;
}
