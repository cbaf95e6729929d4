// What the SDK is made to do, as data: what parameters are called with, and in which order things that change something
// are done. An operation that is neither here nor answered from `valueOf` nor in not-served.json fails the test.

/** Values of parameters by name, from what the server has; a function of the context where it depends on it. */
export const values = {
  userId: (c) => c.user.Id,
  itemId: (c) => c.film.Id,
  id: (c) => c.film.Id,
  seriesId: (c) => c.series.Id,
  itemIds: (c) => [c.film.Id],
  ids: (c) => [c.film.Id],
  imageType: () => 'Primary',
  imageIndex: () => 0,
  searchTerm: () => 'the',
  displayPreferencesId: () => 'usersettings',
  client: () => 'emby',
  deviceId: (c) => c.device,
  playlistId: (c) => c.playlist.Id,
  taskId: (c) => c.task.Id,
  key: () => 'network',
  year: () => 2020,
  path: () => '/tmp',
  size: () => 1000,
  name: (c) => c.musicGenre?.Name ?? 'Jazz',
  maxWidth: () => 300,
  maxHeight: () => 300,
  tag: () => 'any',
  format: () => 'Jpg',
  percentPlayed: () => 0,
  unplayedCount: () => 0,
};

/** A picture with all that its address may say. */
const longAddress = (c) =>
  c.pictured
    ? { itemId: c.pictured.Id, imageType: 'Primary', imageIndex: 0, tag: 'any', format: 'Jpg', maxWidth: 300, maxHeight: 300, percentPlayed: 0, unplayedCount: 0 }
    : null;

/** One red pixel. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64');

/** Of single operations, where the name alone does not say which. */
export const parameters = {
  'GET /Devices/Info': (c) => ({ id: c.device }),
  'GET /Devices/Options': (c) => ({ id: c.device }),
  'GET /Items': (c) => ({ userId: c.user.Id, recursive: true, includeItemTypes: ['Movie', 'Episode', 'Audio'], fields: ['MediaSources', 'People', 'Chapters', 'Path'], limit: 50 }),
  'GET /Items/Latest': (c) => ({ userId: c.user.Id, parentId: c.library.ItemId }),
  'GET /Items/{itemId}/Images/{imageType}': (c) => (c.pictured ? { itemId: c.pictured.Id, imageType: 'Primary' } : null),
  'HEAD /Items/{itemId}/Images/{imageType}': (c) => (c.pictured ? { itemId: c.pictured.Id, imageType: 'Primary' } : null),
  'GET /Items/{itemId}/Images/{imageType}/{imageIndex}': (c) => (c.pictured ? { itemId: c.pictured.Id, imageType: 'Primary', imageIndex: 0 } : null),
  'HEAD /Items/{itemId}/Images/{imageType}/{imageIndex}': (c) => (c.pictured ? { itemId: c.pictured.Id, imageType: 'Primary', imageIndex: 0 } : null),
  'GET /Persons/{name}': (c) => (c.person ? { name: c.person.Name, userId: c.user.Id } : null),
  'GET /Artists/{name}': (c) => ({ name: c.artist.Name, userId: c.user.Id }),
  'GET /Genres/{genreName}': (c) => (c.genre ? { genreName: c.genre.Name, userId: c.user.Id } : null),
  'GET /MusicGenres/{genreName}': (c) => (c.musicGenre ? { genreName: c.musicGenre.Name, userId: c.user.Id } : null),
  'GET /MusicGenres/InstantMix': (c) => (c.musicGenre ? { id: c.musicGenre.Id, userId: c.user.Id } : null),
  'GET /Items/{itemId}/Images/{imageType}/{imageIndex}/{tag}/{format}/{maxWidth}/{maxHeight}/{percentPlayed}/{unplayedCount}': longAddress,
  'HEAD /Items/{itemId}/Images/{imageType}/{imageIndex}/{tag}/{format}/{maxWidth}/{maxHeight}/{percentPlayed}/{unplayedCount}': longAddress,
  'GET /Studios/{name}': (c) => (c.studio ? { name: c.studio.Name, userId: c.user.Id } : null),
  'GET /System/Logs/Log': (c) => (c.log ? { name: c.log.Name } : null),
  'GET /Albums/{itemId}/Similar': (c) => ({ itemId: c.album.Id }),
  'GET /Artists/{itemId}/Similar': (c) => ({ itemId: c.artist.Id }),
  'GET /Shows/{itemId}/Similar': (c) => ({ itemId: c.series.Id }),
};

