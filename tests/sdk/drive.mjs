// Drives every operation of the SDK that the server serves: node drive.mjs SDK URL[,URL…] USER PASSWORD EMPTY_FOLDER|--list
// Requests go round robin over the servers, as behind a proxy that knows nothing of sessions. Ends with 1 where an answer
// is an error, has not the type that the SDK promises, or where not-served.json is not the truth. --list only prints
// what is not served.
import { mkdirSync, readFileSync } from 'node:fs';
import axios from 'axios';
import { before, changes, mayBeTakenForId, parameters, statuses, values } from './calls.mjs';
import { loadSdk } from './sdk.mjs';

const [name, addresses, user, password, mode] = process.argv.slice(2);  // mode: --list, or an empty folder on the servers
const servers = addresses.split(',');
const sdk = await loadSdk(name);
const notServed = new Set(JSON.parse(readFileSync(new URL('./not-served.json', import.meta.url), 'utf8')));

let turn = 0;
const http = axios.create({ timeout: 20_000 });
http.interceptors.request.use((request) => {
  request.url = request.url.replace('http://cluster', servers[turn++ % servers.length]);
  return request;
});
const { Jellyfin } = await sdk.module('jellyfin.js');
const apis = {};
for (const { file } of sdk.operations.values()) Object.assign(apis, await sdk.module(`generated-client/api/${file}.js`));
const device = `sdk-test-${sdk.version}`;
const jellyfin = new Jellyfin({ clientInfo: { name: 'SDK test', version: sdk.version }, deviceInfo: { name: 'ctest', id: device } });
const api = jellyfin.createApi('http://cluster', '', http);

const results = { passed: [], skipped: [], faults: [] };
const call = (operation, given) => {
  const { api: group, method } = operation;
  const one = new apis[group](api.configuration, undefined, http);
  return given === null ? one[method]() : one[method](given);
};

/** An unknown path answers 404 with `{}`; what is known and not there comes with words. */
const unknownPath = (response) => (response?.status === 404 && JSON.stringify(response.data) === '{}') || response?.status === 405;

function fill(key, operation, context) {
  if (parameters[key]) return parameters[key](context) ?? undefined;
  const names = sdk.parameters(operation);
  if (!names) return null;
  const given = {};
  for (const one of names.required) {
    if (!values[one]) throw new Error(`no value is known for its parameter ${one}: say so in calls.mjs`);
    given[one] = values[one](context);
  }
  if (names.optional.includes('userId')) given.userId = context.user.Id;
  return given;
}

async function drive(key, given) {
  const operation = sdk.operations.get(key);
  try {
    const answer = await call(operation, given);
    const wrong = sdk.faults(operation, answer.data);
    if (wrong.length > 0) results.faults.push(`${key}: ${wrong.join('; ')}`);
    else results.passed.push(key);
    return answer.data;
  } catch (error) {
    const status = error.response?.status;
    if (status && statuses[key]?.includes(status)) results.passed.push(key);
    else results.faults.push(`${key}: ${status ?? ''} ${error.message} ${JSON.stringify(error.response?.data ?? null)?.slice(0, 200)}`);
    return undefined;
  }
}

/** What the calls below are made with: one of each kind, by the SDK itself. */
async function readContext(session) {
  const context = { user: session.User, session: session.SessionInfo.Id, device, spareFolder: `${mode}/one`, anotherFolder: `${mode}/two` };
  for (const folder of [context.spareFolder, context.anotherFolder]) mkdirSync(folder);
  const read = async (key, given) => (sdk.operations.has(key) ? (await call(sdk.operations.get(key), given)).data : undefined);
  const first = async (type, fields = []) =>
    (await read('GET /Items', { userId: session.User.Id, recursive: true, includeItemTypes: [type], limit: 1, fields })).Items[0];
  context.film = await first('Movie');
  context.series = await first('Series');
  context.album = await first('MusicAlbum');
  context.artist = await first('MusicArtist');
  context.pictured = (await read('GET /Items', { userId: session.User.Id, recursive: true, limit: 50, includeItemTypes: ['Movie', 'MusicAlbum', 'Episode'] }))
    .Items.find((one) => one.ImageTags?.Primary);
  context.task = (await read('GET /ScheduledTasks', {})).find((one) => one.Key === 'OptimizeDatabaseTask') ?? (await read('GET /ScheduledTasks', {}))[0];
  context.library = (await read('GET /Library/VirtualFolders', null))[0];
  context.person = (await read('GET /Persons', {}).catch(() => undefined))?.Items?.[0];
  context.genre = (await read('GET /Genres', {}).catch(() => undefined))?.Items?.[0];
  context.musicGenre = (await read('GET /MusicGenres', {}).catch(() => undefined))?.Items?.[0];
  context.studio = (await read('GET /Studios', {}).catch(() => undefined))?.Items?.[0];
  context.log = (await read('GET /System/Logs', null).catch(() => undefined))?.[0];
  context.preferences = await read('GET /DisplayPreferences/{displayPreferencesId}', { displayPreferencesId: 'usersettings', userId: session.User.Id, client: 'emby' }).catch(() => undefined);
  for (const kind of ['film', 'series', 'album', 'artist', 'task', 'library']) {
    if (!context[kind]) throw new Error(`the server has no ${kind} to drive the SDK with`);
  }
  return context;
}

