import { describe, expect, it } from '@jest/globals';
import { encode, unchanged, type Update } from '../pgoutput/index.js';
import { matchers } from './jest.js';

expect.extend(matchers);

// "Upd K" of a real 18.4 server: the key 1 became 2.
const keyUpdate = Buffer.from(
  '55000085bb4b00047400000001316e6e6e4e00047400000001327400000003426f6274000000026f6b6e',
  'hex',
);

describe('toDecodeAs', () => {
  it('passes for the message that the bytes are', () => {
    expect(keyUpdate).toDecodeAs({
      kind: 'update',
      relationId: 34235,
      oldTuple: { marker: 'K', columns: ['1', null, null, null] },
      newTuple: ['2', 'Bob', 'ok', null],
    });
  });

  it('looks only at the properties given, and takes asymmetric matchers', () => {
    expect(keyUpdate).toDecodeAs({ kind: 'update', newTuple: expect.arrayContaining(['Bob']) });
    expect({ frames: [keyUpdate] }).toEqual({ frames: [expect.toDecodeAs({ kind: 'update' })] });
  });

  it('takes an xid on a change as standing in a stream block', () => {
    const update: Update = { kind: 'update', xid: 731, relationId: 1, oldTuple: null, newTuple: ['1', unchanged] };
    expect(encode(update, { protoVersion: 2, streaming: 'on', inStream: true })).toDecodeAs(update);
  });

  it('fails with decoded messages side by side', () => {
    const fail = () => expect(keyUpdate).toDecodeAs({ kind: 'update', newTuple: ['3', 'Bob', 'ok', null] });
    expect(fail).toThrow(/-\s+"3",\n\+\s+"2",/);
  });

  it('fails for bytes that are no message, saying where they stop being one', () => {
    const fail = () => expect(keyUpdate.subarray(0, 20)).toDecodeAs({ kind: 'update' });
    expect(fail).toThrow(/no message: .*offset 20/);
    expect(keyUpdate.subarray(0, 20)).not.toDecodeAs({ kind: 'update' });
  });

  it('fails for what is no bytes, negated or not', () => {
    expect(() => expect('55').toDecodeAs({ kind: 'update' })).toThrow(/expected a Uint8Array/);
    expect(() => expect('55').not.toDecodeAs({ kind: 'update' })).toThrow(/expected a Uint8Array/);
  });
});
