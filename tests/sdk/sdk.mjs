// One version of the SDK as data: which of its methods is which operation, what it must be given, and whether an answer
// has the type that it promises. Everything is read from the package itself, so that a new version needs no list here.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const here = dirname(fileURLToPath(import.meta.url));

/** `GET /Users/{userId}` → { api: 'UserApi', method: 'getUserById' } */
function operationsIn(folder) {
  const found = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('-api.js'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const api = /class (\w+Api) extends/.exec(text)?.[1];
    const one = /\n {8}(\w+): (?:async )?\([^\n]*=> \{([\s\S]*?)\n {8}\}/g;
    for (let match; (match = one.exec(text)); ) {
      const path = /localVarPath = `([^`]*)`/.exec(match[2])?.[1];
      const verb = /method: '(\w+)'/.exec(match[2])?.[1];
      if (api && path && verb) found.set(`${verb} ${path}`, { api, method: match[1], file: file.replace(/\.js$/, '') });
    }
  }
  return found;
}

export async function loadSdk(name) {
  const root = join(here, 'node_modules', name);
  const folder = join(root, 'lib', 'generated-client', 'api');
  if (!existsSync(folder)) throw new Error(`${name} is not installed; tests/sdk/install-packages fetches it`);
  const operations = operationsIn(folder);
  const files = [...new Set([...operations.values()].map((one) => join(folder, `${one.file}.d.ts`)))];
  const program = ts.createProgram(files, {
    strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  });
  const checker = program.getTypeChecker();
  const methods = new Map();
  for (const file of files) {
    for (const statement of program.getSourceFile(file).statements.filter(ts.isClassDeclaration)) {
      for (const member of statement.members.filter(ts.isMethodDeclaration))
        methods.set(`${statement.name.text}.${member.name.getText()}`, member);
    }
  }
  const signatureOf = ({ api, method }) => checker.getSignatureFromDeclaration(methods.get(`${api}.${method}`));

  return {
    name,
    version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    operations,
    module: (path) => import(pathToFileURL(join(root, 'lib', path))),
    /** Names of what the method's one object of parameters must and may hold; null: it takes none. */
    parameters(operation) {
      const first = signatureOf(operation).parameters[0];
      if (!first || first.name !== 'requestParameters') return null;
      const type = checker.getNonNullableType(checker.getTypeOfSymbol(first));
      const names = { required: [], optional: [] };
      for (const one of checker.getPropertiesOfType(type))
        names[one.flags & ts.SymbolFlags.Optional ? 'optional' : 'required'].push(one.name);
      return names;
    },
    /** What is wrong with an answer's body, as `path: what`, at most ten. */
    faults(operation, body) {
      const promised = checker.getReturnTypeOfSignature(signatureOf(operation));
      const response = checker.getTypeArguments(promised)[0];
      const data = response && checker.getTypeArguments(response)[0];
      const faults = [];
      if (data) check(checker, body, data, 'data', faults);
      return faults.slice(0, 10);
    },
  };
}

const short = (value) => JSON.stringify(value)?.slice(0, 60) ?? String(value);

function check(checker, value, type, at, faults) {
  if (faults.length >= 10) return;
  const wrong = () => faults.push(`${at}: ${short(value)} is no ${checker.typeToString(type)}`);
  const flags = type.flags;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Void | ts.TypeFlags.Never)) return;
  if (type.isUnion()) {
    const tries = type.types.map((one) => {
      const own = [];
      check(checker, value, one, at, own);
      return own;
    });
    if (tries.some((own) => own.length === 0)) return;
    // What an object lacks says more than that no member of the union fits.
    const inside = value !== null && typeof value === 'object' ? tries.find((own) => own.some((text) => !text.startsWith(`${at}: `))) : null;
    if (inside) faults.push(...inside);
    else wrong();
    return;
  }
  if (flags & ts.TypeFlags.Undefined) return value === undefined ? undefined : wrong();
  if (flags & ts.TypeFlags.Null) return value === null ? undefined : wrong();
  if (type.isLiteral()) return value === type.value ? undefined : wrong();
  if (flags & ts.TypeFlags.BooleanLiteral) return String(value) === checker.typeToString(type) && typeof value === 'boolean' ? undefined : wrong();
  if (flags & ts.TypeFlags.StringLike) return typeof value === 'string' ? undefined : wrong();
  if (flags & ts.TypeFlags.NumberLike) return typeof value === 'number' ? undefined : wrong();
  if (flags & ts.TypeFlags.BooleanLike) return typeof value === 'boolean' ? undefined : wrong();
  if (checker.isArrayType(type)) {
    if (!Array.isArray(value)) return wrong();
    value.forEach((one, index) => check(checker, one, checker.getTypeArguments(type)[0], `${at}[${index}]`, faults));
    return;
  }
  if (type.symbol?.name === 'File' || type.symbol?.name === 'Blob') return;  // bytes
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return wrong();
  for (const property of checker.getPropertiesOfType(type)) {
    const member = value[property.name];
    if (member === undefined && property.flags & ts.SymbolFlags.Optional) continue;
    if (member === undefined) faults.push(`${at}.${property.name}: is missing`);
    else check(checker, member, checker.getTypeOfSymbol(property), `${at}.${property.name}`, faults);
  }
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (index) for (const [key, member] of Object.entries(value)) check(checker, member, index, `${at}.${key}`, faults);
}
