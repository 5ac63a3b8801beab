import { Reader } from '../bytes/reader.js';
import { readFields, readMessage } from './codec.js';
import type { DecodeContext } from './context.js';
import { checkBytes } from './decode.js';
import type { Message, Relation, Streaming } from './messages.js';
import { layoutOfKind } from './layout.js';

/**
 * Decodes the messages of one stream in their order, following stream blocks and Relations:
 *
 * ```
 *            ── Stream Start ──▶
 *   outside                       in a block (changes have an xid)
 *            ◀── Stream Stop ───
 * ```
 *
 * After an error it stands where it stood before.
 */
export class Decoder {
  readonly #reader = new Reader();
  readonly #relations = new Map<number, Relation>();
  readonly #context: { inStream: boolean; readonly streaming?: Streaming; readonly relations: Map<number, Relation> };

  /** @param context its `inStream` and `relations` are what the stream starts with. */
  constructor({ inStream = false, streaming, relations = [] }: DecodeContext) {
    for (const relation of relations.values()) this.#relations.set(relation.relationId, relation);
    this.#context = { inStream, ...(streaming === undefined ? {} : { streaming }), relations: this.#relations };
  }

  /** Between Stream Start and Stream Stop. */
  get inStream(): boolean {
    return this.#context.inStream;
  }

  /** The last Relation of each OID. */
  get relations(): ReadonlyMap<number, Relation> {
    return this.#relations;
  }

  /** @throws DecodeError, for a message that cannot come at this place of a stream too. */
  decode(bytes: Uint8Array): Message {
    checkBytes(bytes);
    this.#reader.open(bytes);
    const message = readMessage(this.#reader, this.#context);
    this.#checkPlace(message);
    if (message.kind === 'relation') this.#relations.set(message.relationId, message);
    else if (message.kind === 'streamStart') this.#context.inStream = true;
    else if (message.kind === 'streamStop') this.#context.inStream = false;
    return message;
  }

  /**
   * Length of the message at the start of `bytes`, which others may follow.
   * @throws DecodeError, of which `found` begins with `the end` where bytes are missing
   */
  measure(bytes: Uint8Array): number {
    this.#reader.open(bytes);
    readFields(this.#reader, this.#context);
    return this.#reader.offset;
  }

  #checkPlace(message: Message): void {
    const { kind } = message;
    if (!this.inStream) {
      if (kind === 'streamStop') this.#reader.fail('a message outside of stream blocks', kind, 0);
      return;
    }
    const { place } = layoutOfKind(kind)!;
    const belongs = place === 'change' || place === 'anywhere' || kind === 'streamStop';
    if (!belongs) this.#reader.fail('a change of the stream block, or streamStop', kind, 0);
    if (kind === 'message' && !message.transactional)
      this.#reader.fail('a transactional message in a stream block', '0', 5);
  }
}

/**
 * A decoder of one stream, from its beginning.
 * @param context what was negotiated; `inStream` where a block is open
 */
export function createDecoder(context: DecodeContext = {}): Decoder {
  return new Decoder(context);
}