/** Statuses that are as right as 2xx for what the samples have. */
export const statuses = {
  'POST /Users/AuthenticateWithQuickConnect': [401, 404],  // no code was shown to anybody
  'GET /Branding/Splashscreen': [404],
  'GET /UserImage': [404],
  'HEAD /UserImage': [404],
  // Nobody listens at a socket of that session, and the server says so.
  'POST /Sessions/{sessionId}/Command': [409],
  'POST /Sessions/{sessionId}/Command/{command}': [409],
  'POST /Sessions/{sessionId}/Message': [409],
  'POST /Sessions/{sessionId}/Playing': [409],
  'POST /Sessions/{sessionId}/Playing/{command}': [409],
  'POST /Sessions/{sessionId}/System/{command}': [409],
  'POST /Sessions/{sessionId}/Viewing': [409],
};

/** In this order: each sees what the one before made. `c` is the context; what a step returns is merged into it. */
export const changes = [
  ['POST /Users/New', () => ({ createUserByName: { Name: 'sdk guest', Password: 'first' } }), (c, body) => ({ guest: body })],
  ['POST /Users', (c) => ({ userId: c.guest.Id, userDto: { ...c.guest, Name: 'sdk visitor' } })],
  ['POST /Users/{userId}/Policy', (c) => ({ userId: c.guest.Id, userPolicy: { ...c.guest.Policy, EnableContentDownloading: false } })],
  ['POST /Users/Configuration', (c) => ({ userId: c.guest.Id, userConfiguration: { ...c.guest.Configuration, PlayDefaultAudioTrack: false } })],
  ['POST /Users/Password', (c) => ({ userId: c.guest.Id, updateUserPassword: { NewPw: 'second' } })],
  ['DELETE /Users/{userId}', (c) => ({ userId: c.guest.Id })],
  ['POST /UserPlayedItems/{itemId}', (c) => ({ itemId: c.film.Id, userId: c.user.Id })],
  ['DELETE /UserPlayedItems/{itemId}', (c) => ({ itemId: c.film.Id, userId: c.user.Id })],
  ['POST /UserFavoriteItems/{itemId}', (c) => ({ itemId: c.film.Id, userId: c.user.Id })],
  ['DELETE /UserFavoriteItems/{itemId}', (c) => ({ itemId: c.film.Id, userId: c.user.Id })],
  ['POST /UserItems/{itemId}/Rating', (c) => ({ itemId: c.film.Id, userId: c.user.Id, likes: true })],
  ['DELETE /UserItems/{itemId}/Rating', (c) => ({ itemId: c.film.Id, userId: c.user.Id })],
  ['POST /UserItems/{itemId}/UserData', (c) => ({ itemId: c.film.Id, userId: c.user.Id, updateUserItemDataDto: { PlayCount: 2 } })],
  ['POST /Collections', (c) => ({ name: 'SDK set', ids: [c.film.Id] }), (c, body) => ({ collection: body })],
  ['POST /Collections/{collectionId}/Items', (c) => ({ collectionId: c.collection.Id, ids: [c.film.Id] })],
  ['DELETE /Collections/{collectionId}/Items', (c) => ({ collectionId: c.collection.Id, ids: [c.film.Id] })],
  ['POST /Playlists', (c) => ({ createPlaylistDto: { Name: 'SDK list', Ids: [c.film.Id], UserId: c.user.Id, MediaType: 'Video' } }), (c, body) => ({ playlist: body })],
  ['POST /Playlists/{playlistId}', (c) => ({ playlistId: c.playlist.Id, updatePlaylistDto: { Name: 'SDK list again' } })],
  ['POST /Playlists/{playlistId}/Items', (c) => ({ playlistId: c.playlist.Id, ids: [c.film.Id], userId: c.user.Id })],
  // Reads of what was just made: they need a playlist.
  ['GET /Playlists/{playlistId}', (c) => ({ playlistId: c.playlist.Id })],
  ['GET /Playlists/{playlistId}/Items', (c) => ({ playlistId: c.playlist.Id, userId: c.user.Id }), (c, body) => ({ entries: body.Items.map((one) => one.PlaylistItemId) })],
  ['GET /Playlists/{playlistId}/Users', (c) => ({ playlistId: c.playlist.Id })],
  ['GET /Playlists/{playlistId}/Users/{userId}', (c) => ({ playlistId: c.playlist.Id, userId: c.user.Id })],
  ['POST /Playlists/{playlistId}/Items/{itemId}/Move/{newIndex}', (c) => ({ playlistId: c.playlist.Id, itemId: c.entries[0], newIndex: 0 })],
  ['DELETE /Playlists/{playlistId}/Items', (c) => ({ playlistId: c.playlist.Id, entryIds: [c.entries[0]] })],
  ['DELETE /Items/{itemId}', (c) => ({ itemId: c.playlist.Id })],
  ['POST /Items/{itemId}', (c) => ({ itemId: c.collection.Id, baseItemDto: { Id: c.collection.Id, Name: 'SDK set again' } })],
  ['POST /Items/{itemId}/Images/{imageType}', (c) => ({ itemId: c.collection.Id, imageType: 'Primary', body: png })],
  ['POST /Items/{itemId}/Images/{imageType}/{imageIndex}', (c) => ({ itemId: c.collection.Id, imageType: 'Primary', imageIndex: 0, body: png })],
  ['DELETE /Items/{itemId}/Images/{imageType}/{imageIndex}', (c) => ({ itemId: c.collection.Id, imageType: 'Primary', imageIndex: 0 })],
  ['DELETE /Items/{itemId}/Images/{imageType}', (c) => ({ itemId: c.collection.Id, imageType: 'Primary' })],
  ['DELETE /Items', (c) => ({ ids: [c.collection.Id] })],
  ['POST /Library/VirtualFolders', (c) => ({ name: 'SDK library', collectionType: 'movies', paths: [c.spareFolder], refreshLibrary: false, addVirtualFolderDto: {} })],
  ['POST /Library/VirtualFolders/Name', () => ({ name: 'SDK library', newName: 'SDK films', refreshLibrary: false })],
  ['POST /Library/VirtualFolders/Name', () => ({ name: 'SDK films', newName: 'SDK library', refreshLibrary: false })],
  ['POST /Library/VirtualFolders/Paths', (c) => ({ refreshLibrary: false, mediaPathDto: { Name: 'SDK library', Path: c.anotherFolder } })],
  ['POST /Library/VirtualFolders/Paths/Update', (c) => ({ updateMediaPathRequestDto: { Name: 'SDK library', PathInfo: { Path: c.anotherFolder } } })],
  ['DELETE /Library/VirtualFolders/Paths', (c) => ({ name: 'SDK library', path: c.anotherFolder, refreshLibrary: false })],
  ['DELETE /Library/VirtualFolders', () => ({ name: 'SDK library', refreshLibrary: false })],
  ['POST /Library/Media/Updated', (c) => ({ mediaUpdateInfoDto: { Updates: [{ Path: c.library.Locations[0], UpdateType: 'Modified' }] } })],
  ['POST /Devices/Options', (c) => ({ id: c.device, deviceOptionsDto: { CustomName: 'test bench' } })],
  ['DELETE /Devices', (c) => ({ id: c.otherDevice })],
  ['POST /ScheduledTasks/{taskId}/Triggers', (c) => ({ taskId: c.task.Id, taskTriggerInfo: c.task.Triggers ?? [] })],
  ['POST /ScheduledTasks/Running/{taskId}', (c) => ({ taskId: c.task.Id })],
  ['DELETE /ScheduledTasks/Running/{taskId}', (c) => ({ taskId: c.task.Id })],
  ['POST /Library/Refresh', () => null],
  ['POST /Library/VirtualFolders/LibraryOptions', (c) => ({ updateLibraryOptionsDto: { Id: c.library.ItemId, LibraryOptions: c.library.LibraryOptions } })],
  ['POST /Sessions/Capabilities/Full', () => ({ clientCapabilitiesDto: { PlayableMediaTypes: ['Video'], SupportedCommands: [], SupportsMediaControl: false } })],
  ['POST /Sessions/Capabilities', () => ({ playableMediaTypes: ['Video'] })],
  ['POST /DisplayPreferences/{displayPreferencesId}', (c) => ({ displayPreferencesId: 'usersettings', userId: c.user.Id, client: 'emby', displayPreferencesDto: c.preferences ?? { CustomPrefs: {} } })],
  ['POST /Auth/Keys', () => ({ app: 'sdk' })],
  ['GET /Auth/Keys', () => null, (c, body) => ({ key: body.Items.find((one) => one.AppName === 'sdk').AccessToken })],
  ['DELETE /Auth/Keys/{key}', (c) => ({ key: c.key })],
  ['POST /Users/ForgotPassword', () => ({ forgotPasswordDto: { EnteredUsername: 'nobody' } })],
  ['POST /System/Ping', () => null],
  ['POST /UserImage', (c) => ({ userId: c.user.Id, body: png })],
  ['DELETE /UserImage', (c) => ({ userId: c.user.Id })],
  ['POST /Branding/Splashscreen', () => ({ body: png })],
  ['DELETE /Branding/Splashscreen', () => null],
  ['POST /Items/{itemId}/Refresh', (c) => ({ itemId: c.film.Id })],
  ['POST /Environment/ValidatePath', () => ({ validatePathDto: { Path: '/tmp', IsFile: false, ValidateWritable: false } })],
  ['POST /ClientLog/Document', () => ({ body: 'a line of a client' })],
  ['POST /LiveTv/Programs', () => ({ getProgramsDto: {} })],
  ['POST /Repositories', () => ({ repositoryInfo: [] })],
  ['GET /System/Configuration', () => null, (c, body) => ({ configuration: body })],
  ['POST /System/Configuration', (c) => ({ serverConfiguration: c.configuration })],
  ['POST /System/Configuration/Branding', () => ({ brandingOptionsDto: { LoginDisclaimer: 'sdk', CustomCss: '', SplashscreenEnabled: false } })],
  ['POST /System/Configuration/{key}', () => ({ key: 'metadata', body: { UseFileCreationTimeForDateAdded: true } })],
  ['POST /Users/ForgotPassword/Pin', () => ({ forgotPasswordPinDto: { Pin: '0000' } })],
  ['POST /Sessions/{sessionId}/Command', (c) => ({ sessionId: c.session, generalCommand: { Name: 'Mute', Arguments: {} } })],
  ['POST /Sessions/{sessionId}/Command/{command}', (c) => ({ sessionId: c.session, command: 'Mute' })],
  ['POST /Sessions/{sessionId}/Message', (c) => ({ sessionId: c.session, messageCommand: { Text: 'hello' } })],
  ['POST /Sessions/{sessionId}/Playing', (c) => ({ sessionId: c.session, playCommand: 'PlayNow', itemIds: [c.film.Id] })],
  ['POST /Sessions/{sessionId}/Playing/{command}', (c) => ({ sessionId: c.session, command: 'Pause' })],
  ['POST /Sessions/{sessionId}/System/{command}', (c) => ({ sessionId: c.session, command: 'GoHome' })],
  ['POST /Sessions/{sessionId}/Viewing', (c) => ({ sessionId: c.session, itemType: 'Movie', itemId: c.film.Id, itemName: c.film.Name })],
  ['POST /Users/AuthenticateWithQuickConnect', () => ({ quickConnectDto: { Secret: 'none' } })],
  // Last: the token of the session that did all this is gone with it.
  ['POST /Sessions/Logout', () => null],
];

/** Asked with an administrator's token and no body: is it known, or is its last word taken for somebody's id? */
export const mayBeTakenForId = ['POST /Users/ForgotPassword', 'POST /Users/ForgotPassword/Pin', 'POST /Users/AuthenticateWithQuickConnect'];

/** Done before the rest, to log in; or of a server that is not set up yet; or what ends the pod (tests/cluster/scripts_test.py does it). */
export const before = [
  'POST /System/Restart', 'POST /System/Shutdown',
  'POST /Users/AuthenticateByName', 'GET /Startup/Configuration', 'GET /Startup/User', 'GET /Startup/FirstUser',
  'POST /Startup/Configuration', 'POST /Startup/User', 'POST /Startup/RemoteAccess', 'POST /Startup/Complete',
];
