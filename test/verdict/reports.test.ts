import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { validateXML } from 'xmllint-wasm';
import {
  Coverage,
  formatCoverage,
  formatFindings,
  formatPercent,
  githubAnnotation,
  junitXml,
  unmetLine,
  Verdict,
  type Finding,
  type JunitSuite,
} from '../../src/verdict/index.js';
import { unchanged, type Message } from '../../src/pgoutput/messages.js';
import { caughtUp, fault, feedback, follow, scenario, start, transaction, type Timed } from './events.js';

const expectations = `- { flushed: end, within: 1s }\n  - never: off_by_one\n  - query: { matches: '/a,b: "<&>"%/' }`;

function findings(...more: Timed[]): Finding[] {
  const verdict = new Verdict([scenario(expectations)]);
  follow(verdict, [start(1000), ...transaction(1010, 750, 100n, 180n, 200n), caughtUp(1010, 200n), ...more]);
  return verdict.findings(1100);
}

const suite = (parts: Partial<JunitSuite> = {}): JunitSuite => ({
  name: 'd',
  file: 'd.yaml',
  description: null,
  findings: findings(feedback(1050, 201n)),
  startedAt: 1000,
  startTime: new Date('2026-03-01T10:20:30.456Z'),
  milliseconds: 1234,
  properties: { scenario: 'x' },
  error: null,
  stdout: 'one\u0007two <&> ]]>',
  stderr: '',
  ...parts,
});

async function problems(xml: string): Promise<readonly string[]> {
  const schema = readFileSync(`${import.meta.dirname}/junit.xsd`, 'utf8');
  const { errors } = await validateXML({
    xml: [{ fileName: 'report.xml', contents: xml }],
    schema: [{ fileName: 'junit.xsd', contents: schema }],
  });
  return errors.map(({ message }) => message);
}

describe('the table', () => {
  it('has a line for each expectation, aligned, with positions and times', () => {
    const lines = formatFindings(findings(feedback(1050, 201n)), 1000).split('\n');
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['met', 'flushed: end within 1 s', 'slot s confirmed 0/C8 after 40 ms', '0/C8', '0.050 s', 'd.yaml:7:5'],
      [
        ...['UNMET', 'never: off_by_one', 'slot s confirmed 0/C9, one beyond 0/C8, which was sent'],
        ...['0/C9', '0.050 s', 'd.yaml:8:5'],
      ],
      ['UNMET', 'query: /a,b: "<&>"%/ at least once', 'it asked never', 'd.yaml:9:5'],
    ]);
    expect(new Set(lines.map((line) => line.indexOf('d.yaml'))).size).toBe(1);
  });

  it('puts further lines of what was seen below, and does not widen for them', () => {
    const [flushed, offByOne] = findings(feedback(1050, 201n));
    const lines = formatFindings([{ ...flushed!, seen: `one\n${'x'.repeat(200)}` }, offByOne!], 1000).split('\n');
    expect(lines[0]).toMatch(/^met .* one +0\/C8 .*d\.yaml:7:5$/);
    expect(lines[1]).toBe(`       ${'x'.repeat(200)}`);
    expect(lines[2]!.length).toBeLessThan(200);
  });

  it('is a line alone for what was not met', () => {
    const [flushed, offByOne] = findings(feedback(1050, 201n)).slice(0, 2);
    expect(unmetLine({ ...flushed!, status: 'open' })).toBe(
      'd.yaml:7:5: unmet: flushed: slot s confirmed 0/C8 after 40 ms',
    );
    expect(unmetLine(offByOne!)).toMatch(/^d\.yaml:8:5: unmet: never: off_by_one: slot s confirmed 0\/C9/);
  });
});

describe('GitHub annotations', () => {
  it("stand on the scenario's line, with all that would end them escaped", () => {
    const [, , query] = findings();
    expect(githubAnnotation({ ...query!, source: { file: 'a,b:c.yaml', line: 9, column: 5 } })).toBe(
      '::error file=a%2Cb%3Ac.yaml,line=9,col=5,title=query%3A /a%2Cb%3A "<&>"%25/ at least once' +
        '::unmet: query: /a,b: "<&>"%25/ at least once: it asked never',
    );
  });
});