/** Asked by nobody in particular: a path that is known says 401, or does nothing with an id that there is not. */
async function isServed(key, token) {
  const [verb, path] = key.split(' ');
  const url = `http://cluster${path.replace(/\{[^}]*\}/g, '00000000000000000000000000000000')}`;
  const ask = (headers) => http.request({ url, method: verb, validateStatus: () => true, headers });
  const response = await ask({});
  // A HEAD of an unknown path has no body to tell by.
  if (verb === 'HEAD' ? response.status === 404 || response.status === 405 : unknownPath(response)) return false;
  if (verb !== 'GET' && !mayBeTakenForId.includes(key)) return true;
  // `/Items/Latest` where there is only `/Items/{id}`: a word of the path is taken for an id.
  const known = await ask({ Authorization: `MediaBrowser Token="${token}"`, Accept: 'application/json' });
  const taken = /'([^']*)' is no id/.exec(known.status === 400 ? JSON.stringify(known.data) : '')?.[1];
  return !(taken && path.split('/').includes(taken));
}

const login = await api.authenticateUserByName(user, password);
if (!login.data.AccessToken) throw new Error(`no token in ${JSON.stringify(login.data)?.slice(0, 300)} ${login.status}`);
api.update?.({ accessToken: login.data.AccessToken });
if (api.accessToken !== login.data.AccessToken) api.accessToken = login.data.AccessToken;
const authentication = sdk.operations.get('POST /Users/AuthenticateByName');
const wrong = sdk.faults(authentication, login.data);
if (wrong.length > 0) results.faults.push(`POST /Users/AuthenticateByName: ${wrong.join('; ')}`);
else results.passed.push('POST /Users/AuthenticateByName');

const served = new Set();
for (const key of sdk.operations.keys()) if (await isServed(key, login.data.AccessToken)) served.add(key);
if (mode === '--list') {
  console.log(JSON.stringify([...sdk.operations.keys()].filter((key) => !served.has(key)).sort(), null, 2));
  process.exit(0);
}
for (const key of sdk.operations.keys()) {
  if (served.has(key) && notServed.has(key)) results.faults.push(`${key}: is served now; take it out of not-served.json, and drive it`);
  if (!served.has(key) && !notServed.has(key)) results.faults.push(`${key}: is not served, and not in not-served.json`);
}

const context = await readContext(login.data);
// Somebody else's device, to be logged out by an administrator.
context.otherDevice = `${device}-other`;
await new Jellyfin({ clientInfo: jellyfin.clientInfo, deviceInfo: { name: 'other', id: context.otherDevice } })
  .createApi('http://cluster', '', http).authenticateUserByName(user, password);
const changing = new Map(changes.map((one) => [one[0], one]));
for (const key of [...served].sort()) {
  if (changing.has(key) || before.includes(key) || notServed.has(key)) continue;
  if (!/^(GET|HEAD) /.test(key)) {
    results.faults.push(`${key}: changes something, and calls.mjs does not say with what`);
    continue;
  }
  try {
    const given = fill(key, sdk.operations.get(key), context);
    if (given === undefined) results.skipped.push(`${key} (the samples have nothing to ask for)`);
    else await drive(key, given);
  } catch (error) {
    results.faults.push(`${key}: ${error.message}`);
  }
}
for (const [key, make, keep] of changes) {
  if (!served.has(key) || notServed.has(key)) continue;
  try {
    const body = await drive(key, make(context));
    if (body !== undefined && keep) Object.assign(context, keep(context, body));
  } catch (error) {
    results.faults.push(`${key}: ${error.message}`);
  }
}
if (results.passed.includes('POST /Sessions/Logout') && sdk.operations.has('GET /Users/Me')) {
  const after = await call(sdk.operations.get('GET /Users/Me'), null).then(() => 200, (error) => error.response?.status);
  if (after !== 401) results.faults.push(`a token that was logged out is still taken (${after})`);
}

console.log(`@jellyfin/sdk ${sdk.version} against ${servers.length} server(s): ${results.passed.length} operations driven, ` +
  `${results.faults.length} fault(s), ${results.skipped.length} without anything to ask for, of ${sdk.operations.size}`);
for (const one of results.skipped) console.log(`  not asked: ${one}`);
console.log(`  not served (${[...sdk.operations.keys()].filter((key) => notServed.has(key)).length}): ` +
  [...sdk.operations.keys()].filter((key) => notServed.has(key)).sort().join(', '));
for (const one of results.faults) console.log(`  FAULT ${one}`);
process.exit(results.faults.length > 0 ? 1 : 0);
