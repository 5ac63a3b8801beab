import { Command, Option } from 'commander';
import { onlyUnderRun } from '../scenario/index.js';
import { duration, wholeNumber } from './arguments.js';
import type { Verb } from './program.js';
import { addScenarioOptions, loadScenarios, type ScenarioOptions } from './scenarios.js';
import type { ServeOptions } from './serve-session.js';
import type { Terminal } from './terminal.js';

export const serve: Verb = {
  command: (terminal) =>
    addScenarioOptions(new Command())
      .description(
        'Starts the fake walsender. Its first line on stdout is: listening postgres://USER@HOST:PORT/NAME\n' +
          'Several scenarios: the database name in the URL picks one, by its file name without extension.\n' +
          'SIGINT and SIGTERM shut it down as fast shutdown does a real server; a second one, at once.',
      )
      .argument('<scenario...>', 'a file, a directory (its *.yaml, recursively) or a glob')
      .option('--host <address>', 'where to listen', '127.0.0.1')
      .option('--port <n>', '0: any free one', wholeNumber(0, 65535), 0)
      .option('--tls', 'offer TLS, with a certificate made now unless the scenario names one')
      .option(
        '--allow-remote-trust',
        "let clients of other machines in without a password, where the scenario's auth is trust",
      )
      .option('--state <file>', 'keep slots there, across restarts')
      .option('--watch', 'start again on the same port whenever a scenario, or a file that it includes, changes')
      .addOption(
        new Option(
          '--start <when>',
          "when the stream's time starts: at once, or (default) with the first client",
        ).choices(['now']),
      )
      .option('--once', 'end when the first replication connection ends')
      .option(
        '--exit-after-end',
        'end when every slot that was used has confirmed everything: with 1 if an expectation was not met',
      )
      .option('--timeout <time>', 'exit 1 after so long: 500ms, 30s, 5min', duration)
      .addOption(
        new Option('--grace <time>', 'how long fast shutdown waits for clients to confirm')
          .argParser(duration)
          .default(5_000, '5s'),
      )
      .option('--ready-file <file>', 'write the URL there once it listens')
      .option(
        '--control <port>',
        'open an HTTP endpoint on 127.0.0.1 that publishes, injects faults and tells what happened; 0: any free port. ' +
          'It is told on the second line of stdout: control http://127.0.0.1:PORT token TOKEN',
        wholeNumber(0, 65535),
      )
      .option('--control-token <text>', 'its token, else FAKE_WALSENDER_CONTROL_TOKEN, else one made now')
      .option('--upstream <url>', 'a real server that answers the queries which this one cannot')
      .addOption(
        new Option('--log <format>', 'what is told on stderr while it runs')
          .choices(['text', 'json', 'off'])
          .default('text'),
      )
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender serve scenarios/key-change.yaml --port 5433
  fake-walsender serve scenarios/key-change.yaml --port 5433 --watch
  fake-walsender serve scenarios --server-version 17 --exit-after-end --timeout 60s --ready-file url.txt --log json`,
      )
      .action((patterns: string[], options: ScenarioOptions & ServeOptions) => run(patterns, options, terminal)),
};

async function run(
  patterns: readonly string[],
  options: ScenarioOptions & ServeOptions & { readonly watch?: boolean },
  terminal: Terminal,
): Promise<void> {
  if (options.watch === true) {
    const { serveWatched } = await import('./serve-watch.js');
    await serveWatched((found) => loadScenarios(patterns, options, terminal, onlyUnderRun, found), options, terminal);
    return;
  }
  const scenarios = await loadScenarios(patterns, options, terminal, onlyUnderRun);
  const { serveScenarios } = await import('./serve-session.js');
  await serveScenarios(scenarios, options, terminal);
}
