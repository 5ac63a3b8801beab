// api/*.api.md: what each entry point of the package exports, as a text to review. Reads dist/, so build first.
// `--check` fails when a report is not what the package has now; without it the reports are written anew.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const root = join(import.meta.dirname, '..');
const packageJson = join(root, 'package.json');
const check = process.argv.includes('--check');

/** Messages that would be lost in the report's own comments; what is undocumented is TypeDoc's to find. */
const quiet = { logLevel: ExtractorLogLevel.None };

function report(entryPoint, declarations) {
  const name = entryPoint === '.' ? 'fake-walsender' : entryPoint.slice(2);
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: packageJson,
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, declarations),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2022',
            // `dom`: without it the analyzer does not find the declaration of AbortSignal.
            lib: ['es2023', 'esnext.disposable', 'dom'],
            module: 'nodenext',
            strict: true,
            skipLibCheck: true,
            types: ['node'],
          },
          files: [declarations],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(root, 'api'),
        reportTempFolder: join(root, '.cache/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: quiet },
        tsdocMessageReporting: { default: quiet },
      },
    },
  });
  const { succeeded, apiReportChanged } = Extractor.invoke(config, {
    localBuild: !check,
    messageCallback(message) {
      // The analyzer comes with a compiler of its own, and says that it is not the project's.
      if (message.messageId.startsWith('console-')) message.handled = true;
    },
  });
  if (!succeeded) process.exitCode = 1;
  if (apiReportChanged) {
    console.log(
      check ? `api/${name}.api.md is not what ${entryPoint} exports: npm run api` : `wrote api/${name}.api.md`,
    );
  }
}

const { exports } = JSON.parse(readFileSync(packageJson, 'utf8'));
for (const [entryPoint, { import: conditions }] of Object.entries(exports)) {
  if (conditions?.types !== undefined) report(entryPoint, conditions.types.slice(2));
}
