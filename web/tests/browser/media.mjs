// A small library that has something of everything the pages show: chapters, an EDL file, posters, a series, an album.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function ffmpeg(file, ...args) {
  mkdirSync(dirname(file), { recursive: true });
  const made = spawnSync('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args, file], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`ffmpeg could not make ${file}: ${made.stderr || made.error}`);
}

const film = (seconds, hue) => ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=12:duration=${seconds},hue=h=${hue}`];
const tone = (seconds, hertz) => ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:duration=${seconds}`];
const encode = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '12',
  '-c:a',
  'aac',
  '-b:a',
  '48k',
];

function poster(file, hue) {
  ffmpeg(
    file,
    '-f',
    'lavfi',
    '-i',
    `gradients=size=400x600:n=2:c0=0x16323f:c1=0xd9a066:x0=0:y0=0:x1=400:y1=600:type=linear:duration=1,hue=h=${hue}`,
    '-frames:v',
    '1',
  );
}

const chapters = [
  ['Intro', 0, 6],
  ['The storm', 6, 24],
  ['Credits', 24, 30],
];
const titles = [
  'Paper Boats',
  'Cold Harbour',
  'The Long Field',
  'Salt',
  'Nine Lanterns',
  'A Quiet Engine',
  'Northbound',
  'Glasshouse',
  'The Cartographer',
  'Low Tide',
  'Ember Street',
  'Winter Ferry',
  'The Orchard Wall',
  'Signal Hill',
  'Half Moon Bay',
  'Far Weir',
];

/** Folders of films, series and music below `root`. */
export function makeMedia(root) {
  const movies = join(root, 'films'),
    series = join(root, 'series'),
    music = join(root, 'music');
  const first = join(movies, 'The Lighthouse Keeper (2019)', 'The Lighthouse Keeper (2019)');
  const marks = join(root, 'chapters.txt');
  mkdirSync(root, { recursive: true });
  writeFileSync(
    marks,
    ';FFMETADATA1\n' +
      chapters
        .map(([title, from, to]) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${from}\nEND=${to}\ntitle=${title}\n`)
        .join(''),
  );
  ffmpeg(
    `${first}.mkv`,
    ...film(30, 0),
    ...tone(30, 330),
    '-i',
    marks,
    '-map_metadata',
    '2',
    '-map',
    '0:v',
    '-map',
    '1:a',
    ...encode,
  );
  writeFileSync(`${first}.edl`, '12.0 16.5 3\n');
  writeFileSync(
    `${first}.nfo`,
    '<movie><title>The Lighthouse Keeper</title><plot>A keeper, a storm, and a light that must not go out.</plot><genre>Drama</genre><mpaa>PG</mpaa>' +
      '<actor><name>Ada Lund</name><role>The keeper</role></actor><actor><name>Tom Reyes</name><role>The boatman</role></actor></movie>',
  );
  titles.forEach((title, n) => {
    const folder = join(movies, `${title} (${2005 + n})`);
    ffmpeg(join(folder, `${title} (${2005 + n}).mkv`), ...film(2, n * 22), ...tone(2, 200 + n * 10), ...encode);
    if (n % 4 !== 3) poster(join(folder, 'poster.jpg'), n * 40);
  });
  poster(join(dirname(first), 'poster.jpg'), 0);
  for (const episode of [1, 2, 3]) {
    ffmpeg(
      join(series, 'Northern Line (2020)', 'Season 01', `Northern Line - S01E0${episode} - Stop ${episode}.mkv`),
      ...film(2, 90 + episode),
      ...tone(2, 440),
      ...encode,
    );
  }
  ['Tide', 'Harbour', 'Lantern'].forEach((title, n) =>
    ffmpeg(
      join(music, 'The Wharves', 'Low Water', `0${n + 1} - ${title}.flac`),
      ...tone(3, 220 * (n + 1)),
      '-metadata',
      'artist=The Wharves',
      '-metadata',
      'album_artist=The Wharves',
      '-metadata',
      'album=Low Water',
      '-metadata',
      `track=${n + 1}`,
      '-metadata',
      `title=${title}`,
      '-metadata',
      'date=2018',
    ),
  );
  poster(join(music, 'The Wharves', 'Low Water', 'cover.jpg'), 200);
  writeFileSync(join(movies, 'Broken (2001).mkv'), 'this is no film');
  return { movies, tvshows: series, music };
}
