/** Arbitrary messages that a server could send, made from the table of their fields, and what was negotiated then. */
import fc from 'fast-check';
import { layouts, type Field, type Layout } from '../../../src/pgoutput/layout.js';
import { unchanged, type Message, type MessageContext, type ReplicaIdentity } from '../../../src/pgoutput/messages.js';

export interface MessageInContext {
  readonly message: Message;
  readonly context: MessageContext;
}

/** Every kind of message in every context in which it can be sent. */
export function messagesInContext(): fc.Arbitrary<MessageInContext> {
  return fc.oneof(...contexts.map((context) => messages(context).map((message) => ({ message, context }))));
}

/** Every kind of message that can be sent in the context. */
export function messages(context: MessageContext): fc.Arbitrary<Message> {
  return fc.oneof(...layouts.filter((layout) => canStand(layout, context)).map((layout) => message(layout, context)));
}

const contexts: readonly MessageContext[] = [
  ...[1, 2, 3, 4].map((protoVersion) => ({ protoVersion, streaming: 'off', inStream: false }) as const),
  ...[2, 3, 4].flatMap((protoVersion) =>
    [true, false].map((inStream) => ({ protoVersion, streaming: 'on', inStream }) as const),
  ),
  ...[true, false].map((inStream) => ({ protoVersion: 4, streaming: 'parallel', inStream }) as const),
];

function canStand({ kind, place }: Layout, { streaming, inStream }: MessageContext): boolean {
  if (inStream) return place === 'change' || place === 'anywhere' || kind === 'streamStop';
  return place !== 'streamed' || streaming !== 'off';
}

function message(layout: Layout, context: MessageContext): fc.Arbitrary<Message> {
  const properties: Record<string, fc.Arbitrary<unknown>> = { kind: fc.constant(layout.kind) };
  for (const field of layout.fields) Object.assign(properties, fieldValues(field, context));
  return fc.record(properties).map(correlate) as fc.Arbitrary<unknown> as fc.Arbitrary<Message>;
}

/** By property: most fields are one, flags several, a count none, an optional one that is absent none. */
function fieldValues({ name, kind, bits }: Field, context: MessageContext): Record<string, fc.Arbitrary<unknown>> {
  switch (kind) {
    case 'streamXid':
      return context.inStream ? { xid: uint32 } : {};
    case 'xid':
    case 'oid':
    case 'relationId':
      return { [name]: uint32 };
    case 'lsn':
      return { [name]: uint64 };
    case 'time':
      return { [name]: int64 };
    case 'abortLsn':
      return context.streaming === 'parallel' ? { abortLsn: uint64 } : {};
    case 'abortTime':
      return context.streaming === 'parallel' ? { abortTime: int64 } : {};
    case 'text':
      return { [name]: name === 'gid' ? fc.string({ maxLength: 49 }).map(withoutNul) : text };
    case 'content':
      return { content: fc.uint8Array({ maxLength: 100 }) };
    case 'replicaIdentity':
      return { replicaIdentity: fc.constantFrom<ReplicaIdentity>('default', 'nothing', 'full', 'index') };
    case 'columns':
      return { columns: fc.array(column, { maxLength: 6 }) };
    case 'newTuple':
      return { newTuple: fc.array(fc.oneof(oldCell, fc.constant(unchanged)), { maxLength: 6 }) };
    case 'oldTuple':
      return { oldTuple };
    case 'oldTupleIfAny':
      return { oldTuple: fc.option(oldTuple) };
    case 'flags':
      return Object.fromEntries(bits.map((bit) => [bit.name, flagValues(bit.name, context)]));
    case 'relationCount':
      return {};
    case 'relationIds':
      return { relationIds: fc.array(uint32, { minLength: 1, maxLength: 5 }) };
  }
}

function flagValues(name: string, { inStream }: MessageContext): fc.Arbitrary<boolean> {
  return name === 'transactional' && inStream ? fc.constant(true) : fc.boolean();
}

/** What depends on two fields: replica identity full flags every column, nothing flags none. */
function correlate(properties: Record<string, unknown>): Record<string, unknown> {
  const { replicaIdentity, columns } = properties;
  if (replicaIdentity !== 'full' && replicaIdentity !== 'nothing') return properties;
  const key = replicaIdentity === 'full';
  return { ...properties, columns: (columns as object[]).map((column) => ({ ...column, key })) };
}

function withoutNul(value: string): string {
  return value.replaceAll('\0', '');
}

const uint32 = fc.nat({ max: 0xffff_ffff });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
/** Any characters; around the lengths at which encoding changes its ways. */
const text = fc.string({ unit: 'binary', maxLength: 40 }).map(withoutNul);
const oldCell = fc.oneof(text, fc.constant(null), fc.uint8Array({ maxLength: 20 }));
const oldTuple = fc.record({ marker: fc.constantFrom('K', 'O'), columns: fc.array(oldCell, { maxLength: 6 }) });
const column = fc.record({
  key: fc.boolean(),
  name: text,
  typeOid: uint32,
  typeModifier: fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff }),
});