describe('JUnit XML', () => {
  it('is valid, whatever the texts hold', async () => {
    const failed = suite({ error: 'not settled within 1 s', name: 'd on 16' });
    expect(await problems(await junitXml([suite(), failed, suite({ findings: [], startedAt: undefined })]))).toEqual(
      [],
    );
    expect(await problems((await junitXml([suite()])).replace(' hostname="localhost"', ''))).not.toEqual([]);
  });

  it('counts and describes what was not met', async () => {
    const xml = await junitXml([suite()]);
    expect(xml).toContain(
      '<testsuite id="0" name="d" package="d.yaml" timestamp="2026-03-01T10:20:30" hostname="localhost" tests="3" failures="2" errors="0" time="1.234">',
    );
    expect(xml).toContain('<testcase name="flushed: end within 1 s, slot s" classname="d" time="0.050"/>');
    expect(xml).toContain(
      [
        '<failure message="slot s confirmed 0/C9, one beyond 0/C8, which was sent" type="unmet">d.yaml:8:5',
        'expected: never: off_by_one',
        'seen: slot s confirmed 0/C9, one beyond 0/C8, which was sent',
        'LSN: 0/C9',
        'after: 0.050 s</failure>',
      ].join('\n'),
    );
    expect(xml).toContain('<system-out>one\uFFFDtwo &lt;&amp;&gt; ]]&gt;</system-out>');
  });

  it('says what is right with what was not met', async () => {
    const xml = await junitXml([suite({ description: 'Both rows are there.\nRight: keep <both>.' })]);
    expect(xml.match(/\n\nBoth rows are there\.\nRight: keep &lt;both&gt;\.<\/failure>/g)).toHaveLength(2);
  });

  it('tells of what else went wrong as an error', async () => {
    const xml = await junitXml([suite({ error: 'the consumer could not be started' })]);
    expect(xml).toContain('tests="4" failures="2" errors="1"');
    expect(xml).toContain('<error message="the consumer could not be started" type="run"/>');
  });
});

describe('coverage', () => {
  const send = (coverage: Coverage, ...messages: Message[]): void => {
    for (const message of messages) {
      coverage.follow({ kind: 'message:sent', pid: 1, slot: 's', message, lsn: 0n, xid: 1 }, 17);
    }
  };
  const group = (coverage: Coverage, name: string): readonly string[] =>
    coverage.report().groups.find((each) => each.name === name)!.shown;

  it('knows kinds and variants', () => {
    const coverage = new Coverage();
    send(
      coverage,
      { kind: 'insert', relationId: 1, newTuple: ['1', null, Uint8Array.of(1)] },
      { kind: 'update', relationId: 1, oldTuple: { marker: 'K', columns: ['1'] }, newTuple: [unchanged], xid: 7 },
      { kind: 'delete', relationId: 1, oldTuple: { marker: 'O', columns: ['1'] } },
      { kind: 'truncate', relationIds: [1, 2], cascade: true, restartIdentity: false },
      { kind: 'streamStart', xid: 7, firstSegment: true },
      { kind: 'streamAbort', xid: 7, subxid: 8, abortLsn: 1n, abortTime: 1n },
    );
    expect(group(coverage, 'messages')).toEqual([
      'insert',
      'update',
      'delete',
      'truncate',
      'streamStart',
      'streamAbort',
    ]);
    expect(new Set(group(coverage, 'variants'))).toEqual(
      new Set([
        ...['value as text (t)', 'value null (n)', 'value in binary (b)', 'value unchanged (u)'],
        ...['update with key (K)', 'streamed update', 'delete with old row (O)'],
        ...['truncate cascade', 'truncate of several tables', 'first stream block'],
        ...['abort of a subtransaction', 'abort with LSN and time'],
      ]),
    );
  });

  it('takes a Relation for repeated only on the same connection', () => {
    const coverage = new Coverage();
    const relation: Message = {
      ...{ kind: 'relation', relationId: 1, namespace: 'public', name: 't' },
      replicaIdentity: 'full',
      columns: [],
    };
    send(coverage, relation);
    coverage.follow({ kind: 'disconnect', pid: 1, reason: 'x' }, 17);
    send(coverage, relation);
    expect(group(coverage, 'variants')).toEqual(['relation identity full']);
    send(coverage, relation);
    expect(group(coverage, 'variants')).toEqual(['relation identity full', 'relation repeated']);
  });

  it('knows faults and versions, adds up, and is a percentage', () => {
    const coverage = new Coverage();
    const other = new Coverage();
    const tell = ([, event]: Timed): void => {
      if ('pid' in event) other.follow(event, 13);
    };
    tell(start(0));
    tell(fault(1, { kind: 'disconnect', how: 'reset' }));
    tell(fault(1, { kind: 'stall', milliseconds: 1, keepalives: false }));
    coverage.add(other);
    expect(group(coverage, 'faults')).toEqual(['disconnect reset', 'stall']);
    expect(group(coverage, 'server versions')).toEqual(['13']);
    const { percent, groups } = coverage.report();
    const all = groups.reduce((sum, { shown, missing }) => sum + shown.length + missing.length, 0);
    expect(percent).toBeCloseTo((100 * 3) / all);
    const text = formatCoverage(coverage.report());
    expect(text).toMatch(/^the consumer was shown 3 % of all there is\n {2}messages: 0 of 19\n/);
    expect(text).toMatch(/\n {2}faults: 2 of \d+: disconnect reset, stall\n {2}server versions: 1 of 9: 13$/);
    expect(formatCoverage(coverage.report(), { full: true })).toMatch(
      / {2}messages: 0 of 19\n {4}not shown: begin, [^]* {2}server versions: 1 of 9: 13\n {4}not shown: 10, /,
    );
    expect([formatPercent(99.9), formatPercent(100)]).toEqual(['99 %', '100 %']);
    expect(new Coverage().report().percent).toBe(0);
  });
});
